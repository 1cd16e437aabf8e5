package charts

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Strips is one strip per row, the first at the top, of columns in order: how
// shares change from one position to the next, such as what strategies do at
// each step after an event. Values[row][part][column] are shares; those of one
// column add up to 1 or less, and what is missing stays empty. A column with a
// value that is not finite is a gap; a row with nothing else says "no data".
type Strips struct {
	Title, Subtitle, Note string
	X                     Axis // its label alone counts
	Rows, Columns, Parts  []string
	Values                [][][]float64
}

// maxColumns bounds the columns of a strip.
const maxColumns = 200

// Render draws the chart; format is "png" or "svg".
func (s Strips) Render(format string) ([]byte, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	fills := assignFills(s.Parts)
	page := newPage(s.Title, s.Subtitle, s.Note, stackLegend(s.Parts, fills, s.byPart()))
	rows := span{lo: -0.5, hi: math.Max(0.5, float64(len(s.Rows))-0.5), ticks: s.rowTicks()}
	cols := span{lo: -0.5, hi: math.Max(0.5, float64(len(s.Columns))-0.5), ticks: s.columnTicks(page.plotWidth() - 80)}
	plt := newPlot(Axis{Label: s.X.Label}, Axis{}, cols, rows)
	plt.X.Tick.Length, plt.Y.Tick.Length = 0, 0
	plt.X.LineStyle.Width, plt.Y.LineStyle.Width = 0, 0
	plt.Add(stripSet{s, barSet{fills: fills}})
	page.body = max(page.legend.height(), 45+vg.Length(len(s.Rows))*34)
	return page.render(plt, format)
}

func (s Strips) check() error {
	if len(s.Rows) > maxSeries || len(s.Parts) > maxSeries || len(s.Columns) > maxColumns {
		return fmt.Errorf("strips: want %d rows and parts and %d columns at most, got %d, %d and %d", maxSeries, maxColumns, len(s.Rows), len(s.Parts), len(s.Columns))
	}
	if len(s.Values) != len(s.Rows) {
		return fmt.Errorf("strips: %d rows but %d rows of values", len(s.Rows), len(s.Values))
	}
	for i, values := range s.Values {
		if err := checkParts(Axis{}, s.Parts, values, len(s.Columns)); err != nil {
			return fmt.Errorf("row %q: %w", s.Rows[i], err)
		}
		for col := range s.Columns {
			if sum := s.sum(i, col); sum > 1+1e-9 {
				return fmt.Errorf("row %q: shares of column %q add up to %g: want 1 at most", s.Rows[i], s.Columns[col], sum)
			}
		}
	}
	return nil
}

// sum is the height of a column; it is not finite where the column is a gap.
func (s Strips) sum(row, col int) float64 {
	sum := 0.0
	for part := range s.Parts {
		sum += s.Values[row][part][col]
	}
	return sum
}

// byPart turns the values round for the legend.
func (s Strips) byPart() [][]float64 {
	out := make([][]float64, len(s.Parts))
	for part := range s.Parts {
		for row := range s.Rows {
			out[part] = append(out[part], s.Values[row][part]...)
		}
	}
	return out
}

func (s Strips) rowTicks() []plot.Tick {
	ticks := make([]plot.Tick, len(s.Rows))
	for i, name := range s.Rows {
		ticks[i] = plot.Tick{Value: float64(len(s.Rows) - 1 - i), Label: strings.Join(wrap(printable(name), tickStyle, 110), "\n")}
	}
	return ticks
}

// columnTicks names the first column and as many others, evenly, as fit.
func (s Strips) columnTicks(width vg.Length) []plot.Tick {
	widest := vg.Length(1)
	for _, name := range s.Columns {
		widest = max(widest, tickStyle.Width(printable(name))+6)
	}
	every := max(1, int(math.Ceil(float64(vg.Length(len(s.Columns))*widest/width))))
	var ticks []plot.Tick
	for i, name := range s.Columns {
		if i%every == 0 {
			ticks = append(ticks, plot.Tick{Value: float64(i), Label: printable(name)})
		}
	}
	return ticks
}

type stripSet struct {
	Strips
	bars barSet
}

// Plot implements plot.Plotter.
func (s stripSet) Plot(c draw.Canvas, plt *plot.Plot) {
	const half = 0.4 // of the height that a row has
	x, y := plt.Transforms(&c)
	for row := range s.Rows {
		low := float64(len(s.Rows)-1-row) - half
		shown := false
		for col := range s.Columns {
			if !finite(s.sum(row, col)) {
				continue
			}
			shown = true
			base := low
			for part := range s.Parts {
				top := base + s.Values[row][part][col]*2*half
				s.bars.drawBox(c, part, vg.Point{X: x(float64(col) - 0.46), Y: y(base)}, vg.Point{X: x(float64(col) + 0.46), Y: y(top)})
				base = top
			}
		}
		frame := corners(vg.Point{X: x(-0.5), Y: y(low)}, vg.Point{X: x(float64(len(s.Columns)) - 0.5), Y: y(low + 2*half)})
		c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.6}, append(frame, frame[0]))
		if !shown {
			sty := noteStyle
			sty.YAlign = text.YCenter
			c.FillText(sty, vg.Point{X: frame[0].X + 6, Y: (frame[0].Y + frame[2].Y) / 2}, "no data")
		}
	}
}
