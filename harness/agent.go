package harness

import (
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// An Agent is a context strategy: it decides what of the past the model sees.
// An agent serves one episode. It may cache, but what it returns depends only
// on what it was given; a resumed run checks that by the hash of every prompt.
type Agent interface {
	// Prompt is what the model is asked at this step.
	Prompt(View) prompt.Prompt

	// Form is the reply form that the contract in the prompt asks for.
	Form() model.Form
}

// A View is all that the loop shows a strategy.
type View struct {
	Step        int
	Observation string            // O_t
	State       state.Object      // Σ_t
	Past        []record.Turn     // every finished step, oldest first; grows by append only
	Feedback    []state.Violation // why the last attempt at this step was refused; nil at the first
}

// A Summarizer is a strategy that has the model rewrite what it keeps of the
// past. The loop asks before each step's first prompt.
type Summarizer interface {
	// Due returns the prompt of a summary call, or false when none is due.
	Due(View) (prompt.Prompt, bool)

	// Summarized takes the reply to it.
	Summarized(reply string)
}

// A Governor judges an action before it is executed.
type Governor interface {
	Govern(View, record.Move) Verdict
}

// A Verdict on an action. The zero Verdict lets it pass.
type Verdict struct {
	Rule   string // reuse, nudge, recall; "" allows
	Answer string // the next observation's result line where the action is answered without the world
	Remark string // appended to the next observation where the action ran
	Skip   bool   // do not execute: Answer is the result
}

// A Strategy is the registration of an Agent: a documented value.
type Strategy struct {
	Name     string
	Doc      string // one line for `skillbench list`
	Promises []string // the invariants it promises, by the names in package check
	Stateful bool     // it keeps Σ: replies carry patches
	New      func(Setup) (Agent, error)
}
