package stats

import (
	"math"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"
)

// Significance and power of [MinimumDetectable].
const (
	detectAlpha = 0.05
	detectPower = 0.8
)

// MinimumDetectable returns the true mean difference that a two-sided paired
// t-test of n pairs at alpha 0.05 finds with power 0.8, if differences are
// normal with standard deviation sd. It is in the unit of sd and tells how
// small an effect a design can see; it says nothing about the effect seen.
// It is absent for n < 2 or an sd that is not positive and finite.
func MinimumDetectable(sd float64, n int) Value {
	if n < 2 || !(sd > 0) || math.IsInf(sd, 1) {
		return Value{}
	}
	power := newTPower(float64(n - 1))
	low, high := 0.0, 1.0
	for power.at(high) < detectPower {
		if high *= 2; high > 1e6 {
			return Value{}
		}
	}
	for range 60 {
		if mid := (low + high) / 2; power.at(mid) < detectPower {
			low = mid
		} else {
			high = mid
		}
	}
	return Of(high * sd / math.Sqrt(float64(n)))
}

// tPower gives the power of a t-test from the noncentral t distribution, which
// it integrates over the estimated standard deviation as a share of the true
// one: given that, the mean is normal.
type tPower struct {
	critical       float64
	shares, weight []float64
}

func newTPower(df float64) tPower {
	const nodes = 400
	p := tPower{tQuantile(df, 1-detectAlpha), make([]float64, nodes), make([]float64, nodes)}
	reach := 10 / math.Sqrt(2*df) // ten standard deviations of the share
	quad.Legendre{}.FixedLocations(p.shares, p.weight, math.Max(0, 1-reach), 1+reach)
	chi2 := distuv.ChiSquared{K: df}
	for i, s := range p.shares {
		p.weight[i] *= 2 * df * s * chi2.Prob(df*s*s)
	}
	return p
}

// at returns the power for a mean of shift standard errors.
func (p tPower) at(shift float64) float64 {
	sum := 0.0
	for i, s := range p.shares {
		cut := p.critical * s
		sum += p.weight[i] * (distuv.UnitNormal.CDF(shift-cut) + distuv.UnitNormal.CDF(-shift-cut))
	}
	return sum
}
