package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// Stateful shows a state beside the whole past (the paper's LangGraph-style
// runtime). Its updates replace top-level keys and are not validated.
func Stateful() harness.Strategy {
	return harness.Strategy{
		Name: "stateful",
		Doc:  "instructions, the state, the full history, the latest observation",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartState, harness.PartHistory, harness.PartObservation},
			Merge:  state.Shallow,
			Told:   true,
			Commit: harness.BeforeAction,
			Render: harness.Indent2,
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New: func(s harness.Setup) (harness.Agent, error) {
			return newLayout(s, model.Update)
		},
	}
}
