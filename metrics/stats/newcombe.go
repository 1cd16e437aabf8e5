package stats

import "math"

// Newcombe returns a - b with the hybrid score interval of Newcombe (1998,
// method 10), made from the intervals of two independent proportions. Those may
// be widened for clusters; the interval of the difference then is, too. It is
// absent where one of theirs is.
func Newcombe(a, b Proportion) (Value, Interval) {
	none := Interval{Confidence: a.Interval.Confidence}
	if !a.Share.OK || !b.Share.OK {
		return Value{}, none
	}
	d := a.Share.V - b.Share.V
	if !a.Interval.OK() || !b.Interval.OK() {
		return Of(d), none
	}
	down := math.Hypot(a.Share.V-a.Interval.Low.V, b.Interval.High.V-b.Share.V)
	up := math.Hypot(a.Interval.High.V-a.Share.V, b.Share.V-b.Interval.Low.V)
	return Of(d), between(d-down, d+up, a.Interval.Confidence)
}
