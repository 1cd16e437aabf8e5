package record

// Execution is what a runtime of skills did in one step. What it changed is told
// by the back office that the changes were made in, which knows what was asked
// for and sees nothing of the runtime's own books.
type Execution struct {
	Request string `json:"request,omitempty"` // that the event is about
	Fault   string `json:"fault,omitempty"`   // that the script holds ready for it, from the step that hands it in; "" for none

	Harms map[Harm]Count `json:"harms,omitempty"` // of this step; one with nothing to count is left out

	Replaced Count `json:"replaced,omitzero"` // plans of the model whose place a fixed flow took, of plans handed in
	Latency  Count `json:"latency,omitzero"`  // calls of skills that ended between an order to cancel and its taking effect, of cancellations
	Settled  Count `json:"settled,omitzero"`  // virtual milliseconds from ticket to end, of tickets that ended

	Planted Planted `json:"planted,omitzero"` // values that the back office put into results in this step
}

// A Count is a part of a whole, or a sum and the number of what was added up.
type Count struct {
	N  int `json:"n"`
	Of int `json:"of"`
}

// Plus adds two counts.
func (c Count) Plus(o Count) Count { return Count{c.N + o.N, c.Of + o.Of} }

// Planted are values that each occur once in all results, by the class of the
// field that holds them. They are looked for in prompts.
type Planted struct {
	Keep []string `json:"keep,omitempty"` // may stand in prompts
	Now  []string `json:"now,omitempty"`  // may stand in the prompts of one step
	Drop []string `json:"drop,omitempty"` // may stand in none
}

// A Harm is something that a runtime should prevent. What its count is a part of
// stands behind it.
type Harm string

const (
	Duplicate    Harm = "duplicate"     // effects applied again: of effects
	Unasked      Harm = "unasked"       // effects that no request asks for: of effects
	Unprepared   Harm = "unprepared"    // effects before what they require: of effects that require something
	PlannedMoney Harm = "planned_money" // effects that cost money, run by a model's plan: of effects that cost money
	BadPlan      Harm = "bad_plan"      // unsound plans that were run: of unsound plans
	Wasted       Harm = "wasted"        // retries after an error that no retry mends: of retries
	Undetected   Harm = "undetected"    // writes to a slot that changed since it was read: of such conflicts
	Undeclared   Harm = "undeclared"    // writes to a slot that the skill does not declare: of those it tried
	FalseSuccess Harm = "false_success" // answers without effect taken for success: of such answers
	Disabled     Harm = "disabled"      // switches of a skill in mid-run behind which it still had effects: of such switches
	Outdated     Harm = "outdated"      // effects by an old version of a skill: of lookups in an index that lags
	HalfDone     Harm = "half_done"     // cancellations that left an effect nobody noted: of cancellations
	Redone       Harm = "redone"        // calls run again though their effect was there: of calls after a resumption
	Disorder     Harm = "disorder"      // events lost or taken out of turn: of events
	Unbounded    Harm = "unbounded"     // results beyond the bound shown whole: of results beyond it
)

// Harms lists every harm in the order in which reports show them.
func Harms() []Harm {
	return []Harm{Duplicate, Unasked, Unprepared, PlannedMoney, BadPlan, Wasted, Undetected, Undeclared,
		FalseSuccess, Disabled, Outdated, HalfDone, Redone, Disorder, Unbounded}
}
