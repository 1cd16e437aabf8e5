package repo

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
)

func TestNoise(t *testing.T) {
	t.Parallel()
	if got := noise(1, 0, 0); got != "" {
		t.Errorf("no noise is %q", got)
	}
	few, many := noise(7, 3, 5), noise(7, 3, 20)
	if !strings.HasPrefix(many, few) || strings.Count(many, "\n") != 21 {
		t.Errorf("5 lines are no beginning of 20:\n%s\n%s", few, many)
	}
	if noise(7, 4, 5) == few || noise(8, 3, 5) == few {
		t.Error("another step or seed has the same noise")
	}
}

// Noise states nothing, even where its heading is lost.
func TestNoiseSaysNothing(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		text := strings.TrimPrefix(noise(seed, 1, 50), prompt.LabelBackground)
		r := language{}.Read([]sim.Section{{Part: sim.InObservation, Text: text}})
		if len(r.Mentions) > 0 || r.Event.Kind != "" {
			t.Errorf("seed %d: noise is read as %+v", seed, r)
		}
	}
}

func TestNoiseFollowsTheEventAndChangesNothingElse(t *testing.T) {
	t.Parallel()
	loud := spec(50, 2)
	loud.Noise = 20
	quiet := run(t, spec(50, 2), oracle)
	for i, a := range run(t, loud, oracle) {
		before, after, ok := strings.Cut(a.Observation.Text, prompt.LabelBackground)
		if !ok || before != quiet[i].Observation.Text || strings.Count(after, "\n") != 20 {
			t.Fatalf("step %d: %q", i, a.Observation.Text)
		}
		a.Observation.Text = before
		if diff := cmp.Diff(quiet[i], a); diff != "" {
			t.Fatal(diff)
		}
	}
}
