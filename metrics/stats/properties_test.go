package stats

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawValue draws values as benchmarks have them: full of ties and zeros, with
// now and then any float at all.
func drawValue() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.Map(rapid.IntRange(-50, 50), func(k int) float64 { return float64(k) / 50 }),
		rapid.Float64Range(-1e6, 1e6),
		rapid.Float64(),
	)
}

func drawSamples() *rapid.Generator[[]Sample] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Sample {
		return Sample{rapid.StringMatching("[a-e]").Draw(t, "cluster"), drawValue().Draw(t, "value")}
	}), 0, 20)
}

// shuffled checks that f gives the same bytes for its input in any order.
func shuffled[S any, R any](t *rapid.T, input []S, f func([]S) R) {
	want, err := json.Marshal(f(input))
	if err != nil {
		t.Fatalf("result is not JSON: %v", err)
	}
	order := rapid.Permutation(input).Draw(t, "order")
	got, err := json.Marshal(f(order))
	if err != nil {
		t.Fatalf("result is not JSON: %v", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Fatalf("order changes the result:\n%s", diff)
	}
}

func TestSummaryProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := drawSamples().Draw(t, "samples")
		confidence := rapid.Float64Range(0.5, 0.999).Draw(t, "confidence")
		shuffled(t, samples, func(s []Sample) Summary { return Summarize(s, confidence) })
		s := Summarize(samples, confidence)
		if s.Interval.OK() && !(s.Interval.Low.V <= s.Mean.V && s.Mean.V <= s.Interval.High.V) {
			t.Fatalf("the interval leaves out the mean: %+v", s)
		}
		if s.N > 0 && !(s.Min.V <= s.Median.V && s.Median.V <= s.Max.V) {
			t.Fatalf("the median is out of range: %+v", s)
		}
		if !s.Interval.OK() && len(s.Warnings) == 0 && math.Abs(s.Max.V) < 1e100 && math.Abs(s.Min.V) < 1e100 {
			t.Fatalf("no interval and no reason: %+v", s)
		}
	})
}

func TestBootstrapProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		samples := perSeed(rapid.SliceOfN(drawValue(), 8, 12).Draw(t, "values")...)
		shuffled(t, samples, func(s []Sample) Bootstrap { return BootstrapT(s, 0, 1) })
	})
}

func TestProportionProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Count {
			n := rapid.IntRange(0, 60).Draw(t, "n")
			return Count{rapid.StringMatching("[a-f]").Draw(t, "cluster"), rapid.IntRange(0, n).Draw(t, "k"), n}
		}), 0, 8).Draw(t, "counts")
		shuffled(t, counts, func(c []Count) Proportion { return WilsonClustered(c, 0) })
		p := WilsonClustered(counts, 0)
		plain := Wilson(p.K, p.N, 0)
		if !p.Interval.OK() {
			if p.N > 0 {
				t.Fatalf("no interval: %+v", p)
			}
			return
		}
		low, high := p.Interval.Low.V, p.Interval.High.V
		if low < 0 || high > 1 || low > p.Share.V || high < p.Share.V {
			t.Fatalf("interval out of range or leaves out the share: %+v", p)
		}
		if high-low < plain.Interval.High.V-plain.Interval.Low.V-1e-12 {
			t.Fatalf("narrower than that of independent trials: %+v, %+v", p, plain)
		}
	})
}

func TestPairedProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching("[a-h]")
		a := rapid.MapOfN(key, drawValue(), 0, 8).Draw(t, "a")
		b := rapid.MapOfN(key, drawValue(), 0, 8).Draw(t, "b")
		c := Paired(a, b)
		if diff := cmp.Diff(c, Paired(a, b)); diff != "" {
			t.Fatalf("the same maps differ: %s", diff)
		}
		if c.Interval.OK() && !(c.Interval.Low.V <= c.Difference.V && c.Difference.V <= c.Interval.High.V) {
			t.Fatalf("the interval leaves out the difference: %+v", c)
		}
		if c.P.OK && !(c.P.V >= 0 && c.P.V <= 1) {
			t.Fatalf("p out of range: %+v", c)
		}
		if _, err := json.Marshal(c); err != nil {
			t.Fatalf("result is not JSON: %v", err)
		}
	})
}

func TestSignFlipProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		diffs := rapid.SliceOfN(drawValue(), 0, 12).Draw(t, "diffs")
		shuffled(t, diffs, func(d []float64) Permutation { return SignFlip(d, 1) })
		p := SignFlip(diffs, 1)
		if !p.P.OK {
			return
		}
		if p.P.V < p.Smallest.V || p.P.V > 1 {
			t.Fatalf("p outside smallest…1: %+v", p)
		}
		for i := range diffs {
			diffs[i] = math.Abs(diffs[i])
		}
		if one := SignFlip(diffs, 1); one.P.V > p.P.V {
			t.Fatalf("all one way is less extreme: %+v than %+v", one, p)
		}
	})
}

// The definition, without the enumeration's shortcuts. Whole numbers keep
// sums exact.
func TestSignFlipDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-9, 9), 2, 9).Draw(t, "diffs")
		diffs, seen := make([]float64, len(whole)), 0
		for i, d := range whole {
			diffs[i] = float64(d)
			seen += d
		}
		hits := 0
		for signs := range 1 << len(whole) {
			sum := 0
			for i, d := range whole {
				sum += d * (1 - 2*(signs>>i&1))
			}
			if max(sum, -sum) >= max(seen, -seen) {
				hits++
			}
		}
		got := SignFlip(diffs, 1)
		if want := float64(hits) / float64(int(1)<<len(whole)); got.P.OK && got.P.V != want {
			t.Fatalf("got p %v, want %v", got.P.V, want)
		}
	})
}

func TestHolmProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Value {
			if rapid.IntRange(0, 3).Draw(t, "absent") == 0 {
				return Value{}
			}
			return Of(float64(rapid.IntRange(0, 100).Draw(t, "p")) / 100)
		}), 0, 12).Draw(t, "ps")
		adjusted := Holm(ps)
		for i, p := range ps {
			if adjusted[i].OK != p.OK {
				t.Fatalf("%d: absence changed: %+v, %+v", i, ps, adjusted)
			}
			if p.OK && (adjusted[i].V < p.V || adjusted[i].V > 1) {
				t.Fatalf("%d: smaller or above 1: %+v, %+v", i, ps, adjusted)
			}
			for j, q := range ps {
				if p.OK && q.OK && p.V <= q.V && adjusted[i].V > adjusted[j].V {
					t.Fatalf("%d, %d: order changed: %+v, %+v", i, j, ps, adjusted)
				}
			}
		}
	})
}

func TestGrowthProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Point {
			return Point{float64(rapid.SampledFrom([]int{0, 10, 20, 50, 100, 200}).Draw(t, "T")), drawValue().Draw(t, "total")}
		}), 0, 10).Draw(t, "points")
		shuffled(t, points, func(p []Point) Growth { return FitGrowth(p, 100, 0) })
		g := FitGrowth(points, 100, 0)
		if g.BInterval.OK() && !(g.BInterval.Low.V <= g.B.V && g.B.V <= g.BInterval.High.V) {
			t.Fatalf("the interval leaves out the coefficient: %+v", g)
		}
	})
}

func TestGrowthRecovers(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Float64Range(0, 5000).Draw(t, "a"), rapid.Float64Range(0, 50).Draw(t, "b")
		horizons := rapid.SliceOfNDistinct(rapid.IntRange(1, 500), 2, 6, rapid.ID[int]).Draw(t, "horizons")
		var points []Point
		for _, h := range horizons {
			points = append(points, Point{float64(h), a*float64(h) + b*float64(h)*float64(h)})
		}
		g := FitGrowth(points, 0, 0)
		if size := 1e-6 * (1 + a + 500*b); !g.A.OK || math.Abs(g.A.V-a) > size || math.Abs(g.B.V-b) > size {
			t.Fatalf("got %+v, want a %v and b %v", g, a, b)
		}
	})
}

func TestRestrictedMeanProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tau := rapid.IntRange(0, 15).Draw(t, "tau")
		durations := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Duration {
			return Duration{
				rapid.StringMatching("[a-d]").Draw(t, "seed"), rapid.IntRange(-1, 16).Draw(t, "steps"), rapid.Bool().Draw(t, "censored"),
			}
		}), 0, 15).Draw(t, "durations")
		shuffled(t, durations, func(d []Duration) Restricted { return RestrictedMean(d, tau, 0) })
		r := RestrictedMean(durations, tau, 0)
		if r.Mean.OK && (r.Mean.V < 0 || r.Mean.V > float64(tau)+1e-9) {
			t.Fatalf("mean outside 0…tau: %+v", r)
		}
		if r.Interval.OK() && !(r.Interval.Low.V <= r.Mean.V && r.Mean.V <= r.Interval.High.V) {
			t.Fatalf("the interval leaves out the mean: %+v", r)
		}
	})
}

func TestQuantileProperties(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		xs := rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 1, 20).Draw(t, "xs")
		p, q := rapid.Float64Range(0, 1).Draw(t, "p"), rapid.Float64Range(0, 1).Draw(t, "q")
		shuffled(t, xs, func(xs []float64) Value { return Quantile(xs, p) })
		low, high := Quantile(xs, min(p, q)), Quantile(xs, max(p, q))
		if low.V > high.V {
			t.Fatalf("quantiles %v and %v of %v cross: %v, %v", p, q, xs, low, high)
		}
	})
}
