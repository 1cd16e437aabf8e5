package agents

import (
	"fmt"
	"slices"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
)

// A layout makes prompts from the sections that Settings.Order names. It is
// all of react, stateful and skillstate, and the ground of the others.
type layout struct {
	setup        harness.Setup
	form         model.Form
	stateLabel   string
	fence        bool // Σ stands in a json fence
	instructions []prompt.Segment
	contract     []prompt.Segment
	transcript   transcript
	parts        map[harness.Part]func(harness.View) prompt.Prompt // sections of strategies built on the layout
}

// newLayout takes the parts that the strategy adds to those of every layout.
func newLayout(s harness.Setup, form model.Form, own ...harness.Part) (*layout, error) {
	l := &layout{
		setup:        s,
		form:         form,
		stateLabel:   prompt.LabelState,
		instructions: section(prompt.Instructions, prompt.LabelInstructions, s.Skill.Instructions),
		contract:     section(prompt.Contract, prompt.LabelContract, contractText(s, form)),
	}
	if s.Skill.Catalogue != "" {
		l.instructions = append(l.instructions, section(prompt.Catalogue, prompt.LabelCatalogue, s.Skill.Catalogue)...)
	}
	known := append([]harness.Part{harness.PartInstructions, harness.PartState, harness.PartHistory, harness.PartObservation}, own...)
	for _, p := range s.Settings.Order {
		if !slices.Contains(known, p) {
			return nil, fmt.Errorf("order: this strategy has no %s; want some of %q", p, known)
		}
		if p == harness.PartState && !s.Settings.Stateful() {
			return nil, fmt.Errorf("order: a strategy without a merge has no state to show")
		}
	}
	return l, nil
}

// section is a label and a text of no step.
func section(kind prompt.Kind, label, text string) []prompt.Segment {
	return []prompt.Segment{prompt.Label(kind, label), prompt.Label(kind, text)}
}

// contractText asks for the reply form; for state strategies it shows the
// state's shape and, where told, the merge rule.
func contractText(s harness.Setup, form model.Form) string {
	w := harness.Wording{Shape: s.Skill.Shape()}
	if s.Settings.Told && s.Settings.Stateful() {
		w.Merge = s.Templates.Line("merge." + string(s.Settings.Merge))
	}
	return s.Templates.Text(contractName(s, form), w)
}

// contractName is the template of the contract. An envelope's depends on how it
// travels.
func contractName(s harness.Setup, form model.Form) string {
	wire := s.Settings.Wire
	if form == model.Envelope && wire != "" && wire != model.Fenced {
		return "contract." + string(wire)
	}
	return "contract." + string(form)
}

// Form is the reply form of the contract.
func (l *layout) Form() model.Form { return l.form }

// Prompt lays out the sections in their order; feedback and contract end it.
func (l *layout) Prompt(v harness.View) (prompt.Prompt, error) {
	var p prompt.Prompt
	for _, part := range l.setup.Settings.Order {
		if own, ok := l.parts[part]; ok {
			p = append(p, own(v)...)
			continue
		}
		switch part {
		case harness.PartInstructions:
			p = append(p, l.instructions)
		case harness.PartState:
			p = append(p, l.state(v))
		case harness.PartHistory:
			p = append(p, label(prompt.History, prompt.LabelHistory), l.transcript.upTo(v.Past))
		case harness.PartObservation:
			p = append(p, latest(v))
		default:
			return nil, fmt.Errorf("order: this strategy has no %s", part)
		}
	}
	if len(v.Feedback) > 0 {
		text := l.setup.Templates.Text("feedback", harness.Wording{Violations: v.Feedback})
		p = append(p, []prompt.Segment{prompt.Label(prompt.Feedback, prompt.LabelFeedback), prompt.Of(prompt.Feedback, v.Step, text)})
	}
	return append(p, l.contract), nil
}

func label(kind prompt.Kind, text string) []prompt.Segment {
	return []prompt.Segment{prompt.Label(kind, text)}
}

func latest(v harness.View) []prompt.Segment {
	return []prompt.Segment{prompt.Label(prompt.Observation, prompt.LabelLatest), prompt.Of(prompt.Observation, v.Step, v.Observation)}
}

// state shows Σ_t. It is part of the present, not of any step.
func (l *layout) state(v harness.View) []prompt.Segment {
	text := l.setup.Settings.Render.Text(v.State)
	if l.fence {
		text = "```json\n" + text + "\n```"
	}
	return section(prompt.State, l.stateLabel, text+"\n")
}
