package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// SkillState shows exactly P, Σ_t and O_t (paper section 3). Patches are
// validated with the action before either takes effect.
func SkillState() harness.Strategy {
	return harness.Strategy{
		Name: "skillstate",
		Doc:  "instructions, the validated state, the latest observation; nothing else of the past",
		Defaults: harness.Settings{
			Order:    []harness.Part{harness.PartInstructions, harness.PartState, harness.PartObservation},
			Merge:    state.Deep,
			Told:     true,
			Validate: true,
			Commit:   harness.BeforeAction,
			Render:   harness.Compact,
			MaxChars: 20_000,
			Retry:    2,
			Repair:   transition.Strict,
			Wire:     model.Fenced,
		},
		Promises: []string{check.NoHistoryLeak, check.InvalidPatchRollback, check.ResumeRoundTrip, check.BoundedPromptGrowth},
		New: func(s harness.Setup) (harness.Agent, error) {
			l, err := newLayout(s, model.Envelope)
			if err != nil {
				return nil, err
			}
			l.stateLabel, l.fence = prompt.LabelSkillState, true
			return l, nil
		},
	}
}
