package warehouse

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A policy decides an action from an observation and the world's truth.
type policy func(o record.Observation, truth state.Object) string

func oracle(o record.Observation, _ state.Object) string { return o.Oracle }

// A step is one finished step of a played episode.
type step struct {
	o      record.Observation
	action string
	out    record.Outcome
}

func start(t testing.TB, spec harness.Spec) *world {
	t.Helper()
	w, err := begin(spec)
	if err != nil {
		t.Fatalf("%+v: %v", spec, err)
	}
	return w.(*world)
}

func play(t testing.TB, spec harness.Spec, p policy) []step {
	t.Helper()
	w := start(t, spec)
	var steps []step
	for {
		o, ok := w.Observe()
		if !ok {
			return steps
		}
		action := p(o, w.Truth())
		steps = append(steps, step{o, action, w.Act(action)})
	}
}

// score counts the base events answered correctly, and all of them.
func score(steps []step) (correct, base int) {
	for _, s := range steps {
		if s.o.Free {
			continue
		}
		base++
		if s.out.Correct {
			correct++
		}
	}
	return correct, base
}

func options(t testing.TB, o Options) json.RawMessage {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// anySpec draws a spec that New accepts.
func anySpec(rt *rapid.T, drift bool) harness.Spec {
	o := Options{
		Placement: rapid.SampledFrom([]string{LowestEmpty, AnyEmpty}).Draw(rt, "placement"),
		WarmStart: rapid.IntRange(0, 60).Draw(rt, "warm_start"),
		MinAge:    rapid.IntRange(0, 12).Draw(rt, "min_age"),
		Weights: Weights{rapid.IntRange(1, 3).Draw(rt, "receive"), rapid.IntRange(1, 3).Draw(rt, "order"),
			rapid.IntRange(1, 3).Draw(rt, "maintenance")},
	}
	data, _ := json.Marshal(o)
	spec := harness.Spec{Horizon: rapid.IntRange(1, 120).Draw(rt, "horizon"), Seed: rapid.Uint64().Draw(rt, "seed"),
		Noise: rapid.SampledFrom([]int{0, 3}).Draw(rt, "noise"), Options: data}
	if drift {
		spec.Drift = rapid.SampledFrom([]string{secretMove, secretAudit, secretBarcode}).Draw(rt, "drift")
		spec.Lag = rapid.IntRange(0, 3).Draw(rt, "lag")
		spec.Patience = rapid.IntRange(1, 4).Draw(rt, "patience")
		spec.Horizon += 40
	}
	return spec
}

// anyAction draws legal commands, legal forms of nonsense, and garbage.
func anyAction(r *rand.Rand, o record.Observation, truth state.Object) string {
	switch r.IntN(6) {
	case 0:
		return o.Oracle
	case 1:
		return record.None
	case 2:
		return moving(itemName(1+r.IntN(20)), r.IntN(12), r.IntN(12)).String()
	case 3:
		return []string{"", "Store", "store item_1 shelf_1", "Ship item_1 shelf_500", "Wait now", "\x00", "Move item_01 shelf_1 shelf_2"}[r.IntN(7)]
	case 4:
		return storing(itemName(1+r.IntN(20)), r.IntN(12)).String()
	}
	return Random(r, truth)
}

func TestOraclePlayIsAlwaysRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anySpec(rt, rapid.Bool().Draw(rt, "drifting"))
		steps := play(t, spec, oracle)
		for _, s := range steps {
			if !s.out.Valid || !s.out.Correct || s.o.Impossible {
				rt.Fatalf("step %d: %s: oracle %q gave %+v", s.o.Step, s.o.Text, s.action, s.out)
			}
		}
		if correct, base := score(steps); correct != spec.Horizon || base != spec.Horizon {
			rt.Fatalf("score %d of %d, want %d", correct, base, spec.Horizon)
		}
	})
}

func TestTruthIsTheFoldOfItsPatches(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anySpec(rt, rapid.Bool().Draw(rt, "drifting"))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "actions"), 0))
		w := start(t, spec)
		folded := w.Truth()
		for {
			o, ok := w.Observe()
			if !ok {
				break
			}
			if o.Silent != nil {
				folded = state.Deep.Apply(folded, *o.Silent)
			}
			if !folded.Equal(w.Truth()) {
				rt.Fatalf("step %d: silent patches give %s, truth is %s", o.Step, folded.Compact(), w.Truth().Compact())
			}
			if o.Load != w.floor.load() {
				rt.Fatalf("step %d: load %d, want %d", o.Step, o.Load, w.floor.load())
			}
			if out := w.Act(anyAction(r, o, folded)); out.World != nil {
				folded = state.Deep.Apply(folded, *out.World)
			}
			if !folded.Equal(w.Truth()) {
				rt.Fatalf("step %d: patches give %s, truth is %s", o.Step, folded.Compact(), w.Truth().Compact())
			}
		}
	})
}

func TestJudgeChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anySpec(rt, rapid.Bool().Draw(rt, "drifting"))
		seed := rapid.Uint64().Draw(rt, "actions")
		judged, plain := start(t, spec), start(t, spec)
		r, other := rand.New(rand.NewPCG(seed, 0)), rand.New(rand.NewPCG(seed, 1))
		for {
			a, ok := judged.Observe()
			b, _ := plain.Observe()
			if diff := cmp.Diff(b, a, cmp.Comparer(state.Object.Equal)); diff != "" {
				rt.Fatalf("judging changed the observation: %s", diff)
			}
			if !ok {
				return
			}
			for range 3 {
				judged.Judge(anyAction(other, a, judged.Truth()))
			}
			action := anyAction(r, b, plain.Truth())
			want, said, got := plain.Act(action), judged.Judge(action), judged.Act(action)
			if diff := cmp.Diff(want, got, cmp.Comparer(state.Object.Equal)); diff != "" {
				rt.Fatalf("judging changed the outcome of %q: %s", action, diff)
			}
			if diff := cmp.Diff(said, got, cmp.Comparer(state.Object.Equal)); diff != "" {
				rt.Fatalf("Judge and Act differ on %q: %s", action, diff)
			}
		}
	})
}

// TestBaseEventsAreTheSameForAll plays one script under other noise, drift,
// placement and behaviour: kinds and items must not change.
func TestBaseEventsAreTheSameForAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anySpec(rt, false)
		spec.Horizon += 40
		want := base(play(t, spec, oracle))
		other := spec
		other.Noise, other.Lag, other.Patience = 7, 1, 5
		other.Drift = rapid.SampledFrom(append(scenarios(), "")).Draw(rt, "other drift")
		o, _ := decode(spec.Options)
		o.Placement = AnyEmpty
		other.Options = options(t, *o)
		if other.Drift == canceledOrder {
			other.Drift = secretMove // may need more orders than a drawn script has
		}
		r := rand.New(rand.NewPCG(spec.Seed, 9))
		got := base(play(t, other, func(o record.Observation, truth state.Object) string { return anyAction(r, o, truth) }))
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func base(steps []step) [][2]string {
	var events [][2]string
	for _, s := range steps {
		if !s.o.Free {
			events = append(events, [2]string{s.o.Kind, s.o.Item})
		}
	}
	return events
}

func TestNoiseChangesOnlyTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anySpec(rt, rapid.Bool().Draw(rt, "drifting"))
		spec.Noise = 0
		quiet := play(t, spec, oracle)
		spec.Noise = rapid.IntRange(1, 20).Draw(rt, "lines")
		loud := play(t, spec, oracle)
		if len(quiet) != len(loud) {
			rt.Fatalf("%d steps became %d", len(quiet), len(loud))
		}
		for i, s := range loud {
			block := noise(spec.Seed, s.o.Step, spec.Noise)
			if s.o.Text != quiet[i].o.Text+block {
				rt.Fatalf("step %d: text is %q", i, s.o.Text)
			}
			s.o.Text = quiet[i].o.Text
			if diff := cmp.Diff(quiet[i].o, s.o, cmp.Comparer(state.Object.Equal)); diff != "" {
				rt.Fatal(diff)
			}
		}
	})
}
