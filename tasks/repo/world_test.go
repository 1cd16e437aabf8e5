package repo

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestOracleIsAlwaysRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSpec(t, rt)
		acts := run(t, s, oracle)
		if correct, events := score(acts); correct != s.Horizon || events != s.Horizon {
			rt.Fatalf("%d of %d right, want all %d", correct, events, s.Horizon)
		}
		for _, a := range acts {
			if unrecoverable := a.Observation.Free && s.Drift == prClosed; !a.Outcome.Valid || a.Outcome.Correct == unrecoverable || a.Observation.Impossible != unrecoverable {
				rt.Fatalf("%q answered with %q: %+v", a.Observation.Text, a.Action, a.Outcome)
			}
		}
	})
}

// drawSpec draws the difficulty, the noise and the drift of an episode.
func drawSpec(t *testing.T, rt *rapid.T) harness.Spec {
	s := spec(rapid.IntRange(1, 70).Draw(rt, "horizon"), rapid.Uint64().Draw(rt, "seed"))
	s.Noise = rapid.IntRange(0, 3).Draw(rt, "noise")
	if s.Horizon >= driftEvery {
		s.Drift = rapid.SampledFrom(append([]string{""}, Task().Drifts...)).Draw(rt, "drift")
		s.Lag, s.Patience = rapid.IntRange(0, 4).Draw(rt, "lag"), rapid.IntRange(0, 6).Draw(rt, "patience")
	}
	return withOptions(t, s, Options{
		Files:   rapid.IntRange(4, 20).Draw(rt, "files"),
		Open:    rapid.IntRange(1, 9).Draw(rt, "open"),
		Overlap: rapid.Float64Range(0, 1).Draw(rt, "overlap"),
		Reads:   rapid.Bool().Draw(rt, "reads"),
	})
}

// A careless player mixes right, random, illegal and missed actions.
func careless(r *rand.Rand) player {
	return func(w *world, o record.Observation) string {
		switch r.IntN(8) {
		case 0:
			return record.None
		case 1:
			return "no command"
		case 2, 3:
			return Random(r, w.Truth())
		case 4:
			return fixCI(w.script.events[r.IntN(len(w.script.events))].branch).String()
		case 5:
			return []string{"Read file_1.go", "Search func", "RunTests feature_1"}[r.IntN(3)]
		}
		return o.Oracle
	}
}

func TestAnyPlay(t *testing.T) {
	t.Parallel()
	rules := schema(t)
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSpec(t, rt)
		play := careless(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "player"), 0)))
		w := start(t, s)
		fold := w.Truth()
		for step := 0; ; step++ {
			o, ok := w.Observe()
			if !ok {
				break
			}
			if o.Silent != nil {
				fold = state.Deep.Apply(fold, *o.Silent)
			}
			same(rt, fold, w.Truth())
			action := play(w, o)
			judged, again := w.Judge(action), w.Judge(action)
			w.Judge(o.Oracle)
			same(rt, fold, w.Truth())
			if diff := cmp.Diff(judged, again); diff != "" {
				rt.Fatalf("judging %q changed something: %s", action, diff)
			}
			done := w.Act(action)
			if diff := cmp.Diff(judged, done); diff != "" {
				rt.Fatalf("%q was judged otherwise than done: %s", action, diff)
			}
			if done.World != nil {
				fold = state.Deep.Apply(fold, *done.World)
			}
			same(rt, fold, w.Truth())
			if v := rules.Check(w.Truth()); len(v) > 0 {
				rt.Fatalf("the truth breaks the schema: %v", v)
			}
			if done.Correct && (!done.Valid || o.Impossible || action != o.Oracle) {
				rt.Fatalf("%q is counted as right at %+v", action, o)
			}
			if step > 200*s.Horizon {
				rt.Fatal("the episode does not end")
			}
		}
	})
}

func same(rt *rapid.T, want, got state.Object) {
	if want.Compact() != got.Compact() {
		rt.Fatalf("the changes fold to\n%s\nthe truth is\n%s", want.Compact(), got.Compact())
	}
}

// Kinds and items of base events depend on seed, horizon and difficulty alone.
func TestBaseEventsAreTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSpec(t, rt)
		plain := s
		plain.Noise, plain.Drift = 0, ""
		want := agenda(run(t, plain, oracle))
		got := agenda(run(t, s, careless(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "player"), 0)))))
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func agenda(acts []record.Act) []string {
	var all []string
	for _, a := range base(acts) {
		all = append(all, a.Observation.Kind+" "+a.Observation.Item)
	}
	return all
}

func TestEventsMadeImpossibleAreMissed(t *testing.T) {
	t.Parallel()
	waits := func(*world, record.Observation) string { return "Wait" }
	acts := run(t, spec(50, 1), waits)
	if len(acts) != 50 {
		t.Fatalf("%d steps, want 50", len(acts))
	}
	impossible := 0
	for _, a := range acts {
		if a.Observation.Impossible {
			impossible++
			if a.Outcome.Correct || a.Observation.Oracle != "Wait" {
				t.Errorf("%q has a right answer: %+v", a.Observation.Text, a)
			}
		}
	}
	if impossible == 0 {
		t.Error("an agent that only waits makes nothing impossible")
	}
	if correct, _ := score(acts); correct > 10 {
		t.Errorf("an agent that only waits has %d of 50 right", correct)
	}
}

// Trusting the last announced CI result breaks master; knowing the rule does
// not.
func TestTrustInAnnouncedResultsBreaksMaster(t *testing.T) {
	t.Parallel()
	trusting := func(w *world, o record.Observation) string {
		if o.Kind == kindApproved {
			return merge(w.now.pr).String()
		}
		return o.Oracle
	}
	for seed := range uint64(5) {
		shares, err := Share(spec(50, seed))
		if err != nil {
			t.Fatal(err)
		}
		if clean, broken := landed(run(t, spec(50, seed), oracle)); clean != shares.Merges || broken != 0 {
			t.Errorf("seed %d: the oracle lands %d and breaks %d, want %d and 0", seed, clean, broken, shares.Merges)
		}
		if _, broken := landed(run(t, spec(50, seed), trusting)); broken == 0 {
			t.Errorf("seed %d: trust breaks nothing", seed)
		}
	}
}

func landed(acts []record.Act) (clean, broken int) {
	var outcomes []record.Outcome
	for _, a := range acts {
		outcomes = append(outcomes, a.Outcome)
	}
	return Landed(outcomes)
}

func TestMissedStep(t *testing.T) {
	t.Parallel()
	w := start(t, spec(10, 1))
	w.Observe()
	if diff := cmp.Diff(record.Outcome{Result: "Error: no valid action"}, w.Act(record.None)); diff != "" {
		t.Error(diff)
	}
	if o, _ := w.Observe(); !strings.HasPrefix(o.Text, "Error: no valid action\n") {
		t.Errorf("the next observation is %q", o.Text)
	}
}

// The transcript shows an episode as the model reads it, with what the harness
// knows beside it.
func TestTranscript(t *testing.T) {
	t.Parallel()
	s := spec(50, 4)
	s.Noise, s.Drift = 1, forcePush
	var b strings.Builder
	for _, a := range run(t, s, oracle) {
		o := a.Observation
		if o.Silent != nil {
			fmt.Fprintf(&b, "(silent: %s)\n", o.Silent.Compact())
		}
		fmt.Fprintf(&b, "%s> %s\n", o.Text, a.Action)
		if a.Outcome.World != nil {
			fmt.Fprintf(&b, "(changed: %s)\n", a.Outcome.World.Compact())
		}
		if o.Age != nil {
			fmt.Fprintf(&b, "(age %d)\n", *o.Age)
		}
		b.WriteByte('\n')
	}
	const file = "testdata/transcript.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkStep(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := start(b, spec(200, 1))
		b.StartTimer()
		for {
			o, ok := w.Observe()
			if !ok {
				break
			}
			w.Act(o.Oracle)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(200*b.N), "ns/step")
}

// The age of an approval counts from the last CI result, or from the merge
// that silently voided it.
func TestAge(t *testing.T) {
	t.Parallel()
	for seed := range uint64(5) {
		last := map[string]int{}
		for _, a := range run(t, spec(100, seed), oracle) {
			o := a.Observation
			switch {
			case o.Kind == kindIssue || o.Kind == kindReady:
				if o.Age != nil {
					t.Errorf("seed %d, step %d: %s has age %d", seed, o.Step, o.Kind, *o.Age)
				}
			case o.Age == nil:
				t.Errorf("seed %d, step %d: %s has no age", seed, o.Step, o.Kind)
			case o.Kind == kindApproved && *o.Age != o.Step-last[o.Item]:
				t.Errorf("seed %d, step %d: age %d, want %d", seed, o.Step, *o.Age, o.Step-last[o.Item])
			}
			if a.Outcome.World == nil {
				continue
			}
			prs, _ := a.Outcome.World.Get("prs")
			for _, pr := range names(prs) {
				if _, ok := a.Outcome.World.Get("prs", pr, "ci"); !ok {
					continue
				}
				if last[pr] = o.Step + 1; o.Item == pr && o.Kind == kindPassed {
					last[pr] = o.Step
				}
			}
		}
	}
}
