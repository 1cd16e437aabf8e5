package charts

import (
	"sort"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve is a series ready to draw: sorted, transformed, with its appearance.
type curve struct {
	name   string
	look   look
	open   bool
	points []Point
	top    float64 // where bands end: the axis maximum the caller fixed
	still  bool    // its markers are not moved aside
	place  int     // position among the series, which spreads sparse markers
}

func (c curve) stroke() draw.LineStyle {
	if c.open {
		return draw.LineStyle{Color: c.look.colour, Width: 0.8, Dashes: thinDots}
	}
	return draw.LineStyle{Color: c.look.colour, Width: c.look.width, Dashes: c.look.dash}
}

// curveSet draws curves in layers: all bands, then lines from the widest to
// the thinnest, then all markers.
type curveSet []curve

// Plot implements plot.Plotter.
func (cs curveSet) Plot(c draw.Canvas, plt *plot.Plot) {
	for _, one := range cs {
		if !one.open {
			one.drawBands(c, plt)
		}
	}
	order := append(curveSet(nil), cs...)
	sort.SliceStable(order, func(i, j int) bool { return order[i].stroke().Width > order[j].stroke().Width })
	for _, one := range order {
		one.drawLine(c, plt)
	}
	for _, spot := range cs.spots(c, plt) {
		one := cs[spot.curve]
		one.look.marker.draw(c, spot.at, one.look.colour, one.open)
	}
}

func (c curve) drawLine(dc draw.Canvas, plt *plot.Plot) {
	x, y := plt.Transforms(&dc)
	for _, run := range runs(c.points, func(p Point) bool { return finite(p.Y) }) {
		var pts []vg.Point
		for _, p := range run {
			pts = append(pts, vg.Point{X: x(p.X), Y: y(p.Y)})
		}
		dc.StrokeLines(c.stroke(), dc.ClipLinesXY(pts)...)
	}
}

// drawBands fills the area between the band edges; a band at a lone point is a
// whisker.
func (c curve) drawBands(dc draw.Canvas, plt *plot.Plot) {
	x, y := plt.Transforms(&dc)
	for _, run := range runs(c.points, func(p Point) bool { return p.Lo <= p.Hi }) {
		var upper, lower []vg.Point
		for i, p := range run {
			q := run[len(run)-1-i]
			upper = append(upper, vg.Point{X: x(p.X), Y: y(min(p.Hi, plt.Y.Max, c.top))})
			lower = append(lower, vg.Point{X: x(q.X), Y: y(max(q.Lo, plt.Y.Min))})
		}
		if len(run) == 1 {
			whisker := draw.LineStyle{Color: c.look.colour, Width: 0.9}
			dc.StrokeLines(whisker, dc.ClipLinesXY([]vg.Point{upper[0], lower[0]})...)
			continue
		}
		dc.FillPolygon(fade(c.look.colour, 36), dc.ClipPolygonXY(append(upper, lower...)))
	}
}

// runs returns the longest stretches of points that are all kept.
func runs(points []Point, keep func(Point) bool) [][]Point {
	var out [][]Point
	start := -1
	for i := 0; i <= len(points); i++ {
		switch in := i < len(points) && keep(points[i]); {
		case in && start < 0:
			start = i
		case !in && start >= 0:
			out = append(out, points[start:i])
			start = -1
		}
	}
	return out
}
