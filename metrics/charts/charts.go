// Package charts draws publication-grade pictures from plain numbers. It knows
// nothing of runs, cells or tables: a caller hands it series and words, and
// gets PNG or SVG bytes back. The same input always gives the same bytes.
//
// Text comes from the caller and may be hostile: it is bounded in length,
// reduced to what the font can show, and escaped.
package charts

import (
	"fmt"
	"math"
)

// Chart is a picture that can be rendered. Format is "png" (150 dpi) or "svg";
// anything else is an error, as is data that the chart cannot show honestly.
type Chart interface {
	Render(format string) ([]byte, error)
}

// Scale says how values map to lengths along an axis. The zero value is Linear.
type Scale string

const (
	Linear Scale = "linear"
	Log    Scale = "log" // base 10; every value must be above zero
)

// Axis describes one axis. Label carries the unit, such as "prompt size
// (characters)". Min and Max fix the ends; nil lets the data choose.
type Axis struct {
	Label    string
	Scale    Scale
	Min, Max *float64
}

const (
	maxSeries = 64      // series, parts or categories of one chart
	maxPoints = 100_000 // points of one series
	maxValue  = 1e15    // larger magnitudes have no readable label
)

// check reports an axis that cannot be drawn; name is "x" or "y".
func (a Axis) check(name string) error {
	switch a.Scale {
	case "", Linear, Log:
	default:
		return fmt.Errorf("%s axis: want scale %q or %q, got %q", name, Linear, Log, a.Scale)
	}
	for _, end := range []*float64{a.Min, a.Max} {
		if end == nil {
			continue
		}
		if !finite(*end) || math.Abs(*end) > maxValue {
			return fmt.Errorf("%s axis: want ends within ±%g, got %g", name, maxValue, *end)
		}
		if a.Scale == Log && *end <= 0 {
			return fmt.Errorf("%s axis: a log scale needs ends above zero, got %g", name, *end)
		}
	}
	if a.Min != nil && a.Max != nil && *a.Min >= *a.Max {
		return fmt.Errorf("%s axis: want min below max, got %g and %g", name, *a.Min, *a.Max)
	}
	return nil
}

// checkValue reports a finite value that the axis cannot show. Values that are
// not finite are gaps, never errors.
func (a Axis) checkValue(owner, name string, v float64) error {
	if !finite(v) {
		return nil
	}
	if math.Abs(v) > maxValue {
		return fmt.Errorf("series %q: %s value %g is beyond ±%g: change the unit", owner, name, v, maxValue)
	}
	if a.Scale == Log && v <= 0 {
		return fmt.Errorf("series %q: %s value %g cannot be shown on a log scale: want above zero", owner, name, v)
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
