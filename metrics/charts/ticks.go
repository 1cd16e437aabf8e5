package charts

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
)

// step returns the smallest of 1, 2, 2.5 or 5 times a power of ten that cuts
// span into at most n intervals.
func step(span float64, n int) float64 {
	raw := span / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// linearTicks returns the multiples of a round step within [lo, hi].
func linearTicks(lo, hi float64, n int) []plot.Tick {
	by := step(hi-lo, n)
	var ticks []plot.Tick
	for k := math.Ceil(lo/by - 1e-6); k <= hi/by+1e-6 && len(ticks) <= 2*n; k++ {
		v := k * by
		ticks = append(ticks, plot.Tick{Value: v, Label: tickLabel(v, by)})
	}
	return ticks
}

// logTicks returns ticks for the decades between lo and hi, which are powers
// of ten's exponents: labels at decades, at 2 and 5 as well where the range is
// short, and at round values where it is shorter than that.
func logTicks(lo, hi float64) []plot.Tick {
	ticks, labels := decadeTicks(lo, hi, []float64{1})
	if hi-lo < 2.5 {
		ticks, labels = decadeTicks(lo, hi, []float64{1, 2, 5})
	}
	if labels >= 3 {
		return ticks
	}
	ticks = linearTicks(math.Pow(10, lo), math.Pow(10, hi), 5)
	for i := range ticks {
		ticks[i].Value = math.Log10(ticks[i].Value)
	}
	return ticks
}

// decadeTicks returns labelled ticks at the multiples given and bare ones at
// the other digits, and how many carry a label.
func decadeTicks(lo, hi float64, multiples []float64) (ticks []plot.Tick, labels int) {
	every := max(1, int(math.Ceil((hi-lo)/8)))
	for e := int(math.Floor(lo)); e <= int(math.Ceil(hi)); e++ {
		for digit := 1.0; digit <= 9; digit++ {
			v := digit * math.Pow(10, float64(e))
			at := math.Log10(v)
			if at < lo-1e-9 || at > hi+1e-9 {
				continue
			}
			tick := plot.Tick{Value: at}
			if contains(multiples, digit) && e%every == 0 {
				tick.Label = tickLabel(v, v)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks, labels
}

func contains(values []float64, v float64) bool {
	for _, w := range values {
		if v == w {
			return true
		}
	}
	return false
}

var units = []struct {
	size float64
	name string
}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}}

// tickLabel writes v as a person would beside an axis whose ticks are by
// apart: 0.25, 10, 1k, 2.5M, 3B (10⁹). Below 1k all labels of an axis show the
// same number of decimals.
func tickLabel(v, by float64) string {
	if v == 0 || math.Abs(v) < by*1e-6 {
		v = 0
	}
	for _, u := range units {
		if math.Abs(v) < u.size*(1-1e-12) {
			continue
		}
		places := decimals(by / u.size)
		if places > 3 {
			return strconv.FormatFloat(v, 'f', decimals(by), 64)
		}
		return trimZeros(strconv.FormatFloat(v/u.size, 'f', places, 64)) + u.name
	}
	if by < 1e-6 {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	if v == 0 && by >= 1 {
		return "0"
	}
	return strconv.FormatFloat(v, 'f', decimals(by), 64)
}

// decimals returns how many digits after the point show a multiple of by
// exactly, nine at most.
func decimals(by float64) int {
	for n := range 9 {
		scaled := by * math.Pow(10, float64(n))
		if scaled >= 1-1e-9 && math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return n
		}
	}
	return 9
}

func trimZeros(s string) string {
	if !strings.Contains(s, ".") {
		return s
	}
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}
