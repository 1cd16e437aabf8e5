package skills

import (
	"cmp"
	"fmt"
	"slices"
)

// Limits of lint, each with the rule that holds it.
const (
	MaxSimilar       = 0.85 // similar: cosine of two descriptions
	MaxConfused      = 0.10 // confused: share of the messages for either skill
	MinCases         = 10   // confused: messages below which nothing is said
	MaxPreconditions = 2    // preconditions
	MaxBranches      = 3    // branches
	MaxAsked         = 3    // parameters: required ones from the user
)

// A Rule is one thing that lint looks for.
type Rule struct {
	Name string
	Doc  string // one line
	find func(*linter)
}

// Rules lists what lint looks for, in the order in which it looks.
func Rules() []Rule {
	return []Rule{
		{"parameters", "a required parameter from the user that no summary, trigger or about mentions, or more than 3 of them", (*linter).parameters},
		{"example", "a value after \"such as\" in an about that the contract refuses", (*linter).examples},
		{"vague", "fewer than 2 content words in a summary, or none in a trigger; a boundary that names no other skill and shares no word with the other layers", (*linter).vague},
		{"negatives", "neither a boundary nor a topic in not_when", (*linter).negatives},
		{"preconditions", "more than 2 preconditions: skills in requires and states in not_when", (*linter).preconditions},
		{"branches", "more than 3 branches of the result: success, and each error that is not transient", (*linter).branches},
		{"trigger", "a trigger that stands twice", (*linter).triggers},
		{"similar", "two descriptions with a TF-IDF cosine above --similar", (*linter).similar},
		{"confused", "two skills that a run (--measured) took for each other in over 10 % of at least 10 messages", (*linter).confused},
		{"cycle", "skills that require each other", (*linter).cycles},
		{"repeat", "a write effect that is neither idempotent nor kept from repeats by money: true or a parameter request_id", (*linter).repeats},
		{"version", "a definition that changed without a new version, by skills.lock or --vectors", (*linter).versions},
		{"allow", "a remark \"# lint allow RULE: reason\" that allows nothing", (*linter).allowances},
	}
}

// A Finding is one thing that lint found.
type Finding struct {
	Rule  string `json:"rule"`
	Skill string `json:"skill"`
	File  string `json:"file,omitempty"` // "" for a library without files
	Line  int    `json:"line,omitempty"` // from 1; 0 where File is ""
	What  string `json:"what"`
	Mend  string `json:"mend"`

	Allowed string `json:"allowed,omitempty"` // why the author allows it
}

// String is "path:line: rule: what; how to mend" on one line.
func (f Finding) String() string {
	at := "skill " + line(f.Skill)
	if f.File != "" {
		at = fmt.Sprintf("%s:%d", line(f.File), f.Line)
	}
	return fmt.Sprintf("%s: %s: %s; %s", at, f.Rule, line(f.What), line(f.Mend))
}

// Evidence is what lint may know beside the library. The zero Evidence is none.
type Evidence struct {
	Similar  float64 // limit of the rule similar; 0 is MaxSimilar
	Lock     Lock    // nil: none
	LockFile string  // in findings
	Measured []Confusion
	Vectors  []VectorOf
}

// A Confusion counts the messages of one group of a run for which one skill was
// right and another one, or the same, was decided.
type Confusion struct {
	Group     string // for people: arm, model, …
	Want, Got string
	N         int
}

// A VectorOf says which text of a skill a vector was made of.
type VectorOf struct {
	Skill, Version, Hash string
	File                 string
	Line                 int
}

// Lint returns what is found in a library, by file, line and rule. Allowed are the
// findings that a remark in the definition gives a reason for.
func Lint(l Library, e Evidence) (found, allowed []Finding) {
	e.Similar = cmp.Or(e.Similar, MaxSimilar)
	x := &linter{Library: l, evidence: e, used: map[allowance]bool{}}
	for _, r := range Rules() {
		x.rule = r.Name
		r.find(x)
	}
	for _, list := range [][]Finding{x.found, x.allowed} {
		slices.SortStableFunc(list, func(a, b Finding) int {
			return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Skill, b.Skill))
		})
	}
	return x.found, x.allowed
}

// A linter collects findings.
type linter struct {
	Library
	evidence       Evidence
	rule           string
	found, allowed []Finding
	used           map[allowance]bool
}

// find adds a finding at a dotted key of a definition.
func (x *linter) find(s Skill, key, what, mend string) {
	f := Finding{Rule: x.rule, Skill: s.Name, What: what, Mend: mend}
	file, ok := x.files[s.Name]
	if ok {
		f.File, f.Line = file.path, file.node.Find(key).YAML.Line
	}
	x.add(f)
}

// add adds a finding where no remark allows it.
func (x *linter) add(f Finding) {
	for _, a := range x.files[f.Skill].allowed {
		if a.rule == f.Rule {
			x.used[a] = true
			f.Allowed = a.reason
			x.allowed = append(x.allowed, f)
			return
		}
	}
	x.found = append(x.found, f)
}
