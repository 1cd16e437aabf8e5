package stats

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// durationsOf gives each duration a seed of its own; negative ones are
// censored.
func durationsOf(steps ...int) []Duration {
	var ds []Duration
	for i, s := range steps {
		ds = append(ds, Duration{Cluster: fmt.Sprint(i), Steps: max(s, -s), Censored: s < 0})
	}
	return ds
}

// Acute myelogenous leukaemia (Miller 1981), as R's survival package has it.
var (
	maintained    = durationsOf(9, 13, -13, 18, 23, -28, 31, 34, -45, 48, -161)
	nonMaintained = durationsOf(5, 5, 8, 8, 12, -16, 23, 27, 30, 33, 43, 45)
)

func TestRestrictedMeanLeukaemia(t *testing.T) {
	t.Parallel()
	r := RestrictedMean(maintained, 161, 0)
	near(t, "mean", r.Mean, 52.6454545, 1e-6)
	near(t, "se", r.SE, 19.8286028, 1e-6)
	if r.N != 11 || r.Events != 7 || r.Seeds != 11 {
		t.Errorf("got %+v, want 11 durations, 7 events", r)
	}
	var shares []string
	for _, p := range r.Curve {
		shares = append(shares, fmt.Sprintf("%d %.3f", p.Steps, p.Share))
	}
	want := []string{"9 0.909", "13 0.818", "18 0.716", "23 0.614", "31 0.491", "34 0.368", "48 0.184"}
	if diff := cmp.Diff(want, shares); diff != "" {
		t.Errorf("curve (-want +got):\n%s", diff)
	}
	r = RestrictedMean(maintained, 30, 0)
	near(t, "mean to 30", r.Mean, 24.6022727, 1e-6)
	near(t, "se to 30", r.SE, 2.3131494, 1e-6)
	r = RestrictedMean(nonMaintained, 161, 0)
	near(t, "mean of the other arm", r.Mean, 22.7083333, 1e-6)
	near(t, "se of the other arm", r.SE, 4.1809420, 1e-6)
}

// With nothing censored the curve is the plain distribution and the jackknife
// is the plain standard error.
func TestRestrictedMeanWithoutCensoring(t *testing.T) {
	t.Parallel()
	r := RestrictedMean(durationsOf(0, 0, 1, 2, 2, 7), 15, 0)
	s := Summarize(perSeed(0, 0, 1, 2, 2, 7), 0)
	near(t, "mean", r.Mean, 2, 1e-12)
	near(t, "jackknife", r.SESeeds, s.SD.V/math.Sqrt(6), 1e-12)
	near(t, "high", r.Interval.High, s.Interval.High.V, 1e-9)
	near(t, "low is not below 0", r.Interval.Low, 0, 0)
}

// Five drifts of an episode that go the same way are worth one.
func TestRestrictedMeanClusters(t *testing.T) {
	t.Parallel()
	var copies []Duration
	for _, d := range durationsOf(1, 3, -15, 4, 2, 6) {
		for range 5 {
			copies = append(copies, d)
		}
	}
	one, five := RestrictedMean(durationsOf(1, 3, -15, 4, 2, 6), 15, 0), RestrictedMean(copies, 15, 0)
	near(t, "mean", five.Mean, one.Mean.V, 1e-12)
	near(t, "jackknife", five.SESeeds, one.SESeeds.V, 1e-12)
	near(t, "Greenwood", five.SE, one.SE.V/math.Sqrt(5), 1e-12)
}

func TestRestrictedMeanDoubt(t *testing.T) {
	t.Parallel()
	sameSeed := []Duration{{"a", 1, false}, {"a", 3, false}}
	for _, c := range []struct {
		name           string
		durations      []Duration
		tau            int
		mean, interval bool
		want           []string
	}{
		{"none", nil, 15, false, false, []string{"no durations or no time to watch: no mean"}},
		{"tau 0", durationsOf(1, 2), 0, false, false, []string{"no durations or no time to watch: no mean"}},
		{"censored early", durationsOf(1, -4), 15, false, false, []string{"watching ended before tau: no mean"}},
		{"never recovered", durationsOf(-15, -15), 15, true, false, []string{"all durations equal up to tau: no interval from spread"}},
		{"always at once", durationsOf(0, 0, 0), 15, true, false, []string{"all durations equal up to tau: no interval from spread"}},
		{"one seed", sameSeed, 15, true, false, []string{"1 seed: no interval"}},
		{"seeds alike", append([]Duration{{"b", 3, false}, {"b", 1, false}}, sameSeed...), 15, true, false, []string{"all seeds alike: no interval from spread"}},
		{"two seeds", durationsOf(1, 5), 15, true, true, []string{"2 seeds: the interval is wide"}},
		{"one watched", durationsOf(1, -15, -4, -5, -6), 15, true, false, []string{"one seed alone is watched up to tau: no interval"}},
		{"negative", append(durationsOf(1, 2, 3, 4, 5), Duration{"x", -3, false}), 15, true, true, []string{"1 duration negative: left out"}},
	} {
		r := RestrictedMean(c.durations, c.tau, 0)
		if r.Mean.OK != c.mean || r.Interval.OK() != c.interval || (r.SE.OK && r.SE.V == 0) {
			t.Errorf("%s: got %+v", c.name, r)
		}
		if diff := cmp.Diff(c.want, r.Warnings); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", c.name, diff)
		}
	}
	near(t, "never recovered", RestrictedMean(durationsOf(-15, -15), 15, 0).Mean, 15, 0)
	near(t, "always at once", RestrictedMean(durationsOf(0, 0), 15, 0).Mean, 0, 0)
}
