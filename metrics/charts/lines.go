package charts

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Point is one measured value and the edges of its band, all in data units. A
// Point whose Y is not finite breaks the line there; one whose X is not finite
// is left out. There is no band where Lo or Hi is NaN, or where both are 0.
type Point struct{ X, Y, Lo, Hi float64 }

// Style says how a series is drawn.
type Style string

const (
	Line Style = "line" // line, filled markers, band; the zero value means the same
	Open Style = "open" // open markers on a thin dotted line, no band: published figures
)

// Series is a named line. Colour, dash and marker follow from Name alone; a
// remark in parentheses at its end plays no part, so that "react (paper)" has
// the colour of "react".
type Series struct {
	Name   string
	Points []Point // in any order; drawn by X
	Style  Style
}

// Lines is a line chart. Where markers of several series would hide one
// another they are set side by side, a few points apart in x; lines stay
// where they are, and wider ones lie below thinner, dashed ones. Lines of more
// than 30 points carry a marker on some points only.
type Lines struct {
	Title, Subtitle string
	X, Y            Axis
	Series          []Series
	Note            string
	Measured        bool // X is measured like Y, not set: markers stay where they are
}

// sideBySide is said below a chart whose markers may be moved.
const sideBySide = "Markers that would hide one another stand side by side."

// Render draws the chart; format is "png" or "svg". A value that an axis cannot
// show, such as zero on a log scale, is an error that names the series.
func (l Lines) Render(format string) ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	curves := l.curves()
	if !l.Measured && len(curves) > 1 {
		l.Note = strings.TrimSpace(l.Note + " " + sideBySide)
	}
	page := newPage(l.Title, l.Subtitle, l.Note, curveLegend(curves))
	xs, ys := l.spans(curves, page.plotWidth())
	plt := newPlot(l.X, l.Y, xs, ys)
	plt.Add(grid(true, true), curveSet(curves))
	return page.render(plt, format)
}

func (l Lines) check() error {
	if err := l.X.check("x"); err != nil {
		return err
	}
	if err := l.Y.check("y"); err != nil {
		return err
	}
	if len(l.Series) > maxSeries {
		return fmt.Errorf("line chart: want %d series at most, got %d", maxSeries, len(l.Series))
	}
	for _, s := range l.Series {
		if err := l.checkSeries(s); err != nil {
			return err
		}
	}
	return nil
}

func (l Lines) checkSeries(s Series) error {
	if s.Style != "" && s.Style != Line && s.Style != Open {
		return fmt.Errorf("series %q: want style %q or %q, got %q", s.Name, Line, Open, s.Style)
	}
	if len(s.Points) > maxPoints {
		return fmt.Errorf("series %q: want %d points at most, got %d", s.Name, maxPoints, len(s.Points))
	}
	for _, p := range s.Points {
		if err := l.X.checkValue(s.Name, "x", p.X); err != nil {
			return err
		}
		if err := l.Y.checkValue(s.Name, "y", p.Y); err != nil {
			return err
		}
		if p.Lo > p.Hi || p.Lo < -maxValue || p.Hi > maxValue {
			return fmt.Errorf("series %q: want a band with lo ≤ hi within ±%g, got %g to %g", s.Name, maxValue, p.Lo, p.Hi)
		}
	}
	return nil
}

// curves returns the series with their appearance and transformed points.
func (l Lines) curves() []curve {
	names := make([]string, len(l.Series))
	for i, s := range l.Series {
		names[i] = s.Name
	}
	styles := assign(names)
	top := math.Inf(1)
	if l.Y.Max != nil {
		top = l.Y.at(*l.Y.Max)
	}
	out := make([]curve, len(l.Series))
	for i, s := range l.Series {
		out[i] = curve{name: s.Name, look: styles[baseName(s.Name)], open: s.Style == Open, points: l.points(s), top: top, place: i, still: l.Measured}
	}
	return out
}

// points returns the drawable points of s by x, in transformed values.
func (l Lines) points(s Series) []Point {
	var out []Point
	for _, p := range s.Points {
		if !finite(p.X) {
			continue
		}
		q := Point{X: l.X.at(p.X), Y: math.NaN(), Lo: math.NaN(), Hi: math.NaN()}
		if finite(p.Y) {
			q.Y = l.Y.at(p.Y)
		}
		if finite(q.Y) && finite(p.Lo) && finite(p.Hi) && (p.Lo != 0 || p.Hi != 0) && (p.Hi > 0 || l.Y.Scale != Log) {
			q.Lo, q.Hi = l.edge(p.Lo), l.edge(p.Hi)
		}
		out = append(out, q)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].X < out[j].X })
	return out
}

// edge transforms a band edge. An edge at or below zero, as mean−SD may be, has
// no place on a log scale: the band then runs to the end of the axis.
func (l Lines) edge(v float64) float64 {
	if l.Y.Scale == Log && v <= 0 {
		return math.Inf(-1)
	}
	return l.Y.at(v)
}

// spans returns the ranges of both axes for the points that will be drawn.
func (l Lines) spans(curves []curve, width vg.Length) (x, y span) {
	xlo, xhi, ylo, yhi := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, c := range curves {
		for _, p := range c.points {
			if !finite(p.Y) {
				continue
			}
			xlo, xhi = min(xlo, p.X), max(xhi, p.X)
			ylo, yhi = min(ylo, p.Y), max(yhi, p.Y)
			if finite(p.Lo) {
				ylo = min(ylo, p.Lo)
			}
			if finite(p.Hi) {
				yhi = max(yhi, p.Hi)
			}
		}
	}
	below := 0.04
	if low, _ := l.Y.ends(ylo, yhi); low == 0 && l.Y.Scale != Log {
		below = 0 // a natural zero stands on the axis
	}
	x, y = l.X.span(xlo, xhi, 0.05, 0.05), l.Y.span(ylo, yhi, below, 0.04)
	x.useValues(l.X, l.xValues(), width.Points())
	return x, y
}

func (l Lines) xValues() []float64 {
	var out []float64
	for _, s := range l.Series {
		for _, p := range s.Points {
			if finite(p.X) && finite(p.Y) {
				out = append(out, p.X)
			}
		}
	}
	return out
}

func curveLegend(curves []curve) legend {
	var keys legend
	for _, c := range curves {
		keys.add(c.label(), c.sample)
	}
	return keys
}

// sample draws the curve's legend sample across c.
func (c curve) sample(box draw.Canvas) {
	middle := vg.Point{X: box.Center().X, Y: box.Center().Y}
	box.StrokeLine2(c.stroke(), box.Min.X, middle.Y, box.Max.X, middle.Y)
	c.look.marker.draw(box, middle, c.look.colour, c.open)
}

// label returns the legend's name for the curve.
func (c curve) label() string {
	for _, p := range c.points {
		if finite(p.Y) {
			return c.name
		}
	}
	return c.name + " (no data)"
}
