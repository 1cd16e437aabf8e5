package report

import (
	"fmt"
	"slices"

	"skillbench/metrics/money"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// replicatedCosts sets the ratio of raw and of effective tokens that others
// found beside this run's.
func (d *data) replicatedCosts(g *group) []Block {
	var out []Block
	for i, r := range paper.Replications() {
		if r.Task != g.base || !slices.Contains(r.Columns, "effective") || !slices.Contains(r.Columns, "raw") {
			continue
		}
		t := d.replicatedTable(g, r)
		if t == nil {
			continue
		}
		t.Name = g.file(fmt.Sprintf("replicated_costs_%d", i+1))
		out = append(out, t)
	}
	return out
}

func (d *data) replicatedTable(g *group, r paper.Replication) *Table {
	under := d.agentOf(g, "skillstate")
	horizon := r.Horizon
	if !slices.Contains(g.horizons, horizon) {
		horizon = g.largest()
	}
	if under == "" || !meanTotal(g.at(horizon, under), 1).OK {
		return nil
	}
	find := func(runtime, column string) stats.Value {
		for row := range r.Rows {
			if r.Cell(row, "runtime").Text == runtime {
				if v := r.Cell(row, column); v.Kind == paper.Number {
					return stats.Of(v.Number)
				}
			}
		}
		return stats.Value{}
	}
	t := &Table{Caption: fmt.Sprintf("Tokens of each strategy ÷ those of skillstate: %s (%s, T=%d) and this run (T=%d)%s", plain(r.By), plain(r.Model), r.Horizon, horizon, g.in()),
		Columns: columns("agent", "agent", "their_raw", "theirs, raw", "their_effective", "theirs, under caching", "raw", "this run, raw")}
	for _, p := range d.till.book.Policies {
		if p.Kind != money.None {
			t.Columns = append(t.Columns, Column{Key: p.Name, Head: "this run, " + p.Name})
		}
	}
	effective := func(agent string, policy int) stats.Value {
		cells := g.at(horizon, agent)
		prompt, completion := d.meanEffective(cells, policy), summarize(cells, func(c *cell) stats.Value { return stats.Of(float64(c.CompletionTokens)) }).Mean
		if !prompt.OK || !completion.OK {
			return stats.Value{}
		}
		return stats.Of(prompt.V + completion.V)
	}
	over := func(a, b stats.Value) Cell {
		if !a.OK || !b.OK {
			return Cell{}
		}
		return number(ratio(a.V, b.V), 2)
	}
	for _, agent := range g.paying() {
		if agent == under {
			continue
		}
		runtime := agent // a variant has prompts of its own, and stands beside no figure
		row := []Cell{text(plain(agent)), over(find(runtime, "raw"), find("skillstate", "raw")), over(find(runtime, "effective"), find("skillstate", "effective")),
			over(meanTotal(g.at(horizon, agent), 1), meanTotal(g.at(horizon, under), 1))}
		for i, p := range d.till.book.Policies {
			if p.Kind != money.None {
				row = append(row, over(effective(agent, i), effective(under, i)))
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"Effective: completion tokens, and prompt tokens in tokens of full price. Their world and the length of their replies are others: compare directions and orders of magnitude, not digits."}
	if len(t.Rows) == 0 {
		return nil
	}
	return t
}
