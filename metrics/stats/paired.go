package stats

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// A Comparison sets two conditions side by side on the keys (normally seeds)
// they share. Differences are a - b.
type Comparison struct {
	Pairs             int         `json:"pairs"`
	Difference        Value       `json:"difference"` // mean
	SD                Value       `json:"sd"`         // sample SD of the differences
	T                 Value       `json:"t"`
	DF                Value       `json:"df"`
	P                 Value       `json:"p"` // two-sided, of the paired t-test
	Interval          Interval    `json:"interval"`
	Permutation       Permutation `json:"permutation"`
	MinimumDetectable Value       `json:"minimum_detectable"` // see MinimumDetectable
	Warnings          []string    `json:"warnings,omitempty"`
}

// permutationSeed draws the sign flips of every Comparison.
const permutationSeed = 1

// Paired compares a with b pair by pair, at [DefaultConfidence]. Keys of one
// condition alone, and values that are not finite, are left out with a
// warning. Repeats of a seed must be averaged before: two keys are taken as
// independent.
//
// There are no p-values for fewer than two pairs, or if all differences are 0,
// as happens to conditions without chance. If all differences are equal but
// not 0 there is no t-test, but still a permutation test.
func Paired(a, b map[string]float64) Comparison {
	diffs, warnings := differences(a, b)
	n := len(diffs)
	c := Comparison{Pairs: n, SD: spread(diffs), Warnings: warnings}
	c.Interval.Confidence = DefaultConfidence
	if n == 0 {
		c.Warnings = append(c.Warnings, "no pairs")
		return c
	}
	c.Difference = Of(mean(diffs))
	if n < 2 {
		c.Warnings = append(c.Warnings, "1 pair: no p-value")
		return c
	}
	c.Permutation = SignFlip(diffs, permutationSeed)
	if !c.Permutation.P.OK {
		c.Warnings = append(c.Warnings, "deterministic: no p-value")
		return c
	}
	c.Warnings = append(c.Warnings, c.Permutation.doubt()...)
	if !c.SD.OK || c.SD.V == 0 {
		c.Warnings = append(c.Warnings, "all differences equal: no t-test")
		return c
	}
	c.studentTest()
	return c
}

func (c *Comparison) studentTest() {
	df := float64(c.Pairs - 1)
	se := c.SD.V / math.Sqrt(float64(c.Pairs))
	c.T, c.DF = Of(c.Difference.V/se), Of(df)
	if c.T.OK {
		c.P = Of(tTwoSided(c.T.V, df))
	}
	c.Interval = tInterval(c.Difference.V, se, df, DefaultConfidence)
	c.MinimumDetectable = MinimumDetectable(c.SD.V, c.Pairs)
	if c.Pairs < fewSeeds {
		c.Warnings = append(c.Warnings, plural(c.Pairs, "pair")+": the interval is wide")
	}
}

// differences returns a - b in the order of their keys.
func differences(a, b map[string]float64) (diffs []float64, warnings []string) {
	onlyA, infinite, size := 0, 0, 0.0
	for _, key := range slices.Sorted(maps.Keys(a)) {
		x := a[key]
		y, ok := b[key]
		switch {
		case !ok:
			onlyA++
		case !finite(x - y):
			infinite++
		default:
			size = max(size, math.Abs(x), math.Abs(y))
			diffs = append(diffs, x-y)
		}
	}
	dropRounding(diffs, rounding*size)
	onlyB := len(b) - len(diffs) - infinite
	if onlyA > 0 || onlyB > 0 {
		warnings = append(warnings, fmt.Sprintf("%s only in a, %d only in b: left out", plural(onlyA, "key"), onlyB))
	}
	if infinite > 0 {
		warnings = append(warnings, plural(infinite, "pair")+" not finite: left out")
	}
	return diffs, warnings
}

// dropRounding makes differences exactly equal, or exactly 0, that are so but
// for the rounding of their terms: 0.3 - 0.2 is not 0.2 - 0.1.
func dropRounding(diffs []float64, tolerance float64) {
	if len(diffs) == 0 {
		return
	}
	equal := slices.Max(diffs)-slices.Min(diffs) <= tolerance
	for i, d := range diffs {
		if math.Abs(d) <= tolerance {
			diffs[i] = 0
		} else if equal {
			diffs[i] = diffs[0]
		}
	}
}
