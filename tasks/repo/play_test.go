package repo

import (
	"encoding/json"
	"io/fs"
	"testing"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

func spec(horizon int, seed uint64) harness.Spec {
	return harness.Spec{Horizon: horizon, Seed: seed, Lag: 1, Patience: 15}
}

func withOptions(t testing.TB, s harness.Spec, o Options) harness.Spec {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Options = data
	return s
}

func start(t testing.TB, s harness.Spec) *world {
	t.Helper()
	w, err := Task().New(s)
	if err != nil {
		t.Fatal(err)
	}
	return w.(*world)
}

// A player answers an observation.
type player func(w *world, o record.Observation) string

func oracle(_ *world, o record.Observation) string { return o.Oracle }

// run plays an episode and returns its finished steps.
func run(t testing.TB, s harness.Spec, p player) []record.Act {
	t.Helper()
	w := start(t, s)
	var acts []record.Act
	for {
		o, ok := w.Observe()
		if !ok {
			return acts
		}
		if len(acts) > 40*s.Horizon {
			t.Fatalf("seed %d: the episode does not end", s.Seed)
		}
		action := p(w, o)
		acts = append(acts, record.Act{Observation: o, Action: action, Outcome: w.Act(action)})
	}
}

// base keeps the steps that count.
func base(acts []record.Act) []record.Act {
	var kept []record.Act
	for _, a := range acts {
		if !a.Observation.Free && !a.Outcome.Free {
			kept = append(kept, a)
		}
	}
	return kept
}

func score(acts []record.Act) (correct, events int) {
	for _, a := range base(acts) {
		if events++; a.Outcome.Correct {
			correct++
		}
	}
	return correct, events
}

func skill(t testing.TB) harness.Skill {
	t.Helper()
	sub, err := fs.Sub(configs.FS, "skills")
	if err != nil {
		t.Fatal(err)
	}
	s, err := harness.LoadSkill(sub, "repo", "skills/repo")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func schema(t testing.TB) *state.Schema { return skill(t).Schema }
