package charts

import (
	"math"
	"sort"

	"gonum.org/v1/plot"
)

// span is the drawn range of one axis in transformed values (log10 of the data
// on a log scale), with its ticks. gonum's own LogScale is not used: it gives
// away a quarter of the height as soon as the axis has a label, and panics at 0.
type span struct {
	lo, hi float64
	ticks  []plot.Tick
}

// at transforms one data value.
func (a Axis) at(v float64) float64 {
	if a.Scale == Log {
		return math.Log10(v)
	}
	return v
}

// span chooses the drawn range for transformed data between lo and hi. below
// and above are the shares of the range left free beyond its ends, so that
// markers stay clear of the frame.
func (a Axis) span(lo, hi, below, above float64) span {
	lo, hi = a.ends(lo, hi)
	s := span{lo: lo, hi: hi}
	if a.Scale == Log {
		s.ticks = logTicks(lo, hi)
	} else {
		s.ticks = linearTicks(lo, hi, 6)
	}
	s.lo -= (hi - lo) * below
	s.hi += (hi - lo) * above
	return s
}

// ends returns fixed ends where given, and else round ones about the data.
func (a Axis) ends(lo, hi float64) (float64, float64) {
	if lo > hi {
		lo, hi = a.at(1), a.at(10)
	}
	if a.Scale != Log && a.Min == nil && lo > 0 && lo < hi*0.5 {
		lo = 0
	}
	if a.Min != nil {
		lo = a.at(*a.Min)
	}
	if a.Max != nil {
		hi = a.at(*a.Max)
	}
	lo, hi = a.widen(lo, hi)
	if a.Scale == Log {
		return lo, hi
	}
	by := step(hi-lo, 6)
	if a.Min == nil {
		lo = math.Floor(lo/by+1e-6) * by
	}
	if a.Max == nil {
		hi = math.Ceil(hi/by-1e-6) * by
	}
	return lo, hi
}

// widen opens a range that is empty or too narrow to label.
func (a Axis) widen(lo, hi float64) (float64, float64) {
	least := math.Max(math.Max(math.Abs(lo), math.Abs(hi))*1e-6, 1e-9)
	room := math.Max(math.Abs(lo)*0.1, 0.5)
	if a.Scale == Log {
		least, room = 0.05, 0.2
	}
	if hi-lo >= least {
		return lo, hi
	}
	switch {
	case a.Min != nil && a.Max != nil, a.Min == nil && a.Max == nil:
		return lo - room, math.Max(lo, hi) + room
	case a.Min != nil:
		return lo, lo + room
	default:
		return hi - room, hi
	}
}

// useValues puts the ticks at the data's own values if they are few enough to
// be read, so that the horizons measured are the horizons labelled. width is
// the axis length in points.
func (s *span) useValues(a Axis, values []float64, width float64) {
	values = distinct(values)
	if len(values) < 1 || len(values) > 9 {
		return
	}
	const letter = 5.6 // points of width per character of a tick label
	var ticks []plot.Tick
	end := math.Inf(-1)
	for _, v := range values {
		at := a.at(v)
		if at < s.lo || at > s.hi {
			continue
		}
		label := tickLabel(v, exactStep(v))
		middle := (at - s.lo) / (s.hi - s.lo) * width
		half := letter * float64(len(label)) / 2
		if middle-half < end {
			label = ""
		} else {
			end = middle + half + letter
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
	}
	s.ticks = ticks
}

// exactStep returns the power of ten that shows v to three digits or more.
func exactStep(v float64) float64 {
	for by := 1.0; by > 1e-6; by /= 10 {
		if math.Abs(v/by-math.Round(v/by)) < 1e-6 {
			return by
		}
	}
	return 1e-6
}

func distinct(values []float64) []float64 {
	values = append([]float64(nil), values...)
	sort.Float64s(values)
	n := 0
	for i, v := range values {
		if i == 0 || v != values[n-1] {
			values[n] = v
			n++
		}
	}
	return values[:n]
}
