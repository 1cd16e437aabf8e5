package agenttest

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/trial"
)

// formAsksForAction: a step's reply holds an action, and a patch only where
// there is a merge for it.
func (b bench) formAsksForAction() error {
	agent, err := b.agent()
	if err != nil {
		return err
	}
	switch form := agent.Form(); form {
	case model.ActionLine:
	case model.Update, model.Envelope:
		if !b.column.Settings.Stateful() {
			return fmt.Errorf("replies of form %s carry patches, and the defaults have no merge for them", form)
		}
	default:
		return fmt.Errorf("form is %q, which asks for no action: want %s, %s or %s", form, model.ActionLine, model.Update, model.Envelope)
	}
	return nil
}

// instructionsStandOnce: the skill's text is in every prompt once, to the byte,
// in segments of its kind with nothing but their label.
func (b bench) instructionsStandOnce() error {
	want := b.variant.Skill.Instructions
	return b.walk(func(_ harness.View, _ bool, p prompt.Prompt) error {
		if got := strings.TrimPrefix(p.Only(prompt.Instructions), prompt.LabelInstructions); got != want {
			return fmt.Errorf("the instructions are %q, want the skill's to the byte: %q", got, want)
		}
		if n := strings.Count(p.Text(), want); n != 1 {
			return fmt.Errorf("the instructions stand in the prompt %d times, want once", n)
		}
		return nil
	})
}

// contractEnds: every prompt ends with the contract, the same at each step, and
// shows the latest observation once, at retries too.
func (b bench) contractEnds() error {
	first := ""
	return b.walk(func(v harness.View, summary bool, p prompt.Prompt) error {
		contract := p.Only(prompt.Contract)
		if contract == "" || !strings.HasSuffix(p.Text(), contract) {
			text := p.Text()
			return fmt.Errorf("the prompt does not end with its contract; it ends %q", text[max(0, len(text)-80):])
		}
		if summary {
			return nil
		}
		if first == "" {
			first = contract
		}
		if contract != first {
			return fmt.Errorf("the contract is %q, before it was %q", contract, first)
		}
		if n := strings.Count(p.Only(prompt.Observation), v.Observation); n != 1 {
			return fmt.Errorf("the latest observation stands %d times in observation segments, want once", n)
		}
		return nil
	})
}

// viewsDecide: the same views give the same prompts.
func (b bench) viewsDecide() error {
	var texts []string
	err := b.walk(func(_ harness.View, _ bool, p prompt.Prompt) error {
		texts = append(texts, p.Text())
		return nil
	})
	if err != nil {
		return err
	}
	n := 0
	return b.walk(func(_ harness.View, _ bool, p prompt.Prompt) error {
		if n >= len(texts) || p.Text() != texts[n] {
			return errors.New("the same views gave another prompt than the first time")
		}
		n++
		return nil
	})
}

// segmentsStay: a segment that was once in a prompt is never changed.
func (b bench) segmentsStay() error {
	var sent []prompt.Prompt
	var copies [][]prompt.Segment
	err := b.walk(func(_ harness.View, _ bool, p prompt.Prompt) error {
		sent, copies = append(sent, p), append(copies, segments(p))
		return nil
	})
	if err != nil {
		return err
	}
	for n, p := range sent {
		for i, now := range segments(p) {
			if now != copies[n][i] {
				return fmt.Errorf("prompt %d: a later prompt changed its segment %d from %q to %q: append to a section, never write into it", n, i, copies[n][i].Text, now.Text)
			}
		}
	}
	return nil
}

func segments(p prompt.Prompt) []prompt.Segment {
	var list []prompt.Segment
	for s := range p.Segments() {
		list = append(list, s)
	}
	return list
}

// feedbackShows: every violation of a refused attempt, and nothing where there
// was none.
func (b bench) feedbackShows() error {
	return b.walk(func(v harness.View, _ bool, p prompt.Prompt) error {
		shown := p.Only(prompt.Feedback)
		if v.Feedback == nil && shown != "" {
			return fmt.Errorf("nothing was refused, and the feedback is %q", shown)
		}
		for _, violation := range v.Feedback {
			if !strings.Contains(shown, violation.Hint) || !strings.Contains(shown, violation.Path) {
				return fmt.Errorf("the feedback does not show %q: it is %q", violation, shown)
			}
		}
		return nil
	})
}

// hostileTextsPass: nothing that replies and observations may hold breaks a
// prompt.
func (b bench) hostileTextsPass() error {
	agent, err := b.agent()
	if err != nil {
		return err
	}
	var past []record.Turn
	for n, turn := range append(hostileTurns(), record.Turn{}) {
		v := harness.View{Step: n, Observation: "Event.\n", State: b.state(b.variant.Skill.Initial), Past: past}
		if s, ok := agent.(harness.Summarizer); ok {
			if _, due := s.Due(v); due {
				s.Summarized(turn.Reply)
			}
		}
		trial.Inform(agent, v)
		p, err := agent.Prompt(v)
		if err != nil && !errors.Is(err, harness.ErrBudget) {
			return fmt.Errorf("step %d: %w", n, err)
		}
		if !utf8.ValidString(p.Text()) {
			return fmt.Errorf("step %d: the prompt is not valid UTF-8", n)
		}
		past = append(past, turn)
	}
	return nil
}
