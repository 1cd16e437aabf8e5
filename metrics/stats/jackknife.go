package stats

import "math"

// Jackknife returns the interval of a statistic that is no mean, such as an F
// score, by leaving out one of n clusters at a time: without(i) is the statistic
// of all clusters but the i-th. It is Student's t with n-1 degrees of freedom on
// the delete-one variance (Efron and Tibshirani 1993, chapter 11), around whole,
// the statistic of all. There is none for fewer than two clusters, where whole or
// one of the others is absent, or where they are all equal. Confidence 0 means
// [DefaultConfidence].
func Jackknife(whole Value, n int, without func(i int) Value, confidence float64) Interval {
	confidence, wrong := level(confidence)
	none := Interval{Confidence: confidence}
	if wrong != "" || n < 2 || !whole.OK {
		return none
	}
	values := make([]float64, n)
	for i := range values {
		v := without(i)
		if !v.OK {
			return none
		}
		values[i] = v.V
	}
	if flat(values) {
		return none
	}
	centre, sum := mean(values), 0.0
	for _, v := range values {
		sum += (v - centre) * (v - centre)
	}
	m := float64(n)
	return tInterval(whole.V, math.Sqrt((m-1)/m*sum), m-1, confidence)
}
