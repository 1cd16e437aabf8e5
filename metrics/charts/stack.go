package charts

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Stack is a stacked area chart: what a whole is made of, along X, such as the
// parts of a prompt per step. Values[part][i] stands at X0[i]; the first part
// lies at the bottom. A column with a value that is not finite is a gap. The Y
// axis starts at 0 and is linear, since parts add up.
type Stack struct {
	Title, Subtitle string
	X, Y            Axis
	Parts           []string
	X0              []float64
	Values          [][]float64
}

// Render draws the chart; format is "png" or "svg".
func (s Stack) Render(format string) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	fills := assignFills(s.Parts)
	cols := s.columns()
	page := newPage(s.Title, s.Subtitle, "", stackLegend(s.Parts, fills, s.Values))
	xs, ys := s.spans(cols, page.plotWidth())
	plt := newPlot(s.X, s.Y, xs, ys)
	plt.Add(grid(true, true), areas{cols, fills})
	return page.render(plt, format)
}

func (s Stack) check() error {
	if err := s.X.check("x"); err != nil {
		return err
	}
	if len(s.X0) > maxPoints {
		return fmt.Errorf("stacked chart: want %d columns at most, got %d", maxPoints, len(s.X0))
	}
	for _, x := range s.X0 {
		if err := s.X.checkValue("x0", "x", x); err != nil {
			return err
		}
	}
	return checkParts(s.Y, s.Parts, s.Values, len(s.X0))
}

// checkParts reports values that cannot be stacked on y.
func checkParts(y Axis, parts []string, values [][]float64, n int) error {
	if err := y.check("y"); err != nil {
		return err
	}
	if y.Scale == Log {
		return errors.New("stacked chart: parts add up, so the y axis must be linear")
	}
	if y.Min != nil && *y.Min != 0 {
		return fmt.Errorf("stacked chart: the y axis starts at 0, got min %g", *y.Min)
	}
	if y.Max != nil && *y.Max <= 0 {
		return fmt.Errorf("stacked chart: want y max above 0, got %g", *y.Max)
	}
	if len(parts) != len(values) {
		return fmt.Errorf("stacked chart: %d parts but %d rows of values", len(parts), len(values))
	}
	if len(parts) > maxSeries {
		return fmt.Errorf("stacked chart: want %d parts at most, got %d", maxSeries, len(parts))
	}
	for i, row := range values {
		if len(row) != n {
			return fmt.Errorf("part %q: want %d values, got %d", parts[i], n, len(row))
		}
		for _, v := range row {
			if finite(v) && (v < 0 || v > maxValue) {
				return fmt.Errorf("part %q: value %g cannot be stacked: want 0 to %g", parts[i], v, maxValue)
			}
		}
	}
	return nil
}

// column is one position of a stack: tops[i] is the upper edge of part i.
type column struct {
	raw, x float64 // as given, transformed
	tops   []float64
}

// columns returns the stack's columns by x; a gap has no tops.
func (s Stack) columns() []column {
	var out []column
	for i, x := range s.X0 {
		if !finite(x) {
			continue
		}
		col := column{raw: x, x: s.X.at(x)}
		total := 0.0
		for _, row := range s.Values {
			total += row[i]
			col.tops = append(col.tops, total)
		}
		if !finite(total) {
			col.tops = nil
		}
		out = append(out, col)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].x < out[j].x })
	return out
}

func (s Stack) spans(cols []column, width vg.Length) (x, y span) {
	lo, hi, top := math.Inf(1), math.Inf(-1), 0.0
	var shown []float64
	for _, col := range cols {
		if len(col.tops) == 0 {
			continue
		}
		lo, hi = min(lo, col.x), max(hi, col.x)
		top = max(top, col.tops[len(col.tops)-1])
		shown = append(shown, col.raw)
	}
	x = dataSpan(s.X, lo, hi)
	x.useValues(s.X, shown, width.Points())
	return x, stackSpan(s.Y, top)
}

// dataSpan returns a range that ends where the data end, unless they are told
// otherwise, so that areas reach both sides of the frame.
func dataSpan(a Axis, lo, hi float64) span {
	s := a.span(lo, hi, 0, 0)
	if a.Min == nil && lo < hi {
		s.lo = lo
	}
	if a.Max == nil && lo < hi {
		s.hi = hi
	}
	return s
}

// stackSpan returns the range of a y axis from 0 to the highest stack.
func stackSpan(a Axis, top float64) span {
	zero := 0.0
	a.Min = &zero
	if top == 0 && a.Max == nil {
		top = 1
	}
	return a.span(0, top, 0, 0)
}

// stackLegend lists the parts from the top of the stack down.
func stackLegend(parts []string, fills []color.NRGBA, values [][]float64) legend {
	var keys legend
	for i := len(parts) - 1; i >= 0; i-- {
		name := parts[i]
		if !anyFinite(values[i]) {
			name += " (no data)"
		}
		keys.add(name, func(box draw.Canvas) { fillBox(box, fills[i]) })
	}
	return keys
}

func anyFinite(values []float64) bool {
	for _, v := range values {
		if finite(v) {
			return true
		}
	}
	return false
}

const fillAlpha = 200

// fillBox draws a legend sample as the area looks.
func fillBox(box draw.Canvas, c color.NRGBA) {
	box = draw.Crop(box, 4, -4, 1.5, -1.5)
	box.FillPolygon(fade(c, fillAlpha), corners(box.Min, box.Max))
}

func corners(a, b vg.Point) []vg.Point {
	return []vg.Point{a, {X: b.X, Y: a.Y}, b, {X: a.X, Y: b.Y}}
}

type areas struct {
	cols  []column
	fills []color.NRGBA
}

// Plot implements plot.Plotter.
func (a areas) Plot(c draw.Canvas, plt *plot.Plot) {
	for _, run := range columnRuns(a.cols) {
		for part := range a.fills {
			a.drawPart(c, plt, run, part)
		}
	}
}

// drawPart fills one part's area in a run of columns; a lone column is a bar.
func (a areas) drawPart(c draw.Canvas, plt *plot.Plot, run []column, part int) {
	x, y := plt.Transforms(&c)
	var upper, lower []vg.Point
	for i, col := range run {
		back := run[len(run)-1-i]
		base := 0.0
		if part > 0 {
			base = back.tops[part-1]
		}
		upper = append(upper, vg.Point{X: x(col.x), Y: y(col.tops[part])})
		lower = append(lower, vg.Point{X: x(back.x), Y: y(base)})
	}
	if len(run) == 1 {
		upper = append(upper, vg.Point{X: upper[0].X + 4, Y: upper[0].Y})
		lower = []vg.Point{{X: lower[0].X + 4, Y: lower[0].Y}, {X: lower[0].X - 4, Y: lower[0].Y}}
		upper[0].X -= 4
	}
	c.FillPolygon(fade(a.fills[part], fillAlpha), c.ClipPolygonXY(append(upper, lower...)))
}

// columnRuns returns the stretches of columns without a gap.
func columnRuns(cols []column) [][]column {
	var out [][]column
	start := 0
	for i := 0; i <= len(cols); i++ {
		if i < len(cols) && len(cols[i].tops) > 0 {
			continue
		}
		if i > start {
			out = append(out, cols[start:i])
		}
		start = i + 1
	}
	return out
}
