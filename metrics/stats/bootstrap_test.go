package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestBootstrapT(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 3))
	values := make([]float64, 60)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	samples := perSeed(values...)
	b, s := BootstrapT(samples, 0, 1), Summarize(samples, 0)
	width := s.Interval.High.V - s.Interval.Low.V
	near(t, "low is near that of t", b.Interval.Low, s.Interval.Low.V, width/10)
	near(t, "high is near that of t", b.Interval.High, s.Interval.High.V, width/10)
	warned(t, b.Warnings)
	slices.Reverse(samples)
	if diff := cmp.Diff(b, BootstrapT(samples, 0, 1)); diff != "" {
		t.Errorf("order of samples: %s", diff)
	}
	if b.Interval == BootstrapT(samples, 0, 2).Interval {
		t.Error("two seeds gave the same interval")
	}
}

// Skewed values: the side of the long tail reaches further.
func TestBootstrapTSkew(t *testing.T) {
	t.Parallel()
	b := BootstrapT(perSeed(1, 1.1, 1.2, 1.4, 1.6, 2, 2.5, 3.3, 5, 9, 1.3, 1.5), 0, 1)
	up, down := b.Interval.High.V-b.Mean.V, b.Mean.V-b.Interval.Low.V
	if !b.Interval.OK() || up < 1.5*down {
		t.Errorf("got %+v: up %.3f, down %.3f, want up well above down", b, up, down)
	}
}

func TestBootstrapTAbsent(t *testing.T) {
	t.Parallel()
	flat := slices.Repeat([]float64{2}, 12)
	for _, c := range []struct {
		name       string
		values     []float64
		confidence float64
		want       string
	}{
		{"nine seeds", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 0, "9 seeds: the bootstrap wants at least 10: no interval"},
		{"equal", flat, 0, "all seed means equal: no interval from spread"},
		{"one apart", append([]float64{3}, flat...), 0, "too many resamples without spread: no interval"},
		{"confidence", []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2, "confidence 2: want a number between 0 and 1: no interval"},
	} {
		b := BootstrapT(perSeed(c.values...), c.confidence, 1)
		if b.Interval.OK() {
			t.Errorf("%s: got %+v, want no interval", c.name, b)
		}
		warned(t, b.Warnings, c.want)
	}
}

func TestBootstrapTCoverage(t *testing.T) {
	t.Parallel()
	const trials = 300
	rng := rand.New(rand.NewPCG(9, 9))
	hits := 0
	values := make([]float64, 15)
	for trial := range trials {
		for i := range values {
			values[i] = rng.ExpFloat64()
		}
		b := BootstrapT(perSeed(values...), 0, uint64(trial))
		if b.Interval.Low.V <= 1 && 1 <= b.Interval.High.V {
			hits++
		}
	}
	// Three standard errors of a share of 0.95 in 300 are 0.038.
	if share := float64(hits) / trials; math.Abs(share-0.95) > 0.038 {
		t.Errorf("intervals for exponential values cover %.3f, want 0.95", share)
	}
}
