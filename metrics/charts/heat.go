package charts

import (
	"fmt"
	"image/color"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a table of counts as a picture, such as a confusion matrix: one row
// per name, the first at the top, and one column per name, by number. A cell is
// as dark as its share of the row, which one hue shows to readers of every colour
// vision, and carries its count. Counts[row][column]; a row without counts stays
// empty.
type Heat struct {
	Title, Subtitle, Note string
	X, Y                  string // what columns and rows are
	Rows, Columns         []string
	Counts                [][]int
}

// maxHeat is how many rows or columns can be read on a page.
const maxHeat = 40

// Render draws the chart; format is "png" or "svg".
func (h Heat) Render(format string) ([]byte, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	page := newPage(h.Title, h.Subtitle, h.Note, heatLegend())
	rows, cols := span{lo: -0.5, hi: max(0.5, float64(len(h.Rows))-0.5)}, span{lo: -0.5, hi: max(0.5, float64(len(h.Columns))-0.5)}
	for i, name := range h.Rows {
		rows.ticks = append(rows.ticks, plot.Tick{Value: float64(len(h.Rows) - 1 - i), Label: h.rowName(name)})
	}
	for i := range h.Columns {
		cols.ticks = append(cols.ticks, plot.Tick{Value: float64(i), Label: strconv.Itoa(i + 1)})
	}
	plt := newPlot(Axis{Label: h.X}, Axis{Label: h.Y}, cols, rows)
	plt.X.Tick.Length, plt.Y.Tick.Length = 0, 0
	plt.X.LineStyle.Width, plt.Y.LineStyle.Width = 0, 0
	plt.X.Tick.Label.Font.Size, plt.Y.Tick.Label.Font.Size = heatSize, heatSize
	plt.Add(heatCells{h})
	page.body = max(page.legend.height(), 45+vg.Length(len(h.Rows))*15)
	return page.render(plt, format)
}

const heatSize = vg.Length(8.5)

// rowName is the name with the number by which its column goes, where it has one.
func (h Heat) rowName(name string) string {
	number := ""
	for at, column := range h.Columns {
		if column == name {
			number = fmt.Sprintf(" %d", at+1)
		}
	}
	lines := wrap(printable(name), tickStyle, 130)
	if len(lines) == 0 {
		lines = []string{"(no name)"}
	}
	return lines[0] + strings.Repeat("…", min(1, len(lines)-1)) + number
}

func (h Heat) check() error {
	if len(h.Rows) > maxHeat || len(h.Columns) > maxHeat {
		return fmt.Errorf("heat: want %d rows and columns at most, got %d and %d", maxHeat, len(h.Rows), len(h.Columns))
	}
	if len(h.Counts) != len(h.Rows) {
		return fmt.Errorf("heat: %d rows but %d rows of counts", len(h.Rows), len(h.Counts))
	}
	for i, row := range h.Counts {
		if len(row) != len(h.Columns) {
			return fmt.Errorf("row %q: want %d counts, got %d", h.Rows[i], len(h.Columns), len(row))
		}
		for _, n := range row {
			if n < 0 || n > maxValue/maxHeat {
				return fmt.Errorf("row %q: count %d cannot be shown: want 0 or more", h.Rows[i], n)
			}
		}
	}
	return nil
}

// heatLegend shows what the shades stand for.
func heatLegend() legend {
	var keys legend
	for _, share := range []float64{0.02, 0.25, 0.5, 0.75, 1} {
		keys.add(fmt.Sprintf("%.0f %%", 100*share), func(box draw.Canvas) {
			box = draw.Crop(box, 4, -4, 1.5, -1.5)
			box.FillPolygon(heatColour(share), corners(box.Min, box.Max))
		})
	}
	return keys
}

// heatColour runs from near white to dark blue.
func heatColour(share float64) color.NRGBA {
	from, to := color.NRGBA{R: 0xEE, G: 0xF4, B: 0xFA, A: 255}, color.NRGBA{R: 0x08, G: 0x30, B: 0x6B, A: 255}
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + share*(float64(b)-float64(a)) + 0.5) }
	return color.NRGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 255}
}

type heatCells struct{ Heat }

// Plot implements plot.Plotter.
func (h heatCells) Plot(c draw.Canvas, plt *plot.Plot) {
	x, y := plt.Transforms(&c)
	for i, row := range h.Counts {
		total := 0
		for _, n := range row {
			total += n
		}
		at := float64(len(h.Rows) - 1 - i)
		for j, n := range row {
			box := corners(vg.Point{X: x(float64(j) - 0.5), Y: y(at - 0.5)}, vg.Point{X: x(float64(j) + 0.5), Y: y(at + 0.5)})
			c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.4}, append(box, box[0]))
			if n > 0 {
				h.cell(c, box, n, float64(n)/float64(total))
			}
		}
	}
}

func (h heatCells) cell(c draw.Canvas, box []vg.Point, n int, share float64) {
	c.FillPolygon(heatColour(share), box)
	sty := noteStyle
	sty.Font.Size = 7
	sty.Color = ink
	if share > 0.45 {
		sty.Color = color.White
	}
	sty.XAlign, sty.YAlign = text.XCenter, text.YCenter
	label := strconv.Itoa(n)
	if sty.Width(label) < box[1].X-box[0].X {
		c.FillText(sty, vg.Point{X: (box[0].X + box[2].X) / 2, Y: (box[0].Y + box[2].Y) / 2}, label)
	}
}
