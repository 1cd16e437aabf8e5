package report

import (
	"fmt"
	"slices"
	"strconv"

	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// A fit is the growth of one strategy's totals, measured or published.
type fit struct {
	agent, source string
	stats.Growth
}

// growth fits total = aT + bT² to our totals and to the published ones.
func growth(d *data) []Block {
	blocks := d.each(func(g *group) []Block {
		if len(g.horizons) < 2 {
			return nil
		}
		fits := d.fits(g)
		if len(fits) == 0 {
			return nil
		}
		return []Block{fitTable(g, fits), exponentTable(g, fits)}
	})
	if len(blocks) == 0 {
		return nil
	}
	return append([]Block{Paragraph("Total tokens of an episode fitted as aT + bT²: a is what a step costs by itself, b what each step adds to all later ones. " +
		"Published totals are means over seeds, one point for each T, so their intervals rest on few points. Exponents only describe: aT + bT² has no single one. Where a prompt without its state and observation is constant (see what prompts are made of), what is left of bT² is the state itself, which holds more as the world fills.")}, blocks...)
}

func (d *data) fits(g *group) []fit {
	var out []fit
	for _, agent := range g.agents {
		if isFloor(g.over(agent)) {
			continue
		}
		var points []stats.Point
		for _, c := range finished(g.over(agent)) {
			points = append(points, stats.Point{T: float64(c.Cell.Horizon), Total: float64(c.total())})
		}
		out = append(out, fit{agent, "this run", stats.FitGrowth(points, 0, 0)})
		for _, p := range d.published(g) {
			points = nil
			for _, horizon := range horizonsOf(p) {
				if f, ok := d.figure(p, g, horizon, agent, "tokens"); ok {
					points = append(points, stats.Point{T: float64(horizon), Total: f.Value})
				}
			}
			if len(points) > 0 {
				out = append(out, fit{agent, fmt.Sprintf("paper (%s, %s)", p.Model, p.Name), stats.FitGrowth(points, 0, 0)})
			}
		}
	}
	return out
}

// horizonsOf are the horizons of a published table, rising.
func horizonsOf(p paper.Table) []int {
	var out []int
	for i := range p.Rows {
		h := p.Horizon
		if v := p.Cell(i, "horizon"); v.Kind == paper.Number {
			h = int(v.Number)
		}
		out = append(out, h)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func fitTable(g *group, fits []fit) *Table {
	t := &Table{Name: g.file("growth"), Caption: "Growth of total tokens, aT + bT²" + g.in(),
		Columns: columns("agent", "agent", "source", "source", "n", "n", "a", "a (tokens)", "a_low", "a, 95 % from", "a_high", "to", "b", "b (tokens)", "b_low", "b, 95 % from", "b_high", "to",
			"share", "share of bT²", "share_at", "at T", "r2", "R²", "exponent", "exponent", "exponent_low", "95 % from", "exponent_high", "to")}
	for _, f := range fits {
		row := []Cell{text(plain(f.agent)), text(f.source), whole(f.N), number(f.A, 0)}
		row = append(row, rangeCells(f.AInterval, 0)...)
		row = append(append(row, number(f.B, 2)), rangeCells(f.BInterval, 2)...)
		at := Cell{}
		if f.ShareAt > 0 {
			at = number(stats.Of(f.ShareAt), 0)
		}
		row = append(row, number(f.Share, 3), at, number(f.R2, 4), number(f.Exponents.Overall, 2))
		t.Rows = append(t.Rows, append(row, rangeCells(f.Exponents.Interval, 2)...))
		for _, w := range append(slices.Clone(f.Warnings), f.Exponents.Warnings...) {
			t.doubt(plain(f.agent)+", "+f.source, w)
		}
	}
	return t
}

// exponentTable shows the slope between neighbouring horizons.
func exponentTable(g *group, fits []fit) *Table {
	t := &Table{Name: g.file("growth_local"), Caption: "Exponent of total tokens between neighbouring T (1 linear, 2 quadratic)" + g.in(), Columns: columns("agent", "agent", "source", "source")}
	type step struct{ from, to float64 }
	var steps []step
	for _, f := range fits {
		for _, l := range f.Exponents.Local {
			if !slices.Contains(steps, step{l.From, l.To}) {
				steps = append(steps, step{l.From, l.To})
			}
		}
	}
	slices.SortFunc(steps, func(a, b step) int {
		if a.to != b.to {
			return int(a.to - b.to)
		}
		return int(a.from - b.from)
	})
	for _, s := range steps {
		from, to := strconv.FormatFloat(s.from, 'f', -1, 64), strconv.FormatFloat(s.to, 'f', -1, 64)
		t.Columns = append(t.Columns, Column{Key: "from_" + from + "_to_" + to, Head: "T " + from + " → " + to})
	}
	for _, f := range fits {
		row := []Cell{text(plain(f.agent)), text(f.source)}
		for _, s := range steps {
			c := Cell{}
			for _, l := range f.Exponents.Local {
				if (step{l.From, l.To}) == s {
					c = number(l.Exponent, 2)
				}
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
