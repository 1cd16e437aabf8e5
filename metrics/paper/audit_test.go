package paper

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// find returns the value of the one finding with these marks.
func find(t *testing.T, all []Finding, table string, from, horizon int, runtime string) float64 {
	t.Helper()
	var out []float64
	for _, f := range all {
		if f.Table == table && f.From == from && f.Horizon == horizon && f.Runtime == runtime {
			out = append(out, f.Value)
		}
	}
	if len(out) != 1 {
		t.Fatalf("%s %d→%d %s: want one finding, got %v", table, from, horizon, runtime, out)
	}
	return out[0]
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.0005*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: want %v, got %v", what, want, got)
	}
}

// The wanted values were worked out by hand from the printed figures.
func TestAuditAgainstHandComputedValues(t *testing.T) {
	t.Parallel()
	near(t, "headline 1062387/65408", HeadlineRatio()[0].Value, 16.2425)
	near(t, "1062387/(100·31354)", find(t, TotalOverPrompt(), "table1", 0, 100, "stateful"), 0.33884)
	near(t, "62100/(100·1800)", find(t, TotalOverPrompt(), "table5", 0, 100, "truncated"), 0.345)
	near(t, "2·(6052−3249)/15", find(t, GrowthBetween(), "table1", 10, 25, "react"), 373.733)
	near(t, "2·(36362−11931)/50", find(t, GrowthBetween(), "table1", 50, 100, "react"), 977.24)
	near(t, "2·(36362−3249)/90", find(t, GrowthFromShortest(), "table1", 10, 100, "react"), 735.844)
	near(t, "log₂(1245413/171658)", find(t, LocalExponents(), "table1", 50, 100, "react"), 2.8590)
	near(t, "log₂(2608755/1245413)", find(t, LocalExponents(), "table1", 100, 200, "react"), 1.0667)
	near(t, "0.76−0.71", find(t, NoNoiseDisagreement(), "table9", 0, 50, "react"), 0.05)
	near(t, "0.85−0.65", find(t, NoNoiseDisagreement(), "table9", 0, 50, "memory"), 0.20)
	near(t, "0.68−0.88", find(t, NoiseGain(), "table2", 0, 50, "react"), -0.20)
	near(t, "1.00−0.96", find(t, NoiseGain(), "table2", 0, 50, "skillstate"), 0.04)
	near(t, "5 pairs", SignificanceFloor()[0].Value, 0.0625)
}

func TestDoublingRatiosOfTable6(t *testing.T) {
	t.Parallel()
	var got []float64
	for _, f := range DoublingRatios() {
		got = append(got, math.Round(f.Value*100)/100)
	}
	if want := []float64{4, 4, 4, 2, 2, 2, 2, 1}; !cmp.Equal(got, want) {
		t.Errorf("want %v, got %v", want, got)
	}
}

func TestPromptIsCountedInCharacters(t *testing.T) {
	t.Parallel()
	all := TotalOverPrompt()
	if len(all) != 20+3*16+5 {
		t.Errorf("want a finding per row, got %d", len(all))
	}
	for _, f := range all {
		if f.Value < 0.27 || f.Value > 0.405 {
			t.Errorf("%s T=%d %s: %v", f.Table, f.Horizon, f.Runtime, f.Value)
		}
	}
}

func TestImpossibleSpreads(t *testing.T) {
	t.Parallel()
	all := ImpossibleSpreads()
	find(t, all, "table1", 0, 10, "react") // 0.90 ± 0.02: the least spread but none is 0.07
	for _, f := range all {
		if f.Table == "table1" && f.Horizon >= 50 {
			t.Errorf("%s T=%d %s is possible: with many steps of 1/T most pairs are", f.Table, f.Horizon, f.Runtime)
		}
	}
}

func TestFeasibleByHand(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		mean, sd Printed
		T        int
		want     bool
	}{
		{Printed{1, 2}, Printed{0, 2}, 10, true},
		{Printed{0, 2}, Printed{0, 2}, 10, true},
		{Printed{0.9, 2}, Printed{0, 2}, 10, true},      // five times 9/10
		{Printed{0.9, 2}, Printed{0.07, 2}, 10, true},   // 8 9 9 9 10: √(2/4)/10
		{Printed{0.9, 2}, Printed{0.02, 2}, 10, false},  // nothing lies between
		{Printed{0.99, 2}, Printed{0, 2}, 25, false},    // Σ must be 124 of 125
		{Printed{0.99, 2}, Printed{0.02, 2}, 25, true},  // 24 25 25 25 25
		{Printed{0.94, 2}, Printed{0.02, 2}, 200, true}, // fine steps
		{Printed{1, 2}, Printed{0.5, 2}, 40, false},     // no room above
		{Printed{0.6, 1}, Printed{0.5, 1}, 1, true},     // 0 0 1 1 1: √0.3
	} {
		got, err := Feasible(tc.mean, tc.sd, 5, tc.T)
		if err != nil || got != tc.want {
			t.Errorf("%+v: got %v, %v", tc, got, err)
		}
	}
}

func TestFeasibleRefuses(t *testing.T) {
	t.Parallel()
	ok := Printed{0.5, 2}
	for _, tc := range []struct {
		mean, sd Printed
		n, T     int
	}{
		{ok, ok, 1, 10}, {ok, ok, 5, 0}, {ok, ok, 5, 201}, {ok, ok, math.MaxInt, 2}, {Printed{math.NaN(), 2}, ok, 5, 10},
		{Printed{-0.1, 2}, ok, 5, 10}, {ok, Printed{math.Inf(1), 2}, 5, 10}, {ok, Printed{0.1, 5}, 5, 10}, {ok, Printed{0.1, -1}, 5, 10},
	} {
		if got, err := Feasible(tc.mean, tc.sd, tc.n, tc.T); err == nil || got {
			t.Errorf("%+v: want an error, got %v", tc, got)
		}
	}
}

// TestFeasibleEqualsEnumeration compares the search with rational arithmetic
// over every multiset of scores.
func TestFeasibleEqualsEnumeration(t *testing.T) {
	t.Parallel()
	answers := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 4).Draw(t, "n")
		T := rapid.IntRange(1, 14).Draw(t, "T")
		places := rapid.IntRange(1, 3).Draw(t, "places")
		one := int64(math.Pow10(places))
		mean := rapid.Int64Range(0, one).Draw(t, "mean")
		sd := rapid.Int64Range(0, one*6/10).Draw(t, "sd")
		p := func(units int64) Printed { return Printed{float64(units) / float64(one), places} }
		got, err := Feasible(p(mean), p(sd), n, T)
		if err != nil {
			t.Fatal(err)
		}
		answers[got]++
		if want := enumerate(nil, n, T, mean, sd, one); got != want {
			t.Fatalf("want %v, got %v", want, got)
		}
	})
	if answers[true] == 0 || answers[false] == 0 {
		t.Errorf("the cases were all alike: %v", answers)
	}
}

func TestShiftedSets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		const most = 300
		members := rapid.SliceOf(rapid.Int64Range(0, most)).Draw(t, "members")
		k := rapid.Int64Range(0, most+100).Draw(t, "k")
		from, got := newBits(most), newBits(most)
		want := map[int64]bool{}
		for _, m := range members {
			from.set(m)
			want[m+k] = true
		}
		got.orShifted(from, k)
		for i := range int64(most + 1) {
			if got.has(i) != want[i] {
				t.Fatalf("%d: want %v", i, want[i])
			}
		}
	})
}

func enumerate(ks []int64, n, T int, mean, sd, one int64) bool {
	if len(ks) == n {
		return rounds(ks, int64(T), mean, sd, one)
	}
	least := int64(0)
	if len(ks) > 0 {
		least = ks[len(ks)-1]
	}
	for k := least; k <= int64(T); k++ {
		if enumerate(append(ks[:len(ks):len(ks)], k), n, T, mean, sd, one) {
			return true
		}
	}
	return false
}

// rounds reports whether scores ks/T have a mean and sample SD within half a
// unit of those given in units of 1/one.
func rounds(ks []int64, T, mean, sd, one int64) bool {
	n := int64(len(ks))
	m := new(big.Rat)
	for _, k := range ks {
		m.Add(m, big.NewRat(k, T*n))
	}
	variance := new(big.Rat)
	for _, k := range ks {
		d := new(big.Rat).Sub(big.NewRat(k, T), m)
		variance.Add(variance, d.Mul(d, d))
	}
	variance.Mul(variance, big.NewRat(1, n-1))
	low := big.NewRat(max(0, 2*sd-1), 2*one)
	high := big.NewRat(2*sd+1, 2*one)
	return m.Cmp(big.NewRat(2*mean-1, 2*one)) >= 0 && m.Cmp(big.NewRat(2*mean+1, 2*one)) <= 0 &&
		variance.Cmp(low.Mul(low, low)) >= 0 && variance.Cmp(high.Mul(high, high)) <= 0
}

// TestSmallestP enumerates all sign flips of differences that all point the
// same way, the most extreme sample there is.
func TestSmallestP(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 12; n++ {
		extreme := 0
		for flips := range 1 << n {
			sum := 0
			for i := range n {
				if flips>>i&1 == 1 {
					sum -= i + 1
				} else {
					sum += i + 1
				}
			}
			if all := n * (n + 1) / 2; sum >= all || sum <= -all {
				extreme++
			}
		}
		if want := float64(extreme) / float64(int(1)<<n); SmallestP(n) != want {
			t.Errorf("n=%d: want %v, got %v", n, want, SmallestP(n))
		}
	}
	if SmallestP(0) != 1 || SmallestP(-3) != 1 {
		t.Error("without pairs p is 1")
	}
}

func TestAuditIsCompleteAndStable(t *testing.T) {
	t.Parallel()
	all := Audit()
	if diff := cmp.Diff(all, Audit()); diff != "" {
		t.Error(diff)
	}
	ids := map[string]int{}
	for _, f := range all {
		ids[f.ID]++
		if f.What == "" || math.IsNaN(f.Value) || math.IsInf(f.Value, 0) {
			t.Errorf("not printable: %+v", f)
		}
	}
	for _, id := range []string{
		"headline", "total_over_prompt", "growth_between", "growth_from_shortest", "local_exponent", "doubling_ratio_tokens",
		"doubling_ratio_prompt", "no_noise_disagreement", "noise_gain", "impossible_spread", "significance_floor",
	} {
		if ids[id] == 0 {
			t.Errorf("no finding %q", id)
		}
	}
}

func BenchmarkFeasible(b *testing.B) {
	for name, sd := range map[string]float64{"published": 0.14, "widest": 0.52} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Feasible(Printed{0.74, 2}, Printed{sd, 2}, 5, 200); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
