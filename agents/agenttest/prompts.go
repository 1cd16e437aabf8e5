package agenttest

import (
	"strings"
	"testing"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// instructions are in every prompt once, to the byte, in segments of their own.
func (b bench) instructions(t *testing.T) {
	p := b.variant.Skill.Instructions
	for n, sent := range b.prompts(t, b.agent(t), b.views()) {
		if got := strings.TrimPrefix(sent.Only(prompt.Instructions), prompt.LabelInstructions); got != p {
			t.Fatalf("prompt %d: its instructions are %q, want the skill's to the byte: %q", n, got, p)
		}
		if times := strings.Count(sent.Text(), p); times != 1 {
			t.Fatalf("prompt %d: the instructions stand in it %d times, want once", n, times)
		}
	}
}

// contract ends every prompt, the same text each time, and the latest
// observation is shown at every attempt.
func (b bench) contract(t *testing.T) {
	agent := b.agent(t)
	var first string
	for _, v := range b.views() {
		sent := b.prompts(t, agent, []harness.View{v})
		p := sent[len(sent)-1]
		contract := p.Only(prompt.Contract)
		if contract == "" || !strings.HasSuffix(p.Text(), contract) {
			t.Fatalf("step %d: the prompt does not end with its contract; it ends %q", v.Step, end(p.Text()))
		}
		if first == "" {
			first = contract
		}
		if contract != first {
			t.Fatalf("step %d: the contract is %q, before it was %q", v.Step, contract, first)
		}
		if n := strings.Count(p.Only(prompt.Observation), v.Observation); n != 1 {
			t.Fatalf("step %d, feedback %v: the latest observation stands %d times in observation segments, want once", v.Step, v.Feedback, n)
		}
	}
}

func end(text string) string { return text[max(0, len(text)-80):] }

// determinism: the same views give the same prompts.
func (b bench) determinism(t *testing.T) {
	one, other := b.prompts(t, b.agent(t), b.views()), b.prompts(t, b.agent(t), b.views())
	if len(one) != len(other) {
		t.Fatalf("the same views gave %d prompts and %d", len(one), len(other))
	}
	for n := range one {
		if one[n].Text() != other[n].Text() {
			t.Fatalf("prompt %d: the same views gave two texts, of %d and %d bytes", n, len(one[n].Text()), len(other[n].Text()))
		}
	}
}

// immutable: a segment that was once in a prompt is never changed, and each
// prompt can be told as the difference from the one before.
func (b bench) immutable(t *testing.T) {
	agent := b.agent(t)
	var sent []prompt.Prompt
	var copies [][]prompt.Segment
	for _, v := range b.views() {
		for _, p := range b.prompts(t, agent, []harness.View{v}) {
			sent = append(sent, p)
			copies = append(copies, segments(p))
		}
	}
	for n, p := range sent {
		for i, now := range segments(p) {
			if now != copies[n][i] {
				t.Fatalf("prompt %d: a later prompt changed segment %d of it from %q to %q: append to a section, never write into it", n, i, copies[n][i].Text, now.Text)
			}
		}
	}
}

func segments(p prompt.Prompt) []prompt.Segment {
	var list []prompt.Segment
	for s := range p.Segments() {
		list = append(list, s)
	}
	return list
}

// feedback shows every violation of the refused attempt, and only then.
func (b bench) feedback(t *testing.T) {
	agent := b.agent(t)
	for _, v := range b.views() {
		sent := b.prompts(t, agent, []harness.View{v})
		shown := sent[len(sent)-1].Only(prompt.Feedback)
		if (shown == "") != (v.Feedback == nil) {
			t.Fatalf("step %d: feedback segments hold %q after %d violations", v.Step, shown, len(v.Feedback))
		}
		for _, violation := range v.Feedback {
			if !strings.Contains(shown, violation.Hint) || !strings.Contains(shown, violation.Path) {
				t.Errorf("step %d: the feedback does not show %q: %q", v.Step, violation, shown)
			}
		}
	}
}

// hostile: nothing that replies and observations may hold breaks a prompt.
func (b bench) hostile(t *testing.T) {
	agent := b.agent(t)
	var past []record.Turn
	for n, turn := range append(hostileTurns(), record.Turn{}) {
		v := harness.View{Step: n, Observation: "Event.\n", State: b.state(b.variant.Skill.Initial), Past: past}
		if s, ok := agent.(harness.Summarizer); ok {
			if _, due := s.Due(v); due {
				s.Summarized(turn.Reply)
			}
		}
		if p, err := agent.Prompt(v); err == nil && !utf8.ValidString(p.Text()) {
			t.Errorf("step %d: the prompt is not valid UTF-8", n)
		} else if err != nil && err != harness.ErrBudget {
			t.Errorf("step %d: Prompt: %s", n, err)
		}
		past = append(past, turn)
	}
}
