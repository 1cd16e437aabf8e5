package stats

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// DefaultConfidence is the confidence level used where 0 is given.
const DefaultConfidence = 0.95

// level replaces 0 by the default and says what is wrong with a level that no
// interval can have.
func level(confidence float64) (float64, string) {
	if confidence == 0 {
		return DefaultConfidence, ""
	}
	if confidence > 0 && confidence < 1 {
		return confidence, ""
	}
	// The level itself may be NaN, which JSON cannot hold, so it is not kept.
	return 0, fmt.Sprintf("confidence %v: want a number between 0 and 1: no interval", confidence)
}

func student(df float64) distuv.StudentsT {
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
}

// tInterval returns centre ± t·se, or no interval if there is no degree of
// freedom.
func tInterval(centre, se, df, confidence float64) Interval {
	if df < 1 || confidence <= 0 {
		return Interval{Confidence: confidence}
	}
	half := tQuantile(df, confidence) * se
	return between(centre-half, centre+half, confidence)
}

// tQuantile returns the two-sided critical value of Student's t.
func tQuantile(df, confidence float64) float64 {
	return -student(df).Quantile((1 - confidence) / 2)
}

// tTwoSided returns the two-sided p-value of t. It uses Survival because
// 1-CDF loses small p-values to rounding.
func tTwoSided(t, df float64) float64 {
	return math.Min(1, 2*student(df).Survival(math.Abs(t)))
}

// normalQuantile returns the two-sided critical value of the normal
// distribution.
func normalQuantile(confidence float64) float64 {
	return -distuv.UnitNormal.Quantile((1 - confidence) / 2)
}
