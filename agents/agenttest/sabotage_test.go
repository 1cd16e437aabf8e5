package agenttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
)

// plain is the smallest strategy that passes: it shows the past as history.
type plain struct {
	setup   harness.Setup
	history []prompt.Segment
	spoil   func(*plain, harness.View, prompt.Prompt) prompt.Prompt
	form    model.Form
}

func (a *plain) Form() model.Form { return a.form }

func (a *plain) Prompt(v harness.View) (prompt.Prompt, error) {
	for n := len(a.history); n < len(v.Past); n++ {
		a.history = append(a.history, prompt.Of(prompt.History, n, v.Past[n].Observation+v.Past[n].Reply+"\n"))
	}
	p := prompt.Prompt{
		{prompt.Label(prompt.Instructions, prompt.LabelInstructions+a.setup.Skill.Instructions)},
		a.history,
		{prompt.Of(prompt.Observation, v.Step, v.Observation)},
	}
	if v.Feedback != nil {
		text := ""
		for _, violation := range v.Feedback {
			text += violation.Path + ": " + violation.Hint + "\n"
		}
		p = append(p, []prompt.Segment{prompt.Of(prompt.Feedback, v.Step, text)})
	}
	p = append(p, []prompt.Segment{prompt.Label(prompt.Contract, "End with a line\nAction: <command>\n")})
	if a.spoil != nil {
		p = a.spoil(a, v, p)
	}
	return p, nil
}

func strategy(form model.Form, spoil func(*plain, harness.View, prompt.Prompt) prompt.Prompt) harness.Strategy {
	return harness.Strategy{
		Name:     "plain",
		Doc:      "instructions, history, observation",
		Defaults: harness.Settings{Order: []harness.Part{harness.PartInstructions, harness.PartObservation}, Retry: 1},
		New: func(s harness.Setup) (harness.Agent, error) {
			return &plain{setup: s, form: form, spoil: spoil}, nil
		},
	}
}

func TestPlain(t *testing.T) {
	t.Parallel()
	Run(t, strategy(model.ActionLine, nil))
}

func with(kind prompt.Kind, text string) func(*plain, harness.View, prompt.Prompt) prompt.Prompt {
	return func(_ *plain, _ harness.View, p prompt.Prompt) prompt.Prompt {
		return slices.Insert(p, 1, []prompt.Segment{prompt.Label(kind, text)})
	}
}

// Each property catches a strategy that lacks it.
func TestSabotage(t *testing.T) {
	t.Parallel()
	calls := 0 // of all agents, which is the fault
	for name, test := range map[string]struct {
		spoil    func(*plain, harness.View, prompt.Prompt) prompt.Prompt
		property string
		says     string
	}{
		"more instructions": {with(prompt.Instructions, "Be quick.\n"), "instructions", "to the byte"},
		"doubled": {func(a *plain, _ harness.View, p prompt.Prompt) prompt.Prompt {
			return with(prompt.History, a.setup.Skill.Instructions)(a, harness.View{}, p)
		}, "instructions", "2 times"},
		"text after the contract": {func(_ *plain, _ harness.View, p prompt.Prompt) prompt.Prompt {
			return append(p, []prompt.Segment{prompt.Label(prompt.History, "PS.\n")})
		}, "contract", "does not end with its contract"},
		"contract by step": {func(_ *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			return append(p, []prompt.Segment{prompt.Label(prompt.Contract, fmt.Sprintf("Step %d.\n", v.Step))})
		}, "contract", "before it was"},
		"retry without observation": {func(_ *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			if v.Feedback != nil {
				return slices.Delete(p, 2, 3)
			}
			return p
		}, "contract", "stands 0 times"},
		"memory of the process": {func(_ *plain, _ harness.View, p prompt.Prompt) prompt.Prompt {
			calls++
			return with(prompt.History, fmt.Sprintf("Call %d.\n", calls))(nil, harness.View{}, p)
		}, "determinism", "another prompt than the first time"},
		"written in place": {func(a *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			if len(a.history) > 0 {
				a.history[0].Text = fmt.Sprintf("(%d turns ago)\n", len(v.Past))
			}
			return p
		}, "immutable", "never write into it"},
		"written in place, journal": {func(a *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			if len(a.history) > 0 {
				a.history[0].Text = fmt.Sprintf("(%d turns ago)\n", len(v.Past))
			}
			return p
		}, "journal", "another prompt than was sent"},
		"no feedback": {func(_ *plain, _ harness.View, p prompt.Prompt) prompt.Prompt {
			return slices.DeleteFunc(p, func(s []prompt.Segment) bool { return len(s) > 0 && s[0].Kind == prompt.Feedback })
		}, "feedback", "does not show"},
		"endless feedback": {with(prompt.Feedback, "Mind the rules.\n"), "feedback", "nothing was refused"},
		"cut in a rune": {func(_ *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			if n := len(v.Past); n > 0 && len(v.Past[n-1].Reply) > 1000 {
				return with(prompt.History, v.Past[n-1].Reply[:1000])(nil, v, p)
			}
			return p
		}, "hostile", "not valid UTF-8"},
		"panic": {func(_ *plain, v harness.View, p prompt.Prompt) prompt.Prompt {
			return with(prompt.History, string(v.Past[0].Reply[0]))(nil, v, p)
		}, "hostile", "panic"},
	} {
		t.Run(name, func(t *testing.T) {
			try(t, strategy(model.ActionLine, test.spoil), test.property, test.says)
		})
	}
	try(t, strategy(model.Envelope, nil), "form", "no merge")
}

func try(t *testing.T, s harness.Strategy, property, says string) {
	t.Helper()
	if s.Defaults.Retry == 0 {
		t.Fatal("want retries")
	}
	tally, err := Tally()
	if err != nil {
		t.Fatal(err)
	}
	b, err := newBench(s, tally)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range properties() {
		if p.name != property {
			continue
		}
		if err := b.try(p, t.TempDir()); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: want an error that says %q, got %v", property, says, err)
		}
		return
	}
	t.Fatalf("no property %q", property)
}

func TestRegistration(t *testing.T) {
	t.Parallel()
	s := strategy(model.ActionLine, nil)
	s.Promises = []string{"no_leaks"}
	if err := registration(s); err == nil || !strings.Contains(err.Error(), "no_leaks") {
		t.Errorf("want an error that names the promise, got %v", err)
	}
	s.Doc = ""
	if err := registration(s); err == nil {
		t.Error("want an error for a strategy without Doc")
	}
}
