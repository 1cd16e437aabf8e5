package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A Proportion is K of N with Wilson's interval.
type Proportion struct {
	K         int      `json:"k"`
	N         int      `json:"n"`
	Share     Value    `json:"share"`
	Effective Value    `json:"n_effective"` // independent trials that N is worth
	Interval  Interval `json:"interval"`
	Warnings  []string `json:"warnings,omitempty"`
}

// A Count is K of N in one cluster, normally the steps of one seed.
type Count struct {
	Cluster string
	K, N    int
}

// Wilson returns the score interval of Wilson (1927) for k of n independent
// trials, without continuity correction; confidence 0 means
// [DefaultConfidence]. Steps of one episode are not independent: use
// [WilsonClustered] for them.
func Wilson(k, n int, confidence float64) Proportion {
	p, confidence, ok := proportion(k, n, confidence)
	if !ok {
		return p
	}
	p.Effective = Of(float64(n))
	p.Interval = score(p.Share.V, p.Effective.V, normalQuantile(confidence), confidence)
	return p
}

// WilsonClustered returns Wilson's interval with n divided by the design
// effect, the variance between clusters over that of independent trials
// (Kish 1965; never taken below 1), and Student's t with clusters-1 degrees of
// freedom for the normal quantile (Dean and Pagano 2015). Where the design
// effect cannot be estimated it falls back to [Wilson] with a warning.
func WilsonClustered(counts []Count, confidence float64) Proportion {
	k, n, merged, bad := mergeCounts(counts)
	p := Wilson(k, n, confidence)
	if bad > 0 {
		p.Warnings = append(p.Warnings, plural(bad, "count")+" outside 0 ≤ k ≤ n: left out")
	}
	if !p.Interval.OK() {
		return p
	}
	m := len(merged)
	switch {
	case m < 2:
		p.Warnings = append(p.Warnings, "1 seed: the interval takes trials as independent")
		return p
	case k == 0 || k == n:
		p.Warnings = append(p.Warnings, "all outcomes equal: the interval takes trials as independent")
		return p
	case m < fewSeeds:
		p.Warnings = append(p.Warnings, plural(m, "seed")+": the interval is wide")
	}
	effect := math.Max(1, designEffect(merged, p.Share.V, float64(n)))
	p.Effective = Of(float64(n) / effect)
	confidence = p.Interval.Confidence
	p.Interval = score(p.Share.V, p.Effective.V, tQuantile(float64(m-1), confidence), confidence)
	return p
}

func proportion(k, n int, confidence float64) (Proportion, float64, bool) {
	p := Proportion{K: k, N: n}
	confidence, wrong := level(confidence)
	p.Interval.Confidence = confidence
	switch {
	case k < 0 || k > n:
		wrong = fmt.Sprintf("%d of %d: want 0 ≤ k ≤ n", k, n)
	case n == 0:
		wrong = "no trials"
	default:
		p.Share = Of(float64(k) / float64(n))
	}
	if wrong != "" {
		p.Warnings = []string{wrong}
	}
	return p, confidence, wrong == ""
}

func score(share, n, z, confidence float64) Interval {
	z2 := z * z
	centre := (share + z2/(2*n)) / (1 + z2/n)
	half := z / (1 + z2/n) * math.Sqrt(share*(1-share)/n+z2/(4*n*n))
	// Rounding must not push an end past the share or out of 0…1.
	low := math.Max(0, math.Min(share, centre-half))
	high := math.Min(1, math.Max(share, centre+half))
	return between(low, high, confidence)
}

// mergeCounts adds up counts of the same cluster and leaves out empty ones.
func mergeCounts(counts []Count) (k, n int, merged []Count, bad int) {
	sorted := slices.SortedFunc(slices.Values(counts), func(a, b Count) int {
		return cmp.Compare(a.Cluster, b.Cluster)
	})
	for _, c := range sorted {
		if c.K < 0 || c.K > c.N {
			bad++
			continue
		}
		if c.N == 0 {
			continue
		}
		k, n = k+c.K, n+c.N
		if last := len(merged) - 1; last >= 0 && merged[last].Cluster == c.Cluster {
			merged[last].K += c.K
			merged[last].N += c.N
			continue
		}
		merged = append(merged, c)
	}
	return k, n, merged, bad
}

// designEffect uses the linearised variance of a ratio estimator, so clusters
// may differ in size.
func designEffect(counts []Count, share, n float64) float64 {
	m, sum := float64(len(counts)), 0.0
	for _, c := range counts {
		r := float64(c.K) - share*float64(c.N)
		sum += r * r
	}
	return m / (m - 1) * sum / (n * n) / (share * (1 - share) / n)
}
