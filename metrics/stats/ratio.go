package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Part is what one cluster adds to a ratio: Sum of a quantity over Weight of
// another, such as tokens over calls.
type Part struct {
	Cluster     string
	Sum, Weight float64
}

// A Ratio is one total over another, such as tokens per call, with the interval
// of a ratio of totals over clusters.
type Ratio struct {
	Sum      float64  `json:"sum"`
	Weight   float64  `json:"weight"`
	Ratio    Value    `json:"ratio"`
	SE       Value    `json:"se"`
	Clusters int      `json:"clusters"`
	Interval Interval `json:"interval"`
	Warnings []string `json:"warnings,omitempty"`
}

// RatioClustered returns the sum of the parts over their weight. Its interval
// is Student's t with clusters-1 degrees of freedom on the linearised variance
// between clusters (Cochran 1977, section 6.4), so clusters may differ in
// weight. Parts of one cluster are added up first; those without weight, or not
// finite, are left out. Confidence 0 means [DefaultConfidence].
func RatioClustered(parts []Part, confidence float64) Ratio {
	merged, dropped := mergeParts(parts)
	r := Ratio{Clusters: len(merged)}
	for _, p := range merged {
		r.Sum, r.Weight = r.Sum+p.Sum, r.Weight+p.Weight
	}
	r.Ratio = Of(r.Sum / r.Weight)
	if dropped > 0 {
		r.Warnings = append(r.Warnings, plural(dropped, "part")+" without weight or not finite: left out")
	}
	confidence, wrong := level(confidence)
	r.Interval.Confidence = confidence
	switch {
	case wrong != "":
	case !r.Ratio.OK:
		wrong = "no values"
	case len(merged) < 2:
		wrong = plural(len(merged), "cluster") + ": no interval"
	default:
		if r.SE = linearised(merged, r); r.SE.V == 0 {
			wrong = "all clusters equal: no interval from spread"
		} else {
			r.Interval = tInterval(r.Ratio.V, r.SE.V, float64(len(merged)-1), confidence)
		}
	}
	if wrong != "" {
		r.Warnings = append(r.Warnings, wrong)
	}
	return r
}

// linearised is the standard error of a ratio of totals, exactly 0 for clusters
// that differ by rounding only.
func linearised(parts []Part, r Ratio) Value {
	sum, size := 0.0, 0.0
	for _, p := range parts {
		d := p.Sum - r.Ratio.V*p.Weight
		sum += d * d
		size = math.Max(size, math.Abs(p.Sum))
	}
	m := float64(len(parts))
	if math.Sqrt(sum) <= rounding*size*m {
		return Of(0)
	}
	return Of(math.Sqrt(m/(m-1)*sum) / r.Weight)
}

func mergeParts(parts []Part) (merged []Part, dropped int) {
	sorted := slices.SortedFunc(slices.Values(parts), func(a, b Part) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Sum, b.Sum), cmp.Compare(a.Weight, b.Weight))
	})
	for _, p := range sorted {
		if !finite(p.Sum) || !finite(p.Weight) || p.Weight <= 0 {
			dropped++
			continue
		}
		if last := len(merged) - 1; last >= 0 && merged[last].Cluster == p.Cluster {
			merged[last].Sum += p.Sum
			merged[last].Weight += p.Weight
			continue
		}
		merged = append(merged, p)
	}
	return merged, dropped
}

// RatioDifference returns a - b for two independent ratios, with Student's t on
// their joint standard error and the fewer degrees of freedom of the two. There
// is no interval where one of them has none.
func RatioDifference(a, b Ratio) (Value, Interval) {
	none := Interval{Confidence: a.Interval.Confidence}
	if !a.Ratio.OK || !b.Ratio.OK {
		return Value{}, none
	}
	d := a.Ratio.V - b.Ratio.V
	if !a.Interval.OK() || !b.Interval.OK() {
		return Of(d), none
	}
	return Of(d), tInterval(d, math.Hypot(a.SE.V, b.SE.V), float64(min(a.Clusters, b.Clusters)-1), a.Interval.Confidence)
}
