package charts

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	sparseAbove = 30             // points of a line that all carry markers, at most
	sparseKept  = 8              // markers left on a longer one
	touching    = vg.Length(3.5) // markers nearer than this in x and y hide one another
	dodgeStep   = vg.Length(5.6)
	dodgeWidth  = vg.Length(28) // of a whole crowd, at most
)

// spot is a marker's place on the canvas.
type spot struct {
	curve int
	at    vg.Point
}

// spots returns where markers go. Markers that would cover one another are set
// side by side about their common place, in series order, at unchanged height.
func (cs curveSet) spots(c draw.Canvas, plt *plot.Plot) []spot {
	var all []spot
	crowds := map[int][]int{} // first spot of a crowd → all of it
	var heads []int
	for i, one := range cs {
		for _, at := range one.marked(c, plt) {
			all = append(all, spot{i, at})
			me := len(all) - 1
			head := crowdAt(all, heads, crowds, me)
			if head < 0 {
				head = me
				heads = append(heads, me)
			}
			crowds[head] = append(crowds[head], me)
		}
	}
	for _, head := range heads {
		crowd := crowds[head]
		by := min(dodgeStep, dodgeWidth/vg.Length(len(crowd)))
		for k, i := range crowd {
			if cs[all[i].curve].still {
				continue
			}
			all[i].at.X += by * (vg.Length(k) - vg.Length(len(crowd)-1)/2)
		}
	}
	return all
}

// crowdAt returns the head of a crowd that spot me would hide, without one of
// me's own curve, or -1.
func crowdAt(all []spot, heads []int, crowds map[int][]int, me int) int {
	for _, head := range heads {
		d := all[head].at.Sub(all[me].at)
		if d.X > touching || d.X < -touching || d.Y > touching || d.Y < -touching {
			continue
		}
		crowd := crowds[head]
		if all[crowd[len(crowd)-1]].curve != all[me].curve {
			return head
		}
	}
	return -1
}

// marked returns the places of the curve's markers inside the frame. Long
// curves mark every so many points, each from another one on, so that curves
// that coincide show their markers in turn.
func (c curve) marked(dc draw.Canvas, plt *plot.Plot) []vg.Point {
	x, y := plt.Transforms(&dc)
	every, first := 1, 0
	if len(c.points) > sparseAbove {
		every = len(c.points) / sparseKept
		first = (c.place*every/5 + every/10) % every
	}
	var out []vg.Point
	for i := first; i < len(c.points); i += every {
		p := c.points[i]
		if !finite(p.Y) {
			continue
		}
		at := vg.Point{X: x(p.X), Y: y(p.Y)}
		if dc.Contains(at) {
			out = append(out, at)
		}
	}
	return out
}
