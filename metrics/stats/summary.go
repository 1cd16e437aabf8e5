package stats

import (
	"math"
)

// A Summary describes values grouped by seed. Each seed counts equally: Mean,
// SD and Interval are those of the seed means. Min, Median and Max are of the
// single values.
type Summary struct {
	Seeds    int      `json:"seeds"`
	N        int      `json:"n"` // values, repeats included
	Mean     Value    `json:"mean"`
	SD       Value    `json:"sd"`         // sample SD between seeds
	SDWithin Value    `json:"sd_repeats"` // SD between repeats of a seed, pooled; absent without repeats
	Min      Value    `json:"min"`
	Median   Value    `json:"median"`
	Max      Value    `json:"max"`
	Interval Interval `json:"interval"` // Student's t, clustered by seed
	Warnings []string `json:"warnings,omitempty"`
}

// fewSeeds is the number of seeds from which a t-interval passes without a
// remark on its width: its critical value is then below 3 at 95 %.
const fewSeeds = 5

// Summarize summarises samples; confidence 0 means [DefaultConfidence].
// Values that are not finite are left out, with a warning.
func Summarize(samples []Sample, confidence float64) Summary {
	c := group(samples)
	means := c.means()
	s := Summary{Seeds: len(means), N: len(c.values), SDWithin: c.within(), SD: spread(means)}
	s.Warnings = c.droppedWarning()
	confidence, wrong := level(confidence)
	s.Interval.Confidence = confidence
	if s.N == 0 {
		s.Warnings = append(s.Warnings, "no values")
		return s
	}
	s.Mean = Of(mean(means))
	s.Min, s.Max = Of(c.values[0]), Of(c.values[s.N-1])
	s.Median = sortedQuantile(c.values, 0.5)
	if !c.balanced() {
		s.Warnings = append(s.Warnings, "seeds have unequal numbers of repeats: each seed counts equally")
	}
	if wrong != "" {
		s.Warnings = append(s.Warnings, wrong)
		return s
	}
	doubt, ok := meanDoubt(means, s.N)
	if doubt != "" {
		s.Warnings = append(s.Warnings, doubt)
	}
	if ok && s.SD.OK {
		se := s.SD.V / math.Sqrt(float64(s.Seeds))
		s.Interval = tInterval(s.Mean.V, se, float64(s.Seeds-1), confidence)
	}
	return s
}

// meanDoubt says what is doubtful about an interval for the mean of seed
// means, and whether there can be one.
func meanDoubt(means []float64, values int) (doubt string, ok bool) {
	n := len(means)
	switch {
	case n < 2:
		return plural(n, "seed") + ": no interval", false
	case flat(means) && values > n:
		return "all seed means equal: no interval from spread", false
	case flat(means):
		return "all values equal: no interval from spread", false
	case n < fewSeeds:
		return plural(n, "seed") + ": the interval is wide", true
	}
	return "", true
}
