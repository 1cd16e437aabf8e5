package charts

import (
	"bytes"
	"fmt"
	"image/color"
	"io"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

const (
	pageWidth  = 16 * vg.Centimeter
	bodyHeight = 7.8 * vg.Centimeter // plot with its axes; grows with the legend
	margin     = vg.Length(9)
	legendMost = 4.6 * vg.Centimeter
	dpi        = 150
)

var (
	ink   = color.NRGBA{R: 0x20, G: 0x20, B: 0x20, A: 255}
	faint = color.NRGBA{R: 0x55, G: 0x55, B: 0x55, A: 255}
	rule  = color.NRGBA{R: 0xDD, G: 0xDD, B: 0xDD, A: 255}

	titleStyle    = bold(textStyle(12, ink))
	subtitleStyle = textStyle(10, faint)
	noteStyle     = textStyle(8.5, faint)
	labelStyle    = textStyle(10.5, ink)
	tickStyle     = textStyle(10, ink)
	legendStyle   = textStyle(10, ink)
)

// page is a picture's frame: words above, legend to the right, note below. Its
// height follows from what it holds, so that nothing is cut.
type page struct {
	title, subtitle, note []string
	legend                legend
	body                  vg.Length // height of the plot with its axes
}

func newPage(title, subtitle, note string, l legend) page {
	width := pageWidth - 2*margin
	return page{
		title:    wrap(printable(title), titleStyle, width),
		subtitle: wrap(printable(subtitle), subtitleStyle, width),
		note:     wrap(printable(note), noteStyle, width),
		legend:   l,
		body:     max(bodyHeight, l.height()),
	}
}

// plotWidth returns about how long the x axis will be, in points.
func (p page) plotWidth() vg.Length {
	return pageWidth - 2*margin - p.legend.width() - 48
}

func (p page) height() vg.Length {
	h := 2*margin + p.body + blockHeight(p.title, titleStyle) + blockHeight(p.subtitle, subtitleStyle)
	if len(p.title)+len(p.subtitle) > 0 {
		h += 6
	}
	if len(p.note) > 0 {
		h += 5 + blockHeight(p.note, noteStyle)
	}
	return h
}

func lineHeight(s text.Style) vg.Length { return s.Font.Size * 1.25 }

func blockHeight(lines []string, s text.Style) vg.Length {
	return vg.Length(len(lines)) * lineHeight(s)
}

// render draws the page about plt in the format wanted.
func (p page) render(plt *plot.Plot, format string) ([]byte, error) {
	switch format {
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(pageWidth, p.height()), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
		p.draw(draw.New(c), plt)
		return encode(vgimg.PngCanvas{Canvas: c})
	case "svg":
		c := vgsvg.New(pageWidth, p.height())
		p.draw(draw.New(c), plt)
		out, err := encode(c)
		return bytes.ReplaceAll(out, []byte("font-family:Liberation Sans;"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif;")), err
	}
	return nil, fmt.Errorf("chart format: want \"png\" or \"svg\", got %q", format)
}

func encode(w io.WriterTo) ([]byte, error) {
	var out bytes.Buffer
	if _, err := w.WriteTo(&out); err != nil {
		return nil, fmt.Errorf("encode chart: %w", err)
	}
	return out.Bytes(), nil
}

func (p page) draw(c draw.Canvas, plt *plot.Plot) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	c.Max.Y = drawLines(c, p.title, titleStyle)
	c.Max.Y = drawLines(c, p.subtitle, subtitleStyle)
	if len(p.title)+len(p.subtitle) > 0 {
		c.Max.Y -= 6
	}
	if len(p.note) > 0 {
		foot := c
		foot.Max.Y = c.Min.Y + blockHeight(p.note, noteStyle)
		drawLines(foot, p.note, noteStyle)
		c.Min.Y = foot.Max.Y + 5
	}
	p.legend.draw(draw.Crop(c, c.Size().X-p.legend.width(), 0, 0, 0))
	plt.Draw(draw.Crop(c, 0, -p.legend.width(), 0, 0))
}

// drawLines writes lines from the top left of c and returns where they end.
func drawLines(c draw.Canvas, lines []string, s text.Style) vg.Length {
	y := c.Max.Y
	for _, line := range lines {
		y -= lineHeight(s)
		c.FillText(s, vg.Point{X: c.Min.X, Y: y + s.FontExtents().Descent}, line)
	}
	return y
}

// newPlot returns a plot with this package's axes, and no title or grid.
func newPlot(x, y Axis, xs, ys span) *plot.Plot {
	plt := plot.New()
	plt.BackgroundColor = nil
	setAxis(&plt.X, x, xs, pageWidth*0.62)
	setAxis(&plt.Y, y, ys, bodyHeight*0.85)
	return plt
}

// grid returns light lines at the labelled ticks of the axes named.
func grid(x, y bool) *plotter.Grid {
	g := plotter.NewGrid()
	g.Vertical = draw.LineStyle{Color: rule, Width: 0.4}
	g.Horizontal = g.Vertical
	if !x {
		g.Vertical.Color = nil
	}
	if !y {
		g.Horizontal.Color = nil
	}
	return g
}

func setAxis(dst *plot.Axis, a Axis, s span, length vg.Length) {
	dst.Min, dst.Max = s.lo, s.hi
	dst.Padding = 0
	dst.Width = 0.7
	dst.LineStyle.Color = faint
	dst.Label.Text = strings.Join(wrap(printable(a.Label), labelStyle, length), "\n")
	dst.Label.Padding = 3
	dst.Label.TextStyle = withAlign(labelStyle, dst.Label.TextStyle)
	dst.Tick.Label = withAlign(tickStyle, dst.Tick.Label)
	dst.Tick.LineStyle = draw.LineStyle{Color: faint, Width: 0.5}
	dst.Tick.Length = 4
	dst.Tick.Marker = plot.ConstantTicks(s.ticks)
}

// withAlign returns s with the alignment of t.
func withAlign(s, t text.Style) text.Style {
	s.XAlign, s.YAlign = t.XAlign, t.YAlign
	return s
}
