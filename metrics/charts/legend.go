package charts

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

const (
	sampleWidth = vg.Length(31)
	legendGap   = vg.Length(14) // between plot and legend
	entryGap    = vg.Length(4)
)

// entry is one line of a legend: a name and how to draw its sample into a box.
type entry struct {
	lines  []string
	sample func(draw.Canvas)
}

type legend []entry

func (l *legend) add(name string, sample func(draw.Canvas)) {
	lines := wrap(printable(name), legendStyle, legendMost-sampleWidth)
	if len(lines) == 0 {
		lines = []string{"(no name)"}
	}
	*l = append(*l, entry{lines, sample})
}

func (l legend) width() vg.Length {
	if len(l) == 0 {
		return 4
	}
	var text vg.Length
	for _, e := range l {
		for _, line := range e.lines {
			text = max(text, legendStyle.Width(line))
		}
	}
	return legendGap + sampleWidth + 5 + text
}

func (l legend) height() vg.Length {
	var h vg.Length
	for _, e := range l {
		h += blockHeight(e.lines, legendStyle) + entryGap
	}
	return h
}

// draw writes the entries from the top of c, whose width is the legend's.
func (l legend) draw(c draw.Canvas) {
	c.Min.X += legendGap
	for _, e := range l {
		box := c
		box.Max.X = c.Min.X + sampleWidth
		box.Min.Y = c.Max.Y - lineHeight(legendStyle)
		e.sample(box)
		text := c
		text.Min.X = box.Max.X + 5
		c.Max.Y = drawLines(text, e.lines, legendStyle) - entryGap
	}
}
