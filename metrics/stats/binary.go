package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A PairedBinary compares two conditions on the same yes-or-no items.
type PairedBinary struct {
	Both     int      `json:"both"`
	OnlyA    int      `json:"only_a"`
	OnlyB    int      `json:"only_b"`
	Neither  int      `json:"neither"`
	P        Value    `json:"p"` // exact McNemar, two-sided
	Warnings []string `json:"warnings,omitempty"`
}

// McNemar compares paired outcomes on the keys a and b share; keys of one
// condition alone are left out with a warning. Items are taken as independent:
// events of one episode are not, so give one item per seed.
func McNemar(a, b map[string]bool) PairedBinary {
	var c PairedBinary
	onlyA := 0
	for key, x := range a {
		y, ok := b[key]
		switch {
		case !ok:
			onlyA++
		case x && y:
			c.Both++
		case x:
			c.OnlyA++
		case y:
			c.OnlyB++
		default:
			c.Neither++
		}
	}
	pairs := c.Both + c.OnlyA + c.OnlyB + c.Neither
	if onlyB := len(b) - pairs; onlyA > 0 || onlyB > 0 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s only in a, %d only in b: left out", plural(onlyA, "key"), onlyB))
	}
	c.P = McNemarExact(c.OnlyA, c.OnlyB)
	if !c.P.OK {
		c.Warnings = append(c.Warnings, "outcomes never differ: no p-value")
	}
	return c
}

// McNemarExact returns the two-sided binomial p-value of the numbers of
// discordant pairs (McNemar 1947): twice the smaller tail, at most 1. It is
// absent if there are none, or a count is negative.
func McNemarExact(onlyA, onlyB int) Value {
	if onlyA < 0 || onlyB < 0 || onlyA+onlyB == 0 {
		return Value{}
	}
	tail := distuv.Binomial{N: float64(onlyA + onlyB), P: 0.5}.CDF(float64(min(onlyA, onlyB)))
	return Of(math.Min(1, 2*tail))
}

// A ProportionDifference compares two independent proportions, A - B.
type ProportionDifference struct {
	A          Proportion `json:"a"`
	B          Proportion `json:"b"`
	Difference Value      `json:"difference"`
	Interval   Interval   `json:"interval"`
	P          Value      `json:"p"` // Fisher's exact test, two-sided
	Warnings   []string   `json:"warnings,omitempty"`
}

// CompareProportions compares k1 of n1 with k2 of n2 independent trials: the
// hybrid score interval of Newcombe (1998, method 10) and Fisher's exact test.
// Confidence 0 means [DefaultConfidence].
func CompareProportions(k1, n1, k2, n2 int, confidence float64) ProportionDifference {
	a, b := Wilson(k1, n1, confidence), Wilson(k2, n2, confidence)
	d := ProportionDifference{A: a, B: b}
	d.Interval.Confidence = a.Interval.Confidence
	if !a.Share.OK || !b.Share.OK {
		d.Warnings = append(d.Warnings, "a proportion is missing: no comparison")
		return d
	}
	d.Difference, d.Interval = Newcombe(a, b)
	d.P = Of(fisher(k1, n1, k2, n2))
	return d
}

// fisher adds up the tables with the same margins that are no likelier than
// the one seen.
func fisher(k1, n1, k2, n2 int) float64 {
	hits := k1 + k2
	all := logChoose(n1+n2, hits)
	logP := func(k int) float64 { return logChoose(n1, k) + logChoose(n2, hits-k) - all }
	const tie = 1e-7 // as in R: equally likely tables, whatever their rounding
	bound, tail := logP(k1)+tie, 0.0
	for k := max(0, hits-n2); k <= min(n1, hits); k++ {
		if p := logP(k); p <= bound {
			tail += math.Exp(p)
		}
	}
	return math.Min(1, tail)
}

func logChoose(n, k int) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int) float64 {
	v, _ := math.Lgamma(float64(n) + 1)
	return v
}
