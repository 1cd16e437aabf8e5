package report

import (
	"fmt"
	"slices"

	"skillbench/metrics/paper"
)

// published are the tables that the experiment names, for this group's task.
func (d *data) published(g *group) []paper.Table {
	all := paper.Tables()
	var out []paper.Table
	for _, name := range d.manifest.Paper {
		if t, ok := all[name]; ok && t.Task == g.base && g.plainly() {
			out = append(out, t)
		}
	}
	return out
}

// strategy is the name of the strategy behind a label.
func (d *data) strategy(agent string) string {
	for _, a := range d.manifest.Agents {
		if a.Name == agent {
			return a.Base
		}
	}
	return agent
}

// figure is the published figure for a cell of this group's tables.
func (d *data) figure(t paper.Table, g *group, horizon int, agent, column string) (paper.Figure, bool) {
	runtime := d.strategy(agent)
	if slices.Contains(t.Columns, "noise_per_turn") {
		if column != "score" || horizon != t.Horizon {
			return paper.Figure{}, false
		}
		return paper.LookupNoise(t.Name, g.noise, runtime)
	}
	if g.noise != 0 {
		return paper.Figure{}, false
	}
	return paper.Lookup(t.Name, horizon, runtime, column)
}

// withPublished adds one column for each published table that has a figure for
// one of the rows. Rows are told by horizon and agent.
func (d *data) withPublished(t *Table, g *group, column, head string, decimals int) {
	for _, p := range d.published(g) {
		cells := make([]Cell, len(t.Rows))
		some := false
		i := 0
		g.rows(func(horizon int, agent string) {
			cells[i] = Cell{Decimals: decimals}
			if f, ok := d.figure(p, g, horizon, agent, column); ok {
				cells[i], some = publishedCell(f, decimals), true
			}
			i++
		})
		if !some {
			continue
		}
		t.Columns = append(t.Columns, Column{
			Key: "paper_" + p.Name + "_" + column, Spread: true,
			Head: fmt.Sprintf("paper: %s (%s, %s)", head, p.Model, p.Name),
		})
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], cells[i])
		}
	}
}

// rows calls f for each horizon and agent of the group, in the order of tables.
func (g *group) rows(f func(horizon int, agent string)) {
	for _, horizon := range g.horizons {
		for _, agent := range g.agents {
			f(horizon, agent)
		}
	}
}

// replications are measurements of the same tasks by others, as they are.
func replications(d *data) []Block {
	var out []Block
	for i, r := range paper.Replications() {
		known := slices.ContainsFunc(d.groups, func(g *group) bool { return g.base == r.Task })
		if !known || len(d.manifest.Paper) == 0 {
			continue
		}
		caption := fmt.Sprintf("%s: %s", r.By, r.Metric)
		if r.Model != "" {
			caption += ", " + r.Model
		}
		if r.Horizon > 0 {
			caption += fmt.Sprintf(", T=%d", r.Horizon)
		}
		if r.RunsPerCell > 0 {
			caption += fmt.Sprintf(", %d runs per cell", r.RunsPerCell)
		}
		out = append(out, gridTable(fmt.Sprintf("replication_%d", i+1), caption, r.Grid))
	}
	if len(out) > 0 {
		out = append([]Block{Paragraph("Others rebuilt the environments of the paper and measured real models in them. Their worlds are not this one: compare directions and orders of magnitude, not digits.")}, out...)
	}
	return out
}

// gridTable shows published cells as they are printed.
func gridTable(name, caption string, g paper.Grid) *Table {
	t := &Table{Name: name, Caption: caption}
	for _, c := range g.Columns {
		t.Columns = append(t.Columns, Column{Key: c, Head: c})
	}
	for _, row := range g.Rows {
		var line []Cell
		for _, v := range row {
			line = append(line, printed(v))
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}
