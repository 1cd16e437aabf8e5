package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/transition"
)

// Masked shows every past reply, and in place of all but the newest past
// observations a remark, as coding agents commonly do. Five stay by default,
// the number that SWE-agent's history processor keeps.
func Masked() harness.Strategy {
	return harness.Strategy{
		Name: "masked",
		Doc:  "react, with observations older than `keep` steps replaced by a remark; replies stay",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartHistory, harness.PartObservation},
			Keep:   5,
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newMasked,
	}
}

// masked keeps the turns without observations apart, so that they too only grow.
type masked struct {
	*layout
	bare        transcript
	placeholder string
}

func newMasked(s harness.Setup) (harness.Agent, error) {
	l, err := newLayout(s, model.ActionLine)
	if err != nil {
		return nil, err
	}
	m := &masked{layout: l, placeholder: s.Templates.Text("masked", harness.Wording{})}
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{harness.PartHistory: m.history}
	return m, nil
}

func (m *masked) history(v harness.View) prompt.Prompt {
	old := max(0, len(v.Past)-m.setup.Settings.Keep)
	for _, turn := range v.Past[m.bare.turns:max(old, m.bare.turns)] {
		m.bare.add(record.Turn{Step: turn.Step, Observation: m.placeholder, Reply: turn.Reply, Action: turn.Action})
	}
	return prompt.Prompt{
		label(prompt.History, prompt.LabelHistory),
		m.bare.segments[:perTurn*old],
		m.transcript.since(old, v.Past),
	}
}
