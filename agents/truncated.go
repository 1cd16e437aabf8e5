package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/transition"
)

// Truncated shows as many of the newest turns as the budget holds (paper tables
// 5 and 11).
func Truncated() harness.Strategy {
	return harness.Strategy{
		Name: "truncated",
		Doc:  "react within a budget: the oldest turns are dropped",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartHistory, harness.PartObservation},
			Budget: harness.Budget{Chars: DefaultBudget},
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newTruncated,
	}
}

type truncated struct {
	*layout
	budget
	turns int // shown by the prompt being made
}

func newTruncated(s harness.Setup) (harness.Agent, error) {
	l, err := newLayout(s, model.ActionLine)
	if err != nil {
		return nil, err
	}
	t := &truncated{layout: l}
	if t.budget, err = newBudget(s); err != nil {
		return nil, err
	}
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartHistory: func(v harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelHistory), l.transcript.since(len(v.Past)-t.turns, v.Past)}
		},
	}
	return t, nil
}

// Prompt fills the budget.
func (t *truncated) Prompt(v harness.View) (prompt.Prompt, error) {
	t.transcript.upTo(v.Past)
	return t.fit(t.newest(&t.transcript, 0, len(v.Past)), 0, func(turns, _ int) (prompt.Prompt, error) {
		t.turns = turns
		return t.layout.Prompt(v)
	})
}
