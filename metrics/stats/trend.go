package stats

import (
	"cmp"
	"slices"
)

// A Level is K of N trials of one cluster at one level of what may matter, such
// as a place in a list.
type Level struct {
	Cluster string
	At      float64
	K, N    int
}

// A Trend says whether the share of a yes-or-no outcome rises or falls with a
// level.
type Trend struct {
	N        int         `json:"n"` // trials
	Clusters int         `json:"clusters"`
	Slope    Value       `json:"slope"` // change of the share per unit of level, by least squares
	Test     Permutation `json:"test"`
	Warnings []string    `json:"warnings,omitempty"`
}

// trendSeed draws the sign flips of every Trend.
const trendSeed = 1

// TrendClustered is the Cochran–Armitage test for trend with whole clusters as
// the unit. The statistic is Armitage's (1955): the sum of (level - mean level) ×
// (outcome - mean outcome). Trials of one cluster are added up, and the signs of
// the clusters' sums flip at random, exactly for up to 20 clusters that have one
// (see [SignFlip]): where levels are drawn evenly around their mean and do not
// matter, a cluster's sum is as likely to be d as -d.
//
// There is no p-value for fewer than two clusters, nor where the outcomes or the
// levels are all equal.
func TrendClustered(levels []Level) Trend {
	sorted, bad := sortLevels(levels)
	var t Trend
	k, x := 0.0, 0.0
	for _, l := range sorted {
		t.N += l.N
		k += float64(l.K)
		x += l.At * float64(l.N)
	}
	if bad > 0 {
		t.Warnings = append(t.Warnings, plural(bad, "level")+" not finite or outside 0 ≤ k ≤ n: left out")
	}
	if t.N == 0 {
		t.Warnings = append(t.Warnings, "no trials")
		return t
	}
	share, middle := k/float64(t.N), x/float64(t.N)
	var sums []float64
	cross, square, last := 0.0, 0.0, ""
	for _, l := range sorted {
		d := l.At - middle
		one := d * (float64(l.K) - share*float64(l.N))
		cross += one
		square += d * d * float64(l.N)
		if len(sums) == 0 || l.Cluster != last {
			sums = append(sums, 0)
		}
		sums[len(sums)-1] += one
		last = l.Cluster
	}
	t.Clusters = len(sums)
	dropRounding(sums, rounding*square)
	t.Slope = Of(cross / square)
	if t.Test = SignFlip(sums, trendSeed); !t.Test.P.OK {
		t.Warnings = append(t.Warnings, "one cluster, or all outcomes or levels equal: no p-value")
	}
	return t
}

func sortLevels(levels []Level) (sorted []Level, bad int) {
	for _, l := range levels {
		switch {
		case l.K < 0 || l.K > l.N || !finite(l.At):
			bad++
		case l.N > 0:
			sorted = append(sorted, l)
		}
	}
	slices.SortFunc(sorted, func(a, b Level) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.At, b.At), a.K-b.K, a.N-b.N)
	})
	return sorted, bad
}
