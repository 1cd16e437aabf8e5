package tasktest

import (
	"fmt"
	"math/rand/v2"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// horizon of the episodes: long enough for every drift scenario.
const horizon = 60

const patience = 4

// maxSteps bounds an episode; an open event of drift may be announced patience
// times, and a task may allow some free commands at each event.
const maxSteps = horizon * 20

// specs are the episodes that a property is tried on: several seeds, noise, and
// every drift.
func (b bench) specs() []harness.Spec {
	var list []harness.Spec
	for seed := uint64(1); seed <= 3; seed++ { // from 1: a task of fixed cases deals them by seed
		list = append(list, b.spec(seed, 0, ""), b.spec(seed, 3, ""))
		for _, drift := range b.task.Drifts {
			list = append(list, b.spec(seed, int(seed), drift))
		}
	}
	return list
}

func (b bench) spec(seed uint64, noise int, drift string) harness.Spec {
	return harness.Spec{Horizon: horizon, Seed: seed, Noise: noise, Drift: drift, Lag: 1, Patience: patience, Options: b.options}
}

// A policy chooses an action.
type policy struct {
	name string
	act  func(o record.Observation, truth state.Object) string
}

var oracle = policy{"oracle", func(o record.Observation, _ state.Object) string { return o.Oracle }}

// policies are the oracle, the floors, one that answers nothing and one that is
// right at times. Each call makes them anew, with the same draws.
func (b bench) policies() []policy {
	draws, coin := rand.New(rand.NewPCG(1, 1)), rand.New(rand.NewPCG(1, 2))
	return []policy{
		oracle,
		{"wait", func(record.Observation, state.Object) string { return "Wait" }},
		{"none", func(record.Observation, state.Object) string { return record.None }},
		{"random", func(_ record.Observation, truth state.Object) string { return b.task.Random(draws, truth) }},
		{"mixed", func(o record.Observation, truth state.Object) string {
			if coin.IntN(2) == 0 {
				return o.Oracle
			}
			return b.task.Random(coin, truth)
		}},
	}
}

// A step is one finished step.
type step struct {
	o       record.Observation
	action  string
	outcome record.Outcome
	truth   state.Object // after it
}

// counts reports whether the step answers a base event.
func (s step) counts() bool { return !s.o.Free && !s.outcome.Free }

// play plays an episode to its end.
func (b bench) play(spec harness.Spec, p policy) ([]step, error) {
	w, err := b.task.New(spec)
	if err != nil {
		return nil, fmt.Errorf("%s: New: %w", of(spec, p), err)
	}
	var steps []step
	for {
		o, ok := w.Observe()
		if !ok {
			return steps, nil
		}
		if len(steps) == maxSteps {
			return nil, fmt.Errorf("%s: %d base events are not over after %d steps", of(spec, p), spec.Horizon, maxSteps)
		}
		action := p.act(o, w.Truth())
		outcome := w.Act(action)
		steps = append(steps, step{o, action, outcome, w.Truth()})
	}
}

// each plays every spec with every policy.
func (b bench) each(f func(spec harness.Spec, p policy, steps []step) error) error {
	for _, spec := range b.specs() {
		for _, p := range b.policies() {
			steps, err := b.play(spec, p)
			if err != nil {
				return err
			}
			if err := f(spec, p, steps); err != nil {
				return err
			}
		}
	}
	return nil
}

// of names an episode in errors.
func of(spec harness.Spec, p policy) string {
	return fmt.Sprintf("seed %d, noise %d, drift %q, played by %s", spec.Seed, spec.Noise, spec.Drift, p.name)
}

// grammar is the world's own where it has one.
func (b bench) grammar(w harness.World) func(string) error {
	if g, ok := w.(harness.Grammarian); ok {
		return g.Grammar
	}
	return b.task.Grammar
}
