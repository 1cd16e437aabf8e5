// Package agenttest holds any context strategy to what the harness and its
// readers rely on. Call Run from a test of your own:
//
//	func TestStrategy(t *testing.T) { agenttest.Run(t, mine.Strategy()) }
package agenttest

import (
	"slices"
	"testing"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
	"skillbench/harness/trial"
)

// horizon of the episodes in which promises are tried.
const horizon = 24

// Run tests a strategy with its default settings on each task given, or on Tally
// where none is. A promise that does not hold fails the test with the evidence;
// how the strategy stands to what it does not promise is logged.
func Run(t *testing.T, s harness.Strategy, on ...harness.Variant) {
	t.Helper()
	t.Run("registration", func(t *testing.T) { registration(t, s) })
	if t.Failed() || s.Player {
		return
	}
	if len(on) == 0 {
		tally, err := Tally()
		if err != nil {
			t.Fatal(err)
		}
		on = append(on, tally)
	}
	for _, variant := range on {
		column := harness.Column{Name: s.Name, Strategy: s, Settings: s.Defaults}
		tried, err := trial.New(kit(), column, variant, horizon)
		if err != nil {
			t.Fatal(err)
		}
		b := bench{strategy: s, variant: variant, trial: tried}
		t.Run(variant.Name, func(t *testing.T) {
			for name, test := range map[string]func(*testing.T){
				"form":         b.form,
				"instructions": b.instructions,
				"contract":     b.contract,
				"determinism":  b.determinism,
				"immutable":    b.immutable,
				"journal":      b.journal,
				"feedback":     b.feedback,
				"hostile":      b.hostile,
				"promises":     b.promises,
			} {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					test(t)
				})
			}
		})
	}
}

func kit() harness.Kit { return harness.Kit{Files: configs.FS} }

func registration(t *testing.T, s harness.Strategy) {
	if s.Name == "" || s.Doc == "" || s.New == nil {
		t.Fatalf("strategy %q lacks Name, Doc or New", s.Name)
	}
	if err := s.Defaults.Check(); err != nil {
		t.Errorf("defaults: %s", err)
	}
	for _, promise := range s.Promises {
		if !slices.Contains(check.Names(), promise) {
			t.Errorf("promise %q is no invariant: want some of %q", promise, check.Names())
		}
	}
}

// A bench is a strategy on a task.
type bench struct {
	strategy harness.Strategy
	variant  harness.Variant
	trial    *trial.Trial
}

func (b bench) agent(t testing.TB) harness.Agent {
	agent, err := b.strategy.New(b.trial.Setup())
	if err != nil {
		t.Fatalf("New: %s", err)
	}
	return agent
}

// prompts shows an agent all views in turn, as the loop would, and returns what
// it asks, summaries among it.
func (b bench) prompts(t testing.TB, agent harness.Agent, views []harness.View) []prompt.Prompt {
	var all []prompt.Prompt
	for _, v := range views {
		if s, ok := agent.(harness.Summarizer); ok && v.Feedback == nil {
			if p, due := s.Due(v); due {
				all = append(all, p)
				s.Summarized("Summary up to here.")
			}
		}
		all = append(all, b.prompt(t, agent, v))
	}
	return all
}

func (b bench) prompt(t testing.TB, agent harness.Agent, v harness.View) prompt.Prompt {
	p, err := agent.Prompt(v)
	if err != nil {
		t.Fatalf("step %d: Prompt: %s", v.Step, err)
	}
	return p
}

func (b bench) form(t *testing.T) {
	switch form := b.agent(t).Form(); form {
	case model.ActionLine:
	case model.Update, model.Envelope:
		if !b.strategy.Defaults.Stateful() {
			t.Errorf("replies of form %s carry patches, and the defaults have no merge for them", form)
		}
	default:
		t.Errorf("Form is %q, which asks for no action: want %s, %s or %s", form, model.ActionLine, model.Update, model.Envelope)
	}
}

// state shows Σ only to strategies that have one.
func (b bench) state(o state.Object) state.Object {
	if b.strategy.Defaults.Stateful() {
		return state.Deep.Apply(b.variant.Skill.Initial, o)
	}
	return state.Object{}
}
