package charts

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// marker is the shape drawn at a point.
type marker int

const (
	circle marker = iota
	square
	triangle
	diamond
	down
	pentagon
	hexagon
	star
)

const markerRadius = 3.1 // points

// draw puts the marker at p: filled with a thin white rim, which parts it from
// its neighbours, or open with a rim of its own colour.
func (m marker) draw(c draw.Canvas, p vg.Point, colour color.Color, open bool) {
	path := m.path(p)
	fill, rim, width := colour, color.Color(color.White), vg.Length(0.6)
	if open {
		fill, rim, width = color.White, colour, 1.1
	}
	c.SetColor(fill)
	c.Fill(path)
	c.SetLineStyle(draw.LineStyle{Color: rim, Width: width})
	c.Stroke(path)
}

func (m marker) path(p vg.Point) vg.Path {
	switch m {
	case square:
		return polygon(p, 4, math.Pi/4, 1.12, 1.12)
	case triangle:
		return polygon(p, 3, math.Pi/2, 1.25, 1.25)
	case diamond:
		return polygon(p, 4, 0, 1.25, 1.25)
	case down:
		return polygon(p, 3, -math.Pi/2, 1.25, 1.25)
	case pentagon:
		return polygon(p, 5, math.Pi/2, 1.12, 1.12)
	case hexagon:
		return polygon(p, 6, 0, 1.12, 1.12)
	case star:
		return polygon(p, 10, math.Pi/2, 1.35, 0.6)
	}
	var path vg.Path
	path.Move(vg.Point{X: p.X + markerRadius, Y: p.Y})
	path.Arc(p, markerRadius, 0, 2*math.Pi)
	path.Close()
	return path
}

// polygon returns n corners about p, the even ones at outer and the odd ones at
// inner marker radii, the first in the direction of angle start.
func polygon(p vg.Point, n int, start, outer, inner float64) vg.Path {
	var path vg.Path
	for i := range n {
		r := vg.Length(markerRadius * outer)
		if i%2 == 1 {
			r = vg.Length(markerRadius * inner)
		}
		sin, cos := math.Sincos(start + 2*math.Pi*float64(i)/float64(n))
		corner := vg.Point{X: p.X + r*vg.Length(cos), Y: p.Y + r*vg.Length(sin)}
		if i == 0 {
			path.Move(corner)
		} else {
			path.Line(corner)
		}
	}
	path.Close()
	return path
}
