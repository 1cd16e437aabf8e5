package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/metrics/charts"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// noise draws score against noise lines where an experiment varies them. It
// joins groups that differ in nothing else.
func noise(d *data) []Block {
	var out []Block
	done := map[condition]bool{}
	for _, g := range d.groups {
		key := g.condition
		key.noise = 0
		var levels []*group
		for _, o := range d.groups {
			c := o.condition
			if c.noise = 0; c == key {
				levels = append(levels, o)
			}
		}
		if done[key] || len(levels) < 2 {
			continue
		}
		done[key] = true
		slices.SortFunc(levels, func(a, b *group) int { return a.noise - b.noise })
		for _, horizon := range g.horizons {
			out = append(out, d.noiseTable(levels, horizon), d.byNoise(levels, horizon))
		}
	}
	return out
}

// noiseFile is the name of a file about all levels of noise of a group.
func noiseFile(g *group, horizon int) string {
	others := strings.Trim(strings.ReplaceAll(g.slug, fmt.Sprintf("noise%d", g.noise), ""), "_")
	return strings.TrimSuffix(fmt.Sprintf("score_by_noise_T%d_%s", horizon, others), "_")
}

// noiseTable is the scores of all levels, for those that the paper has beside
// its own.
func (d *data) noiseTable(levels []*group, horizon int) *Table {
	g := levels[0]
	t := &Table{Name: noiseFile(g, horizon), Caption: fmt.Sprintf("Scores by noise lines per step, T=%d: %s", horizon, noiseTitle(g)), Columns: columns("noise", "noise lines", "agent", "agent", "n", "n", "score±", "score")}
	tables := d.noisy(g, horizon)
	for _, p := range tables {
		t.Columns = append(t.Columns, Column{Key: "paper_" + p.Name + "_score", Head: fmt.Sprintf("paper: score (%s, %s)", p.Model, p.Name), Spread: true})
	}
	for _, level := range levels {
		for _, agent := range g.agents {
			cells := level.at(horizon, agent)
			row := []Cell{whole(level.noise), text(plain(agent)), whole(len(finished(cells))), meanCell(summarize(cells, func(c *cell) stats.Value { return c.Score() }), 3)}
			for _, p := range tables {
				c := Cell{}
				if f, ok := d.figure(p, level, horizon, agent, "score"); ok {
					c = publishedCell(f, 2)
				}
				row = append(row, c)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

func noiseTitle(g *group) string {
	return fmt.Sprintf("%s, %s world, %s, %s", plain(g.task), g.world, driftWords(g.drift), plain(g.model))
}

func (d *data) byNoise(levels []*group, horizon int) Block {
	g := levels[0]
	l := charts.Lines{Title: fmt.Sprintf("Score against noise, T=%d", horizon), Subtitle: noiseTitle(g),
		X: charts.Axis{Label: "noise lines per step"}, Y: charts.Axis{Label: "score (share of base events)", Min: at(0), Max: at(1)}}
	for _, agent := range g.agents {
		s := charts.Series{Name: plain(agent)}
		for _, level := range levels {
			if sum := summarize(level.at(horizon, agent), func(c *cell) stats.Value { return c.Score() }); sum.Mean.OK {
				s.Points = append(s.Points, point(float64(level.noise), sum.Mean.V, sum.SD.V))
			}
		}
		l.Series = append(l.Series, s)
	}
	caption := l.Title + " (" + l.Subtitle + "). Mean, band of one sample SD over seeds."
	if tables := d.noisy(g, horizon); len(tables) > 0 {
		p := tables[0]
		l.Series = append(l.Series, d.openByNoise(g, p)...)
		caption += fmt.Sprintf(" Open markers: published figures of %s (%s).", p.Model, p.Name)
	}
	return draw(noiseFile(g, horizon), caption, l)
}

// noisy are the published tables of scores by noise at a horizon.
func (d *data) noisy(g *group, horizon int) []paper.Table {
	return slices.DeleteFunc(d.published(g), func(p paper.Table) bool {
		return !slices.Contains(p.Columns, "noise_per_turn") || p.Horizon != horizon
	})
}

// openByNoise are published scores as series, one for each strategy of the
// group.
func (d *data) openByNoise(g *group, p paper.Table) []charts.Series {
	var out []charts.Series
	for _, agent := range g.agents {
		s := charts.Series{Name: d.strategy(agent) + " (paper)", Style: charts.Open}
		for row := range p.Rows {
			n := p.Cell(row, "noise_per_turn")
			if f, ok := paper.LookupNoise(p.Name, int(n.Number), d.strategy(agent)); ok {
				s.Points = append(s.Points, charts.Point{X: n.Number, Y: f.Value})
			}
		}
		if len(s.Points) > 0 && !slices.ContainsFunc(out, func(o charts.Series) bool { return o.Name == s.Name }) {
			out = append(out, s)
		}
	}
	return out
}
