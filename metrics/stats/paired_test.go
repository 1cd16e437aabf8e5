package stats

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func keyed(values ...float64) map[string]float64 {
	m := map[string]float64{}
	for i, v := range values {
		m[fmt.Sprintf("%03d", i)] = v
	}
	return m
}

// The sleep data of Student (1908), as in R's t.test(paired = TRUE).
var (
	sleepA = keyed(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
	sleepB = keyed(1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
)

func TestPairedSleep(t *testing.T) {
	t.Parallel()
	c := Paired(sleepA, sleepB)
	near(t, "difference", c.Difference, -1.58, 1e-12)
	near(t, "sd", c.SD, 1.229995, 1e-6)
	near(t, "t", c.T, -4.062128, 1e-6)
	near(t, "df", c.DF, 9, 0)
	near(t, "p", c.P, 0.002832890, 1e-9)
	near(t, "low", c.Interval.Low, -2.4598858, 1e-7)
	near(t, "high", c.Interval.High, -0.7001142, 1e-7)
	// One of ten differences is 0, so nine signs can flip; all differences but
	// it are negative.
	near(t, "permutation p", c.Permutation.P, 2.0/512, 0)
	near(t, "smallest p", c.Permutation.Smallest, 2.0/512, 0)
	near(t, "minimum detectable", c.MinimumDetectable, 0.9960014*c.SD.V, 1e-5)
	warned(t, c.Warnings)
}

func TestPairedIsAntisymmetric(t *testing.T) {
	t.Parallel()
	ab, ba := Paired(sleepA, sleepB), Paired(sleepB, sleepA)
	near(t, "difference", ba.Difference, -ab.Difference.V, 0)
	near(t, "low", ba.Interval.Low, -ab.Interval.High.V, 0)
	near(t, "p", ba.P, ab.P.V, 0)
	if diff := cmp.Diff(ab.Permutation, ba.Permutation); diff != "" {
		t.Errorf("permutation: %s", diff)
	}
}

func TestPairedDoubt(t *testing.T) {
	t.Parallel()
	five := keyed(0.9, 0.8, 0.7, 0.6, 0.5)
	for _, c := range []struct {
		name           string
		a, b           map[string]float64
		student, flips bool
		want           []string
	}{
		{"no pairs", five, nil, false, false, []string{"5 keys only in a, 0 only in b: left out", "no pairs"}},
		{"one pair", keyed(1), keyed(2), false, false, []string{"1 pair: no p-value"}},
		{"deterministic", five, five, false, false, []string{"deterministic: no p-value"}},
		{"constant but for rounding", keyed(0.3, 0.2, 0.9, 0.7, 0.6, 100000.3), keyed(0.2, 0.1, 0.8, 0.6, 0.5, 100000.2), false, true, []string{"all differences equal: no t-test"}},
		{"zero but for rounding", keyed(0.3, 0.3), keyed(0.30000000000000004, 0.3), false, false, []string{"deterministic: no p-value"}},
		{"five pairs", five, keyed(0.1, 0.2, 0.3, 0.1, 0.1), true, true, []string{"permutation test: p cannot be below 0.0625"}},
		{"two pairs", keyed(1, 2), keyed(2, 4), true, true, []string{"permutation test: p cannot be below 0.5", "2 pairs: the interval is wide"}},
		{"unmatched", keyed(1, 2, 3, 4, 5, 6, 9), keyed(2, 4, 1, 2, 0, 1), true, true, []string{"1 key only in a, 0 only in b: left out"}},
		{"not finite", keyed(1, 2, 3, 4, 5, 6, math.NaN()), keyed(2, 4, 1, 2, 0, 1, 1), true, true, []string{"1 pair not finite: left out"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Paired(c.a, c.b)
			for name, v := range map[string]Value{"t": got.T, "df": got.DF, "p": got.P, "low": got.Interval.Low, "detectable": got.MinimumDetectable} {
				if v.OK != c.student {
					t.Errorf("%s: got %+v, want it: %v", name, v, c.student)
				}
			}
			if got.Permutation.P.OK != c.flips {
				t.Errorf("permutation: got %+v, want it: %v", got.Permutation, c.flips)
			}
			if diff := cmp.Diff(c.want, got.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSignFlipByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		diffs       []float64
		p, smallest float64
	}{
		// Sums of ±1 ±2 ±3: 6 4 2 0 0 -2 -4 -6.
		{"all one way", []float64{1, 2, 3}, 2.0 / 8, 2.0 / 8},
		{"smallest against", []float64{-1, 2, 3}, 4.0 / 8, 2.0 / 8},
		{"middle against", []float64{1, -2, 3}, 6.0 / 8, 2.0 / 8},
		{"balanced", []float64{1, 2, -3}, 1, 2.0 / 8},
		// Sums of ±0.1 ±0.2 ±0.2 that are 0.1 are so by different roundings.
		{"ties", []float64{-0.1, 0.2, -0.2}, 1, 2.0 / 8},
		{"equal sizes", []float64{1, 1, 1, -1}, 10.0 / 16, 2.0 / 16},
		{"zeros", []float64{0, 5, 0, 5}, 2.0 / 4, 2.0 / 4},
		{"five pairs", []float64{1, 1, 1, 1, 1}, 0.0625, 0.0625},
	} {
		got := SignFlip(c.diffs, 1)
		near(t, c.name+": p", got.P, c.p, 0)
		near(t, c.name+": smallest", got.Smallest, c.smallest, 0)
		if !got.Exact || got.SE.OK {
			t.Errorf("%s: got %+v, want it exact", c.name, got)
		}
	}
	for _, diffs := range [][]float64{nil, {3}, {0, 0}, {1, math.Inf(1)}, {1, math.NaN()}} {
		if got := SignFlip(diffs, 1); got != (Permutation{}) {
			t.Errorf("%v: got %+v, want it absent", diffs, got)
		}
	}
}

// Twenty pairs are enumerated, with more they are drawn; a case with a known
// answer ties both together.
func TestSignFlipMonteCarlo(t *testing.T) {
	t.Parallel()
	diffs := make([]float64, 100)
	for i := range diffs {
		diffs[i] = 1
		if i < 40 {
			diffs[i] = -1
		}
	}
	// Two-sided binomial p of 40 in 100.
	want := McNemarExact(40, 60)
	got := SignFlip(diffs, 5)
	if got.Exact || got.Draws != 100_000 {
		t.Errorf("got %+v, want it drawn", got)
	}
	near(t, "p", got.P, want.V, 4*got.SE.V)
	near(t, "standard error", got.SE, math.Sqrt(want.V*(1-want.V)/1e5), 1e-5)
	near(t, "smallest", got.Smallest, 1.0/100_001, 0)
	if again := SignFlip(diffs, 5); again != got {
		t.Errorf("same seed: got %+v and %+v", got, again)
	}
	if other := SignFlip(diffs, 6); other == got {
		t.Errorf("seeds 5 and 6 drew the same signs: %+v", other)
	}
	// No drawn pattern is as far out as thirty differences one way, yet p is not 0.
	one := SignFlip(diffs[40:70], 1)
	near(t, "p of thirty one way", one.P, 1.0/100_001, 0)
	exact := SignFlip(diffs[30:50], 1)
	near(t, "p of 10 against 10", exact.P, 1, 0)
	near(t, "smallest of 20", exact.Smallest, math.Ldexp(1, -19), 0)
}

// Checked against an independent adaptive integration of the noncentral t.
func TestMinimumDetectable(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]float64{
		2: 11.5498885, 3: 3.2640435, 5: 1.6819970, 10: 0.9960014, 20: 0.6604417, 34: 0.4950281, 1000: 0.0886791,
	} {
		near(t, fmt.Sprint("n ", n), MinimumDetectable(1, n), want, 1e-6)
		near(t, fmt.Sprint("n ", n, ", sd 3"), MinimumDetectable(3, n), 3*want, 3e-6)
	}
	// The normal limit (1.959964 + 0.841621)/√n.
	near(t, "a million pairs", MinimumDetectable(1, 1_000_000), 0.002801585, 1e-7)
	near(t, "power without a difference is alpha", Of(newTPower(4).at(0)), 0.05, 1e-9)
	absent(t, "one pair", MinimumDetectable(1, 1))
	absent(t, "no spread", MinimumDetectable(0, 10))
	absent(t, "NaN", MinimumDetectable(math.NaN(), 10))
	absent(t, "infinite", MinimumDetectable(math.Inf(1), 10))
}
