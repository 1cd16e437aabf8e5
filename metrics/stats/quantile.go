package stats

import (
	"math"
	"slices"
)

// Quantile returns the p-quantile of xs, 0 ≤ p ≤ 1, by linear interpolation
// between order statistics (type 7 of Hyndman and Fan 1996, the default of R
// and NumPy). It is absent for no values, a value that is NaN, or p out of
// range. xs is not changed.
func Quantile(xs []float64, p float64) Value {
	if len(xs) == 0 || !(p >= 0 && p <= 1) || slices.ContainsFunc(xs, math.IsNaN) {
		return Value{}
	}
	return sortedQuantile(slices.Sorted(slices.Values(xs)), p)
}

func sortedQuantile(xs []float64, p float64) Value {
	h := p * float64(len(xs)-1)
	i := int(h)
	if frac := h - float64(i); frac > 0 {
		return Of(xs[i] + frac*(xs[i+1]-xs[i]))
	}
	return Of(xs[i])
}
