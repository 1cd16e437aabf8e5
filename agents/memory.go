package agents

import (
	"fmt"
	"strings"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/transition"
)

// Memory shows a summary that the model writes of older turns, and the recent
// turns in full (the paper's Memory runtime).
func Memory() harness.Strategy {
	return harness.Strategy{
		Name: "memory",
		Doc:  "instructions, a running summary by the model, the last turns, the latest observation",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartSummary, harness.PartHistory, harness.PartObservation},
			Memory: harness.Rewrite,
			Recent: 3,
			Fold:   3,
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newMemory,
	}
}

// memory folds turns into its summary once Fold more than Recent have gathered.
type memory struct {
	*layout
	summary []prompt.Segment // after its label; grows by append in append mode
	folded  int              // turns that the summary covers
	folding int              // turns that it will cover after the call under way
}

func newMemory(s harness.Setup) (harness.Agent, error) {
	l, err := newLayout(s, model.ActionLine, harness.PartSummary)
	if err != nil {
		return nil, err
	}
	if s.Settings.Memory == "" {
		return nil, fmt.Errorf("memory: want %q or %q, got nothing", harness.Rewrite, harness.Append)
	}
	m := &memory{layout: l}
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartSummary: func(harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.Summary, prompt.LabelSummary), m.summary}
		},
		harness.PartHistory: func(v harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelRecent), m.transcript.since(m.folded, v.Past)}
		},
	}
	return m, nil
}

// Due asks for a summary of the turns that are no longer recent.
func (m *memory) Due(v harness.View) (prompt.Prompt, bool) {
	if !m.due(v) {
		return nil, false
	}
	m.folding = len(v.Past) - m.setup.Settings.Recent
	return m.request(v, m.folded, m.folding, m.summary), true
}

func (m *memory) due(v harness.View) bool {
	s := m.setup.Settings
	return len(v.Past)-m.folded >= s.Recent+max(s.Fold, 1)
}

// request asks for a summary of the turns from first to end. In append mode the
// summary so far is not shown: the reply is added to it.
func (m *memory) request(v harness.View, first, end int, summary []prompt.Segment) prompt.Prompt {
	mode := m.setup.Settings.Memory
	p := prompt.Prompt{m.instructions}
	if mode == harness.Rewrite {
		p = append(p, label(prompt.Summary, prompt.LabelSummary), summary)
	}
	turns := m.transcript.since(first, v.Past)[:perTurn*(end-first)]
	request := section(prompt.Contract, prompt.LabelContract, m.setup.Templates.Text("summary."+string(mode), harness.Wording{}))
	return append(p, label(prompt.History, prompt.LabelHistory), turns, request)
}

// Summarized takes the summary. Whatever the model wrote stands, an empty reply
// too: the turns are gone from view.
func (m *memory) Summarized(reply string) {
	text := strings.TrimSpace(transition.Visible(reply)) + "\n"
	segment := prompt.Segment{Kind: prompt.Summary, From: 0, To: m.folding - 1, Text: text}
	if m.setup.Settings.Memory == harness.Append {
		segment.From = m.folded
		m.summary = append(m.summary, segment)
	} else {
		m.summary = []prompt.Segment{segment}
	}
	m.folded = m.folding
}
