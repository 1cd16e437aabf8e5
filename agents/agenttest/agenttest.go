// Package agenttest holds any context strategy to what the harness and its
// readers rely on. Call Run from a test of your own:
//
//	func TestStrategy(t *testing.T) { agenttest.Run(t, mine.Strategy()) }
package agenttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/check"
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
	if err := registration(s); err != nil {
		t.Fatal(err)
	}
	if s.Player {
		return // it makes no prompts
	}
	if len(on) == 0 {
		tally, err := Tally()
		if err != nil {
			t.Fatal(err)
		}
		on = append(on, tally)
	}
	for _, variant := range on {
		b, err := newBench(s, variant)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(variant.Name, func(t *testing.T) { b.run(t) })
	}
}

func (b bench) run(t *testing.T) {
	for _, p := range properties() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if err := b.try(p, t.TempDir()); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("promises", func(t *testing.T) {
		t.Parallel()
		results, err := trial.Run(t.Context(), kit(), b.column, b.variant, horizon, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range results {
			report(t, r, slices.Contains(b.column.Strategy.Promises, r.Invariant))
		}
	})
}

// report fails the test where a promise does not hold.
func report(t *testing.T, r check.Result, promised bool) {
	switch {
	case r.Pass:
		t.Logf("%s holds (promised: %t)", r.Invariant, promised)
	case promised:
		t.Errorf("%s is promised and does not hold:\n  %s", r.Invariant, strings.Join(r.Evidence, "\n  "))
	default:
		t.Logf("%s does not hold, and is not promised; the first evidence: %s", r.Invariant, r.Evidence[0])
	}
}

// A property is something that holds for every strategy.
type property struct {
	name  string
	holds func(bench) error
}

func properties() []property {
	return []property{
		{"form", bench.formAsksForAction},
		{"instructions", bench.instructionsStandOnce},
		{"contract", bench.contractEnds},
		{"determinism", bench.viewsDecide},
		{"immutable", bench.segmentsStay},
		{"journal", bench.journalRebuilds},
		{"feedback", bench.feedbackShows},
		{"hostile", bench.hostileTextsPass},
	}
}

// try tells a panic of the strategy as an error.
func (b bench) try(p property, dir string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	b.dir = dir
	return p.holds(b)
}

func kit() harness.Kit { return harness.Kit{Files: configs.FS} }

// registration: a strategy says what it is and promises what there is.
func registration(s harness.Strategy) error {
	if err := (harness.Kit{Strategies: []harness.Strategy{s}}).Validate(); err != nil {
		return err
	}
	for _, promise := range s.Promises {
		if !slices.Contains(check.Names(), promise) {
			return fmt.Errorf("promise %q is no invariant: want some of %q", promise, check.Names())
		}
	}
	return nil
}

// A bench is a strategy on a task.
type bench struct {
	column  harness.Column
	variant harness.Variant
	trial   *trial.Trial
	dir     string // for journals
}

func newBench(s harness.Strategy, v harness.Variant) (bench, error) {
	b := bench{column: harness.Column{Name: s.Name, Strategy: s, Settings: s.Defaults}, variant: v}
	var err error
	b.trial, err = trial.New(kit(), b.column, v, horizon)
	return b, err
}

func (b bench) agent() (harness.Agent, error) { return b.column.Strategy.New(b.trial.Setup()) }

// walk shows a fresh agent the views of an episode in turn, as the loop would,
// and f each prompt; summaries come with the view before which they are made.
func (b bench) walk(f func(v harness.View, summary bool, p prompt.Prompt) error) error {
	agent, err := b.agent()
	if err != nil {
		return err
	}
	for _, v := range b.views() {
		if s, ok := agent.(harness.Summarizer); ok && v.Feedback == nil {
			if p, due := s.Due(v); due {
				s.Summarized("Summary up to here.")
				if err := f(v, true, p); err != nil {
					return fmt.Errorf("step %d, summary: %w", v.Step, err)
				}
			}
		}
		trial.Inform(agent, v)
		p, err := agent.Prompt(v)
		if err == nil {
			err = f(v, false, p)
		}
		if err != nil {
			return fmt.Errorf("step %d, %d violations: %w", v.Step, len(v.Feedback), err)
		}
	}
	return nil
}

// state shows Σ only to strategies that have one.
func (b bench) state(o state.Object) state.Object {
	if b.column.Settings.Stateful() {
		return state.Deep.Apply(b.variant.Skill.Initial, o)
	}
	return state.Object{}
}
