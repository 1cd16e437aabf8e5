package stats

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Duration is a number of steps until an event such as recovery from a
// drift. If Censored, the event had not come after Steps, when watching ended.
type Duration struct {
	Cluster  string // normally a seed
	Steps    int
	Censored bool
}

// A Restricted is the mean of min(duration, Tau): the area under the
// Kaplan-Meier curve up to Tau. Unlike the mean of the recovered it does not
// reward a strategy that recovers only where it is easy.
type Restricted struct {
	N        int      `json:"n"`
	Events   int      `json:"events"`
	Seeds    int      `json:"seeds"`
	Tau      int      `json:"tau"` // steps
	Mean     Value    `json:"mean"`
	SE       Value    `json:"se"`       // Greenwood; takes durations as independent
	SESeeds  Value    `json:"se_seeds"` // jackknife over seeds
	Interval Interval `json:"interval"` // Student's t from SESeeds
	Curve    []Alive  `json:"curve,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// An Alive is one step down of the Kaplan-Meier curve: the Share of durations
// longer than Steps.
type Alive struct {
	Steps int     `json:"steps"`
	Share float64 `json:"share"`
}

// RestrictedMean returns the restricted mean up to tau steps; confidence 0
// means [DefaultConfidence]. A duration censored at some step is taken as
// longer than an event at that step. Negative durations are left out with a
// warning. The mean is absent if the curve is unknown before tau, because the
// longest duration is censored earlier.
func RestrictedMean(durations []Duration, tau int, confidence float64) Restricted {
	seeds, bad := bySeed(durations)
	r := Restricted{N: len(durations) - bad, Seeds: len(seeds), Tau: tau}
	if bad > 0 {
		r.Warnings = append(r.Warnings, plural(bad, "duration")+" negative: left out")
	}
	confidence, wrong := level(confidence)
	r.Interval.Confidence = confidence
	if wrong != "" {
		r.Warnings = append(r.Warnings, wrong)
	}
	if r.N == 0 || tau <= 0 {
		r.Warnings = append(r.Warnings, "no durations or no time to watch: no mean")
		return r
	}
	curve := kaplanMeier(slices.Concat(seeds...))
	r.Curve, r.Events = curve.alive(), curve.events()
	r.Mean, r.SE = curve.area(tau)
	if !r.Mean.OK {
		r.Warnings = append(r.Warnings, "watching ended before tau: no mean")
		return r
	}
	if r.SE.V == 0 {
		r.SE = Value{}
		r.Warnings = append(r.Warnings, "all durations equal up to tau: no interval from spread")
		return r
	}
	r.jackknife(seeds, confidence)
	return r
}

// jackknife leaves out one seed at a time: events of one episode come and go
// together, and Greenwood's formula would count each as news.
func (r *Restricted) jackknife(seeds [][]Duration, confidence float64) {
	without := leaveOneOut(seeds, r.Tau)
	n := float64(r.Seeds)
	switch {
	case r.Seeds < 2:
		r.Warnings = append(r.Warnings, "1 seed: no interval")
		return
	case len(without) < r.Seeds:
		r.Warnings = append(r.Warnings, "one seed alone is watched up to tau: no interval")
		return
	case flat(without):
		r.Warnings = append(r.Warnings, "all seeds alike: no interval from spread")
		return
	case r.Seeds < fewSeeds:
		r.Warnings = append(r.Warnings, plural(r.Seeds, "seed")+": the interval is wide")
	}
	r.SESeeds = Of(math.Sqrt((n - 1) * (n - 1) / n * stat.Variance(without, nil)))
	if t := tInterval(r.Mean.V, r.SESeeds.V, n-1, confidence); t.OK() {
		r.Interval = between(math.Max(0, t.Low.V), math.Min(float64(r.Tau), t.High.V), confidence)
	}
}

// leaveOneOut returns the restricted means without one seed each, of those
// that exist.
func leaveOneOut(seeds [][]Duration, tau int) []float64 {
	var means []float64
	for i := range seeds {
		rest := slices.Concat(slices.Concat(seeds[:i]...), slices.Concat(seeds[i+1:]...))
		if len(rest) == 0 {
			continue
		}
		if m, _ := kaplanMeier(rest).area(tau); m.OK {
			means = append(means, m.V)
		}
	}
	return means
}

// bySeed groups the durations that are not negative by cluster, in order of
// its name.
func bySeed(durations []Duration) (seeds [][]Duration, bad int) {
	groups := map[string][]Duration{}
	for _, d := range durations {
		if d.Steps < 0 {
			bad++
			continue
		}
		groups[d.Cluster] = append(groups[d.Cluster], d)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		seeds = append(seeds, groups[name])
	}
	return seeds, bad
}
