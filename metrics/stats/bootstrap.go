package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	bootstrapSeeds = 10
	bootstrapDraws = 9999
)

// A Bootstrap is a studentised bootstrap interval for the mean of seed means.
type Bootstrap struct {
	Seeds    int      `json:"seeds"`
	Mean     Value    `json:"mean"`
	Interval Interval `json:"interval"`
	Draws    int      `json:"draws"`
	Warnings []string `json:"warnings,omitempty"`
}

// BootstrapT resamples whole seeds (9,999 times, from seed) and takes the
// quantiles of the resampled t in place of Student's (Efron and Tibshirani
// 1993, chapter 12), so the interval may be skewed as the scores are. It is
// only offered for 10 seeds or more: below that it undercovers. Confidence 0
// means [DefaultConfidence].
func BootstrapT(samples []Sample, confidence float64, seed uint64) Bootstrap {
	c := group(samples)
	means := c.means()
	b := Bootstrap{Seeds: len(means), Warnings: c.droppedWarning()}
	confidence, wrong := level(confidence)
	b.Interval.Confidence = confidence
	if len(means) > 0 {
		b.Mean = Of(mean(means))
	}
	switch {
	case wrong != "":
	case len(means) < bootstrapSeeds:
		wrong = fmt.Sprintf("%s: the bootstrap wants at least %d: no interval", plural(len(means), "seed"), bootstrapSeeds)
	case flat(means):
		wrong = "all seed means equal: no interval from spread"
	default:
		b.Draws = bootstrapDraws
		b.Interval = studentised(means, confidence, seed)
		if !b.Interval.OK() {
			wrong = "too many resamples without spread: no interval"
		}
	}
	if wrong != "" {
		b.Warnings = append(b.Warnings, wrong)
	}
	return b
}

func studentised(xs []float64, confidence float64, seed uint64) Interval {
	rng := rand.New(rand.NewPCG(seed, stream))
	centre, sd := stat.MeanStdDev(xs, nil)
	root := math.Sqrt(float64(len(xs)))
	ts, draw := make([]float64, bootstrapDraws), make([]float64, len(xs))
	for i := range ts {
		for j := range draw {
			draw[j] = xs[rng.IntN(len(xs))]
		}
		ts[i] = resampledT(draw, centre, root)
	}
	slices.Sort(ts)
	tail := (1 - confidence) / 2
	low, high := sortedQuantile(ts, tail), sortedQuantile(ts, 1-tail)
	if !low.OK || !high.OK {
		return Interval{Confidence: confidence}
	}
	// The tails change sides: a resample that lies high says the mean may lie low.
	return between(centre-high.V*sd/root, centre-low.V*sd/root, confidence)
}

// resampledT is infinite for a resample without spread away from the centre:
// it belongs in the tail, and dropping it would shorten the interval.
func resampledT(draw []float64, centre, root float64) float64 {
	if !flat(draw) {
		m, sd := stat.MeanStdDev(draw, nil)
		return (m - centre) / (sd / root)
	}
	switch {
	case draw[0] < centre:
		return math.Inf(-1)
	case draw[0] > centre:
		return math.Inf(1)
	}
	return 0
}
