// Package suite holds cases: what customers say, and the one right answer to it
// from a library of skills. A suite is a YAML file of ours, or a file of one of
// two public benchmarks.
//
// The YAML form has one shape for dialogues of one turn and of many:
//
//	library: after-sales
//	cases:
//	  - id: refund-progress-direct-1
//	    kind: direct
//	    split: test
//	    at: "10:30"                          # time of day; left out, 12:00
//	    state: {customer: C-20417, paid: true, refund: requested}
//	    absent: [human-handoff]              # taken out of the catalogue for this case
//	    turns:
//	      - say: When does my refund for A1047 arrive?
//	        expect: {do: call, skill: refund-progress, params: {order: A1047}}
//
// An expectation names the deed of record.Route and what goes with it: a call its
// skill and params (those that the customer gives; what comes from the context or
// is fixed is never among them), an ask its param and the skill it is a parameter
// of, an offer its skill and the other one. A decline may name the skill that
// would be right if it were there, or open. Accept lists routes that are right as
// well, in the same form; forbidden lists skills that would do harm.
package suite

import (
	"slices"

	"skillbench/harness/record"
)

// A Suite is a list of cases about one library.
type Suite struct {
	Name    string // after-sales, or the name of the file
	Library string // its name; "" where the cases came with their own
	Cases   []Case // in the order of the file

	source string // of the file, for errors
	sorted bool   // the cases stand in the order of Order
}

// Splits of a suite: what is tuned on, and what is reported.
const (
	Dev  = "dev"
	Test = "test"
)

// Kinds of cases.
const (
	Direct           = "direct"             // says what it wants in the skill's own words
	Indirect         = "indirect"           // tells what happened; what is wanted follows from it
	NearMiss         = "near_miss"          // sounds like a neighbour of the right skill, or like two at once
	OutOfScope       = "out_of_scope"       // for no skill
	MissingParam     = "missing_param"      // lacks what the contract requires, gives it when asked
	RightSkillAbsent = "right_skill_absent" // the right skill is not in the catalogue
	Multi            = "multi"              // two concerns or several turns
	StateDependent   = "state_dependent"    // the state decides, not the words
	Run              = "run"                // one customer over many turns; late ones need early facts
)

// Kinds lists them in the order of reports.
var Kinds = []string{Direct, Indirect, NearMiss, OutOfScope, MissingParam, RightSkillAbsent, Multi, StateDependent, Run}

// A Case is one dialogue.
type Case struct {
	ID     string         `yaml:"id"`
	Kind   string         `yaml:"kind"`
	Split  string         `yaml:"split"`
	At     string         `yaml:"at"`     // time of day; see Noon
	State  map[string]any `yaml:"state"`  // what the back office knows when the dialogue begins
	Absent []string       `yaml:"absent"` // skills taken out of the catalogue
	Turns  []Turn         `yaml:"turns"`

	line int // of the file
}

// Noon is the time of a case that names none.
const Noon = "12:00"

// A Turn is a message of the customer.
type Turn struct {
	Say    string `yaml:"say"`
	Expect Expect `yaml:"expect"`
}

// An Expect is the right answer to a message.
type Expect struct {
	record.Route `yaml:",inline"`
	Params       map[string]any `yaml:"params"`    // of a call, that of accept too
	Accept       []record.Route `yaml:"accept"`    // right as well
	Forbidden    []string       `yaml:"forbidden"` // skills that do harm here
}

// Want is the right route as an agent can take it: without the skill that an ask
// or a decline is about.
func (e Expect) Want() record.Route { return bare(e.Route) }

func bare(r record.Route) record.Route {
	if r.Do != record.Call && r.Do != record.Offer {
		r.Skill, r.Other = "", ""
	}
	return r
}

// Allows reports whether a route is the right one or one right as well. The two
// skills of an offer have no order. Parameters of calls are not looked at.
func (e Expect) Allows(got record.Route) bool {
	return slices.ContainsFunc(append([]record.Route{e.Route}, e.Accept...), func(want record.Route) bool {
		return same(bare(want), bare(got))
	})
}

func same(a, b record.Route) bool {
	if a.Do == record.Offer && a.Skill == b.Other && a.Other == b.Skill {
		a.Skill, a.Other = b.Skill, b.Other
	}
	return a == b
}

// Calls reports whether a turn of the case wants the skill called.
func (c Case) Calls(skill string) bool {
	return slices.ContainsFunc(c.Turns, func(t Turn) bool {
		return t.Expect.Do == record.Call && t.Expect.Skill == skill
	})
}
