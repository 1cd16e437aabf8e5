package charts

import (
	"fmt"
	"image/color"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Bars is a chart of stacked bars, one per category. Values[part][category];
// the first part lies next to the axis. A value that is not finite is left
// out, and a category with nothing else says "no data". Bars stand upright
// where the category names fit below them, and lie down where they do not. The
// Y axis, which measures the bars either way, starts at 0 and is linear.
type Bars struct {
	Title, Subtitle string
	Y               Axis
	Categories      []string
	Parts           []string
	Values          [][]float64
}

// Render draws the chart; format is "png" or "svg".
func (b Bars) Render(format string) ([]byte, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	fills := assignFills(b.Parts)
	page := newPage(b.Title, b.Subtitle, "", stackLegend(b.Parts, fills, b.Values))
	n := len(b.Categories)
	slot := page.plotWidth() / vg.Length(max(1, n))
	values := stackSpan(b.Y, b.highest())
	names := span{lo: -0.5, hi: math.Max(0.5, float64(n)-0.5)}
	var plt *plot.Plot
	if b.fit(slot - 4) {
		names.ticks = b.nameTicks(slot-4, false)
		plt = newPlot(Axis{}, b.Y, names, values)
		plt.Add(grid(false, true), barSet{b, fills, false})
		plt.X.Tick.Length = 0
	} else {
		names.ticks = b.nameTicks(110, true)
		plt = newPlot(b.Y, Axis{}, values, names)
		plt.Add(grid(true, false), barSet{b, fills, true})
		plt.Y.Tick.Length = 0
		page.body = max(page.body, 45+vg.Length(n*maxLines(names.ticks))*lineHeight(tickStyle)*1.2)
	}
	return page.render(plt, format)
}

func (b Bars) check() error {
	if len(b.Categories) > maxSeries {
		return fmt.Errorf("bar chart: want %d categories at most, got %d", maxSeries, len(b.Categories))
	}
	return checkParts(b.Y, b.Parts, b.Values, len(b.Categories))
}

// highest returns the greatest sum of a category.
func (b Bars) highest() float64 {
	top := 0.0
	for i := range b.Categories {
		sum := 0.0
		for _, row := range b.Values {
			if finite(row[i]) {
				sum += row[i]
			}
		}
		top = max(top, sum)
	}
	return top
}

// fit reports whether every word of the category names is narrower than width.
func (b Bars) fit(width vg.Length) bool {
	for _, name := range b.Categories {
		for _, piece := range pieces(printable(name)) {
			if tickStyle.Width(strings.TrimSpace(piece)) > width {
				return false
			}
		}
	}
	return true
}

// nameTicks returns the category names as ticks, all of the same number of
// lines so that they align; downward puts the first category at the top.
func (b Bars) nameTicks(width vg.Length, downward bool) []plot.Tick {
	ticks := make([]plot.Tick, len(b.Categories))
	for i, name := range b.Categories {
		ticks[i].Value = float64(i)
		if downward {
			ticks[i].Value = float64(len(ticks) - 1 - i)
		}
		lines := wrap(printable(name), tickStyle, width)
		ticks[i].Label = strings.Join(lines, "\n")
		if len(lines) == 0 {
			ticks[i].Label = " "
		}
	}
	if most := maxLines(ticks); !downward {
		for i, tick := range ticks {
			ticks[i].Label += strings.Repeat("\n ", most-1-strings.Count(tick.Label, "\n"))
		}
	}
	return ticks
}

func maxLines(ticks []plot.Tick) int {
	most := 1
	for _, tick := range ticks {
		most = max(most, 1+strings.Count(tick.Label, "\n"))
	}
	return most
}

type barSet struct {
	Bars
	fills []color.NRGBA
	flat  bool // bars lie, the first at the top
}

// Plot implements plot.Plotter.
func (b barSet) Plot(c draw.Canvas, plt *plot.Plot) {
	for i := range b.Categories {
		base, shown := 0.0, false
		for part, row := range b.Values {
			if !finite(row[i]) {
				continue
			}
			lo, hi := b.box(c, plt, i, base, base+row[i])
			b.drawBox(c, part, lo, hi)
			base += row[i]
			shown = true
		}
		if !shown {
			b.noData(c, plt, i)
		}
	}
}

// box returns the corners of the part of bar i between two values.
func (b barSet) box(c draw.Canvas, plt *plot.Plot, i int, from, to float64) (lo, hi vg.Point) {
	const most = 30 // points of half a bar's breadth
	x, y := plt.Transforms(&c)
	if b.flat {
		half := min((y(1)-y(0))*0.36, most)
		middle := y(float64(len(b.Categories) - 1 - i))
		return vg.Point{X: x(from), Y: middle - half}, vg.Point{X: x(to), Y: middle + half}
	}
	half := min((x(1)-x(0))*0.34, most)
	middle := x(float64(i))
	return vg.Point{X: middle - half, Y: y(from)}, vg.Point{X: middle + half, Y: y(to)}
}

// drawBox fills one part of a bar, with a white rim where it is large enough to
// keep its colour.
func (b barSet) drawBox(c draw.Canvas, part int, lo, hi vg.Point) {
	c.FillPolygon(fade(b.fills[part], fillAlpha), c.ClipPolygonXY(corners(lo, hi)))
	if size := hi.Sub(lo); size.X > 3 && size.Y > 3 {
		box := append(corners(lo, hi), lo)
		c.StrokeLines(draw.LineStyle{Color: color.White, Width: 0.5}, c.ClipLinesXY(box)...)
	}
}

// noData writes so where the bar would begin.
func (b barSet) noData(c draw.Canvas, plt *plot.Plot, i int) {
	lo, hi := b.box(c, plt, i, 0, 0)
	sty := noteStyle
	sty.YAlign = text.YCenter
	at := vg.Point{X: lo.X + 6, Y: (lo.Y + hi.Y) / 2}
	if !b.flat {
		sty.XAlign = text.XCenter
		at = vg.Point{X: (lo.X + hi.X) / 2, Y: lo.Y + 8}
	}
	c.FillText(sty, at, "no data")
}
