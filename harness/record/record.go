// Package record holds the nouns that are written down: what was observed,
// what the model replied, what it meant, and what became of it. Each exists
// once, from the loop that makes it to the report that reads it.
package record

import "skillbench/harness/state"

// None is the action of a missed step: no attempt at it was accepted.
const None = "none"

// An Observation is what the environment shows at one step, and what the
// harness knows about it that the model is not told.
type Observation struct {
	Text  string `json:"-"` // O_t as the model reads it, noise included; ends in a newline
	Later string `json:"-"` // how the prompts of later steps may show it, where they must not repeat all of it; "": as Text

	Step       int    `json:"step"`
	Kind       string `json:"kind"`                 // the event in the task's words: receive, order, …
	Item       string `json:"item,omitempty"`       // what the event is about; the same whatever the strategy
	Oracle     string `json:"oracle"`               // a right action in this agent's world now
	Age        *int   `json:"age,omitempty"`        // steps since the fact it asks for was last observed; nil where it asks for none
	Load       int    `json:"load"`                 // facts that hold in this agent's world now (warehouse: occupied shelves)
	Free       bool   `json:"free,omitempty"`       // does not consume the horizon: open event; see also Outcome.Free
	Impossible bool   `json:"impossible,omitempty"` // an earlier miss left no right action; counts as missed
	Drift      string `json:"drift,omitempty"`      // the drift this step alerts to or waits for; "" for none
	Announced  int    `json:"announced,omitempty"`  // how often the open event has been announced, from 1
	Probe      string `json:"probe,omitempty"`      // the kind of probe that scores this step, in the task's words; "" for none
	Delay      int    `json:"delay,omitempty"`      // the probe's steps between a fact and the first step that depends on it

	Silent *state.Object `json:"silent,omitempty"` // change of the world since the last action that nothing announced, as a patch
}

// A Move is what a reply means: one action and, for state strategies, one
// proposed patch.
type Move struct {
	Action string        `json:"action"`
	Patch  *state.Object `json:"patch,omitempty"` // nil: none was proposed
	Flags  []string      `json:"flags,omitempty"` // blocks_disagree, repaired, resend
}

// A Transition is the judgement on one attempt at a step: accepted, or refused
// for the violations found. The first violation carries the primary class.
type Transition struct {
	Step       int               `json:"step"`
	Attempt    int               `json:"attempt"`
	Move       Move              `json:"move"`
	Violations []state.Violation `json:"violations,omitempty"`
}

// Accepted reports whether the transition was taken.
func (t Transition) Accepted() bool { return len(t.Violations) == 0 }

// An Outcome is what became of an action.
type Outcome struct {
	Valid   bool   `json:"valid"`          // the world accepted it
	Correct bool   `json:"correct"`        // it was right in this agent's world at that moment
	Result  string `json:"result"`         // the line that opens the next observation
	Used    string `json:"used,omitempty"` // which fact it rested on after a drift: current or obsolete
	Free    bool   `json:"free,omitempty"` // a read: it answered no event, which the next observation announces again; the step does not count

	Routing   *Routing   `json:"routing,omitempty"`   // of tasks that choose among skills
	Execution *Execution `json:"execution,omitempty"` // of tasks that run skills

	World *state.Object `json:"world,omitempty"` // what the step changed in the world, its event's announcement included, as a patch in the state schema's terms
}

// An Act is one finished step.
type Act struct {
	Observation Observation `json:"observation"`
	Action      string      `json:"action"`
	Outcome     Outcome     `json:"outcome"`
	Oracle      *Outcome    `json:"oracle,omitempty"`  // teacher world: what the world really did, the oracle's action; Outcome is then a judgement only
	State       string      `json:"state,omitempty"`   // hash of Σ as the reply left it; "" for strategies without one
	Looks       string      `json:"looks,omitempty"`   // reads, searches or checks: what the task says of an action that only looks
	Verdict     *Verdict    `json:"verdict,omitempty"` // what the strategy's own runtime made of the action; nil: it let it run
}

// A Verdict is what the runtime of a strategy decides on an accepted action
// before it reaches the world. The zero value lets it run.
type Verdict struct {
	Ruling  Ruling   `json:"ruling"`
	Text    string   `json:"text"`              // what the next observation says of it; one line or more
	Step    int      `json:"step,omitzero"`     // of the earlier result that it rests on
	Skipped *Outcome `json:"skipped,omitempty"` // what an action that was not run would have brought; shown to nobody
}

// A Ruling is the kind of a verdict.
type Ruling string

const (
	Allow  Ruling = ""       // run it
	Reuse  Ruling = "reuse"  // do not run it: the prompt still has its result
	Nudge  Ruling = "nudge"  // run it, with a remark
	Recall Ruling = "recall" // a command of the strategy's own, answered by its runtime
)

// Answers reports whether the verdict takes the place of running the action.
func (v Verdict) Answers() bool { return v.Ruling == Reuse || v.Ruling == Recall }

// A Turn is one finished step as strategies may see it.
type Turn struct {
	Step        int
	Observation string // O_t
	Reply       string // the accepted reply; "" where the step was missed
	Action      string // the action executed, or None
	Valid       bool   // the world accepted it
	Ruling      Ruling // of the verdict on it
}
