package harness

import (
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/tokens"
)

// An Agent is a context strategy: it decides what of the past the model sees.
// An agent serves one episode. It may cache, but what it returns depends only
// on what it was given; a resumed run checks that by the hash of every prompt.
type Agent interface {
	// Prompt is what the model is asked at this step. An error ends the
	// episode; ErrBudget ends it as budget_infeasible.
	Prompt(View) (prompt.Prompt, error)

	// Form is the reply form that the contract in the prompt asks for.
	Form() model.Form
}

// A View is all that the loop shows a strategy.
type View struct {
	Step        int
	Observation string            // O_t; ends in a newline
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

// An Inquirer is a strategy that has a model say how likely texts are. The loop
// asks before each step's first prompt, behind any summary, until nothing is
// due.
type Inquirer interface {
	// Ask returns a prompt whose last section is to be judged, or false when
	// nothing is due.
	Ask(View) (prompt.Prompt, bool)

	// Told takes the scores of that section; their bytes add up to it.
	Told(record.Scores)
}

// A Governor is a strategy whose runtime judges each accepted action before it
// reaches the world. It calls no model. In a teacher world it is not asked,
// because what the model says is not what happens there.
type Governor interface {
	Govern(v View, action string) record.Verdict
}

// A Commander is a Governor with commands beside the task's own. They never
// reach a world, which must be an Answerer for them to be accepted.
type Commander interface {
	Governor

	// Command reports whether an action is a command of the strategy's own, and
	// why it is no right one.
	Command(action string) (own bool, err error)
}

// A Player acts without a model: a floor, or the oracle.
type Player interface {
	Play(o record.Observation, truth state.Object) string
}

// A Strategy is the registration of an Agent: a documented value. Add one to
// the list in cmd/skillbench; see README for a complete example.
type Strategy struct {
	Name     string
	Doc      string   // one line for `skillbench list`
	Defaults Settings // its keys in an experiment file, with their defaults
	Promises []string // invariants that it keeps, by their names in package check
	Breaks   []string // invariants that it must break: a check that it passes finds nothing
	Player   bool     // it calls no model
	New      func(Setup) (Agent, error)
}

// A Setup is what a strategy is built from, once per episode.
type Setup struct {
	Skill     Skill
	Settings  Settings
	Templates Templates
	Encoding  *tokens.Encoding // for budgets in tokens
	Task      Task
	Spec      Spec // of the episode; for floors that draw or know the task's own keys
}

// ErrBudget says that P, the contract and the latest observation alone exceed
// the budget. They are never cut.
var ErrBudget = budgetError{}

type budgetError struct{}

func (budgetError) Error() string {
	return "the budget is smaller than instructions, contract and observation together"
}
