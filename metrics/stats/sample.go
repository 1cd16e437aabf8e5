package stats

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Sample is one measured value. Values of one Cluster, normally a seed, are
// not independent of each other.
type Sample struct {
	Cluster string
	Value   float64
}

// clusters are finite values grouped by cluster, in an order that does not
// depend on the order of the samples.
type clusters struct {
	values  []float64   // ascending
	groups  [][]float64 // by cluster name; each ascending, none empty
	dropped int         // values that were not finite
}

func group(samples []Sample) clusters {
	sorted := slices.SortedFunc(slices.Values(samples), func(a, b Sample) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Value, b.Value))
	})
	var c clusters
	last := ""
	for _, s := range sorted {
		if !finite(s.Value) {
			c.dropped++
			continue
		}
		if len(c.groups) == 0 || s.Cluster != last {
			c.groups = append(c.groups, nil)
		}
		last = s.Cluster
		c.groups[len(c.groups)-1] = append(c.groups[len(c.groups)-1], s.Value)
		c.values = append(c.values, s.Value)
	}
	slices.Sort(c.values)
	return c
}

// means returns one mean per cluster.
func (c clusters) means() []float64 {
	means := make([]float64, len(c.groups))
	for i, g := range c.groups {
		means[i] = mean(g)
	}
	return means
}

// balanced reports whether all clusters have the same number of values.
func (c clusters) balanced() bool {
	for _, g := range c.groups {
		if len(g) != len(c.groups[0]) {
			return false
		}
	}
	return true
}

// within returns the standard deviation between repeats of one cluster,
// pooled over clusters.
func (c clusters) within() Value {
	sum, df := 0.0, 0
	for _, g := range c.groups {
		if len(g) < 2 {
			continue
		}
		if !flat(g) {
			sum += stat.Variance(g, nil) * float64(len(g)-1)
		}
		df += len(g) - 1
	}
	return Of(math.Sqrt(sum / float64(df)))
}

func (c clusters) droppedWarning() []string {
	if c.dropped == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d values are not finite: left out",
		c.dropped, c.dropped+len(c.values))}
}

// mean keeps the mean of equal values exactly that value, which summing and
// dividing does not.
func mean(xs []float64) float64 {
	if flat(xs) {
		return xs[0]
	}
	return stat.Mean(xs, nil)
}

// spread returns the sample standard deviation (n-1), exactly 0 for values
// that differ by rounding only; absent for fewer than two values.
func spread(xs []float64) Value {
	if len(xs) < 2 {
		return Value{}
	}
	if flat(xs) {
		return Of(0)
	}
	return Of(stat.StdDev(xs, nil))
}

// flat reports whether all values are equal up to rounding. Without the
// tolerance, rounding would pass for evidence: a t of 10^16 and a p of 0.
func flat(xs []float64) bool {
	if len(xs) == 0 {
		return false
	}
	low, high := slices.Min(xs), slices.Max(xs)
	return high-low <= rounding*math.Max(math.Abs(low), math.Abs(high))
}

// rounding is the relative size of differences that count as none.
const rounding = 1e-12

// plural writes a count with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
