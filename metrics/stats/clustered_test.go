package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// Parts 10/2, 6/2 and 2/1: R = 18/5. Residuals 2.8, -1.2 and -1.6 have the sum
// of squares 11.84, so SE = √(3/2 × 11.84)/5; t(2) at 95 % is 4.302653.
func TestRatioByHand(t *testing.T) {
	t.Parallel()
	r := RatioClustered([]Part{{"a", 4, 1}, {"a", 6, 1}, {"b", 6, 2}, {"c", 2, 1}}, 0)
	se := math.Sqrt(1.5*11.84) / 5
	for what, pair := range map[string][2]float64{
		"ratio": {r.Ratio.V, 3.6}, "se": {r.SE.V, se}, "low": {r.Interval.Low.V, 3.6 - 4.302653*se}, "high": {r.Interval.High.V, 3.6 + 4.302653*se},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-5 {
			t.Errorf("%s: got %f, want %f", what, pair[0], pair[1])
		}
	}
	if r.Clusters != 3 || r.Sum != 18 || r.Weight != 5 || len(r.Warnings) != 0 {
		t.Errorf("got %+v", r)
	}
}

func TestRatioThatCannotBe(t *testing.T) {
	t.Parallel()
	for want, parts := range map[string][]Part{
		"no values":              nil,
		"1 cluster: no interval": {{"a", 4, 2}},
		"all clusters equal: no interval from spread":   {{"a", 0.1, 1}, {"b", 0.3, 3}},
		"1 part without weight or not finite: left out": {{"a", 4, 2}, {"b", 3, 0}, {"c", 1, 1}},
	} {
		if r := RatioClustered(parts, 0); len(r.Warnings) == 0 || r.Warnings[0] != want {
			t.Errorf("want %q, got %+v", want, r)
		}
	}
}

// Clusters with one trial each at levels 0 to 3, the last two of which are hits:
// sums 0.75, 0.25, 0.25, 0.75 around the means 1.5 and 0.5. Two of the 16 sign
// patterns lie as far out as 2, and the slope is 2/5.
func TestTrendByHand(t *testing.T) {
	t.Parallel()
	levels := []Level{{"a", 0, 0, 1}, {"b", 1, 0, 1}, {"c", 2, 1, 1}, {"d", 3, 1, 1}}
	got := TrendClustered(levels)
	if got.N != 4 || got.Clusters != 4 || math.Abs(got.Slope.V-0.4) > 1e-12 || got.Test.P != Of(0.125) || !got.Test.Exact {
		t.Errorf("got %+v", got)
	}
	levels[1].Cluster, levels[2].Cluster = "a", "d" // sums 1 and 1: two of four patterns
	if got = TrendClustered(levels); got.Clusters != 2 || got.Test.P != Of(0.5) {
		t.Errorf("clusters: got %+v", got)
	}
	for _, flat := range [][]Level{nil, {{"a", 0, 1, 1}, {"b", 1, 1, 1}}, {{"a", 2, 1, 1}, {"b", 2, 0, 1}}, {{"a", 0, 0, 1}, {"a", 1, 1, 1}}} {
		if got = TrendClustered(flat); got.Test.P.OK || len(got.Warnings) == 0 {
			t.Errorf("%v: got %+v", flat, got)
		}
	}
}

// Where levels do not matter, small p-values are as rare as they say.
func TestTrendIsCalibrated(t *testing.T) {
	t.Parallel()
	rng, below, tries := rand.New(rand.NewPCG(3, 3)), 0, 2000
	for range tries {
		var levels []Level
		for c := range 16 {
			levels = append(levels, Level{fmt.Sprint(c), float64(rng.IntN(5)), rng.IntN(2), 1})
		}
		if p := TrendClustered(levels).Test.P; p.OK && p.V < 0.05 {
			below++
		}
	}
	if share := float64(below) / float64(tries); share > 0.065 || share < 0.02 {
		t.Errorf("%.3f of p-values are below 0.05", share)
	}
}

func TestJackknifeOfAMeanIsStudents(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-100, 100), 2, 12).Draw(t, "xs")
		var samples []Sample
		total := 0.0
		for i, x := range xs {
			samples = append(samples, Sample{fmt.Sprint(i), x})
			total += x
		}
		n := float64(len(xs))
		got := Jackknife(Of(total/n), len(xs), func(i int) Value { return Of((total - xs[i]) / (n - 1)) }, 0)
		want := Summarize(samples, 0)
		if !got.OK() {
			if want.SD.V > 1e-6 {
				t.Fatalf("no interval for %v", xs)
			}
			return
		}
		if math.Abs(got.Low.V-want.Interval.Low.V) > 1e-6*(1+math.Abs(want.Mean.V)) || math.Abs(got.High.V-want.Interval.High.V) > 1e-6*(1+math.Abs(want.Mean.V)) {
			t.Fatalf("got %+v, want %+v", got, want.Interval)
		}
	})
}

func TestClusteredProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		levels := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Level {
			n := rapid.IntRange(0, 5).Draw(t, "n")
			return Level{rapid.StringMatching("[a-h]").Draw(t, "cluster"), float64(rapid.IntRange(0, 4).Draw(t, "at")), rapid.IntRange(0, n).Draw(t, "k"), n}
		}), 0, 20).Draw(t, "levels")
		shuffled(t, levels, TrendClustered)
		var parts []Part
		for _, l := range levels {
			parts = append(parts, Part{l.Cluster, float64(l.K), float64(l.N)})
		}
		shuffled(t, parts, func(p []Part) Ratio { return RatioClustered(p, 0) })
		if r := RatioClustered(parts, 0); r.Interval.OK() && !(r.Interval.Low.V <= r.Ratio.V && r.Ratio.V <= r.Interval.High.V) {
			t.Fatalf("the interval leaves out the ratio: %+v", r)
		}
	})
}
