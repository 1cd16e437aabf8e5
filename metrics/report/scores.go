package report

import (
	"fmt"
	"slices"

	"skillbench/metrics/charts"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// comparison is a table by horizon and agent: n, then the quantities, then what
// the paper has.
func comparison(name, caption string, g *group, pairs []string, of func(cells []*cell) []Cell) *Table {
	t := &Table{Name: g.file(name), Caption: caption + "" + g.in(), Columns: columns(append([]string{"horizon", "T", "agent", "agent", "n", "n"}, pairs...)...)}
	g.rows(func(horizon int, agent string) {
		cells := g.at(horizon, agent)
		t.Rows = append(t.Rows, append([]Cell{whole(horizon), text(plain(agent)), whole(len(finished(cells)))}, of(cells)...))
	})
	return t
}

// scores are what the paper's tables say about being right.
func scores(d *data) []Block {
	out := []Block{Paragraph("Score is correct actions ÷ base events; valid is the share of base events at which the world accepted the action; " +
		"belief is the share of the facts in the state that were true, over steps at which it held any (strategies with a state). " +
		"Mean ± sample standard deviation over seeds; n is the number of episodes with a result. " +
		"A column headed “paper” shows published figures of the model it names, and a variant of a strategy stands beside the figure of its base.")}
	return append(out, faultless(d.each(func(g *group) []Block {
		t := comparison("scores", "Scores", g, []string{"score±", "score", "valid±", "valid", "belief±", "belief"}, func(cells []*cell) []Cell {
			return []Cell{
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.Score() }), 3),
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.ValidShare() }), 3),
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.Belief }), 3),
			}
		})
		d.withPublished(t, g, "score", "score", 2)
		blocks := []Block{t}
		if len(g.horizons) > 1 {
			blocks = append(blocks, d.byHorizon(g, "score_by_horizon", "Score against the number of base events T", "score", charts.Axis{Label: "score (share of base events)", Min: at(0), Max: at(1)},
				func(c *cell) stats.Value { return c.Score() }))
		}
		return blocks
	}))...)
}

// faultless puts tables of arms aside in which every score is 1.
func faultless(blocks []Block) []Block {
	for _, b := range blocks {
		t, is := b.(*Table)
		if !is || t.column("arm") < 0 {
			continue
		}
		score, valid, agent := t.column("score"), t.column("valid"), t.column("agent")
		if slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[score].Value != stats.Of(1) || row[valid].Value != stats.Of(1) }) {
			continue
		}
		var names []string
		for _, row := range t.Rows {
			if !slices.Contains(names, row[agent].Text) {
				names = append(names, row[agent].Text)
			}
		}
		t.Aside = true
		t.Notes = append(t.Notes, "Score and valid are 1.000 in every arm for "+listed(names)+".")
	}
	return blocks
}

func at(v float64) *float64 { return &v }

// byHorizon draws a quantity against T, with the paper's points beside it.
func (d *data) byHorizon(g *group, name, title, column string, y charts.Axis, of func(*cell) stats.Value) Block {
	l := charts.Lines{Title: title, Subtitle: g.title, X: charts.Axis{Label: "horizon T (base events)", Scale: charts.Log}, Y: y}
	for _, agent := range g.agents {
		s := charts.Series{Name: plain(agent)}
		for _, horizon := range g.horizons {
			if sum := summarize(g.at(horizon, agent), of); sum.Mean.OK {
				s.Points = append(s.Points, point(float64(horizon), sum.Mean.V, sum.SD.V))
			}
		}
		if len(s.Points) > 0 {
			l.Series = append(l.Series, s)
		}
	}
	caption := title + g.in() + ". Mean, band of one sample SD over seeds."
	if p, ok := d.drawn(g, column); ok {
		l.Series = append(l.Series, d.open(g, p, column)...)
		caption += fmt.Sprintf(" Open markers: published figures of %s (%s).", p.Model, p.Name)
	}
	return draw(g.file(name), caption, l)
}

// drawn is the published table whose figures a picture shows: the first that
// the experiment names and that has any. Two in one picture look alike.
func (d *data) drawn(g *group, column string) (paper.Table, bool) {
	for _, p := range d.published(g) {
		if len(d.open(g, p, column)) > 0 {
			return p, true
		}
	}
	return paper.Table{}, false
}

// open are published figures as series, one for each strategy of the group.
func (d *data) open(g *group, p paper.Table, column string) []charts.Series {
	var out []charts.Series
	for _, agent := range g.agents {
		s := charts.Series{Name: d.strategy(agent) + " (paper)", Style: charts.Open}
		for _, horizon := range horizonsOf(p) {
			if f, ok := d.figure(p, g, horizon, agent, column); ok {
				s.Points = append(s.Points, charts.Point{X: float64(horizon), Y: f.Value})
			}
		}
		if len(s.Points) > 0 && !slices.ContainsFunc(out, func(o charts.Series) bool { return o.Name == s.Name }) {
			out = append(out, s)
		}
	}
	return out
}

// point is a mean with a band of one standard deviation.
func point(x, mean, sd float64) charts.Point {
	p := charts.Point{X: x, Y: mean}
	if sd > 0 {
		p.Lo, p.Hi = mean-sd, mean+sd
	}
	return p
}
