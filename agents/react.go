package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/transition"
)

// React shows the whole past at every step (the paper's Prompt runtime).
func React() harness.Strategy {
	return harness.Strategy{
		Name: "react",
		Doc:  "instructions, the full history, the latest observation",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartHistory, harness.PartObservation},
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		Breaks:   []string{check.NoHistoryLeak, check.BoundedPromptGrowth},
		New: func(s harness.Setup) (harness.Agent, error) {
			return newLayout(s, model.ActionLine)
		},
	}
}
