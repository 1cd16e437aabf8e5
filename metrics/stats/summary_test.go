package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func perSeed(values ...float64) []Sample {
	var s []Sample
	for i, v := range values {
		s = append(s, Sample{fmt.Sprint(i), v})
	}
	return s
}

// The one-sample interval of the sleep data (Student 1908), first drug.
func TestSummarizeSleep(t *testing.T) {
	t.Parallel()
	s := Summarize(perSeed(0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0), 0)
	if s.Seeds != 10 || s.N != 10 {
		t.Errorf("got %d seeds and %d values, want 10 and 10", s.Seeds, s.N)
	}
	near(t, "mean", s.Mean, 0.75, 1e-12)
	near(t, "sd", s.SD, 1.789010, 1e-6)
	near(t, "min", s.Min, -1.6, 0)
	near(t, "median", s.Median, 0.35, 1e-12)
	near(t, "max", s.Max, 3.7, 0)
	near(t, "low", s.Interval.Low, -0.5297804, 1e-6)
	near(t, "high", s.Interval.High, 2.0297804, 1e-6)
	if s.Interval.Confidence != 0.95 {
		t.Errorf("confidence: got %v, want 0.95", s.Interval.Confidence)
	}
	absent(t, "sd of repeats", s.SDWithin)
	warned(t, s.Warnings)
}

func TestSummarizeRepeats(t *testing.T) {
	t.Parallel()
	s := Summarize([]Sample{{"a", 1}, {"a", 3}, {"b", 4}, {"b", 8}, {"c", 9}}, 0.9)
	near(t, "mean of seed means", s.Mean, 17.0/3, 1e-12)
	near(t, "sd of 2, 6, 9", s.SD, math.Sqrt(37.0/3), 1e-12)
	near(t, "pooled sd of repeats", s.SDWithin, math.Sqrt(5), 1e-12)
	near(t, "median of values", s.Median, 4, 0)
	// t(2) at 90 % is 2.919986.
	near(t, "low", s.Interval.Low, 17.0/3-2.919986*math.Sqrt(37.0/9), 1e-5)
	warned(t, s.Warnings, "3 seeds: the interval is wide",
		"seeds have unequal numbers of repeats: each seed counts equally")
}

func TestSummarizeDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name       string
		samples    []Sample
		confidence float64
		interval   bool
		want       []string
	}{
		{"none", nil, 0, false, []string{"no values"}},
		{"one", perSeed(3), 0, false, []string{"1 seed: no interval"}},
		{"one repeated", []Sample{{"a", 1}, {"a", 2}}, 0, false, []string{"1 seed: no interval"}},
		{"two", perSeed(3, 4), 0, true, []string{"2 seeds: the interval is wide"}},
		{"equal", perSeed(0.1, 0.1, 0.1), 0, false, []string{"all values equal: no interval from spread"}},
		{"equal up to rounding", perSeed(0.3, 0.30000000000000004, 0.3), 0, false, []string{"all values equal: no interval from spread"}},
		{"equal means", []Sample{{"a", 1}, {"a", 3}, {"b", 2}, {"b", 2}}, 0, false, []string{"all seed means equal: no interval from spread"}},
		{"not finite", perSeed(1, 2, 3, 4, 5, math.NaN(), math.Inf(1)), 0, true, []string{"2 of 7 values are not finite: left out"}},
		{"confidence", perSeed(1, 2, 3, 4, 5), 1.5, false, []string{"confidence 1.5: want a number between 0 and 1: no interval"}},
		{"huge", perSeed(math.MaxFloat64, -math.MaxFloat64, math.MaxFloat64, 1, 2), 0, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := Summarize(c.samples, c.confidence)
			if s.Interval.OK() != c.interval {
				t.Errorf("interval: got %+v, want one: %v", s.Interval, c.interval)
			}
			if diff := cmp.Diff(c.want, s.Warnings); diff != "" {
				t.Errorf("warnings (-want +got):\n%s", diff)
			}
		})
	}
	s := Summarize(perSeed(0.1, 0.1, 0.1), 0)
	near(t, "mean of equal values", s.Mean, 0.1, 0)
	near(t, "sd of equal values", s.SD, 0, 0)
}

// The interval covers the truth as often as it says, also where repeats of a
// seed hang together; one that took repeats as independent would not.
func TestIntervalCoverage(t *testing.T) {
	t.Parallel()
	const trials, seeds, repeats = 4000, 5, 4
	rng := rand.New(rand.NewPCG(7, 7))
	clustered, naive := 0, 0
	for range trials {
		var samples []Sample
		for seed := range seeds {
			shift := rng.NormFloat64()
			for range repeats {
				samples = append(samples, Sample{fmt.Sprint(seed), 3 + shift + rng.NormFloat64()})
			}
		}
		if covers(Summarize(samples, 0), 3) {
			clustered++
		}
		for i := range samples {
			samples[i].Cluster = fmt.Sprint(i)
		}
		if covers(Summarize(samples, 0), 3) {
			naive++
		}
	}
	// Three standard errors of a share of 0.95 in 4000 are 0.0103.
	if share := float64(clustered) / trials; math.Abs(share-0.95) > 0.0103 {
		t.Errorf("clustered intervals cover %.4f, want 0.95", share)
	}
	if share := float64(naive) / trials; share > 0.85 {
		t.Errorf("naive intervals cover %.4f: the samples are no test of clustering", share)
	}
}

func covers(s Summary, truth float64) bool {
	return s.Interval.Low.V <= truth && truth <= s.Interval.High.V
}
