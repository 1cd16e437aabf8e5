package report

import (
	"fmt"

	"skillbench/metrics/stats"
)

// losses splits the score three ways.
func losses(d *data) []Block {
	out := []Block{Paragraph("Score at the largest horizon, by what a step asks of the past: the steps since the fact it needs was last observed, the facts that hold in the agent's world (occupied shelves, open branches), and the place in the episode. " +
		"95 % intervals are Wilson's with the effective number of events after clustering by seed. Events that a cut-short episode never got to are in no row.")}
	return append(out, d.each(func(g *group) []Block {
		return []Block{
			split(g, "score_by_age", "Score by age of the needed fact", "age", "age of fact (steps)", ages, func(c *cell) []hits { return c.strata.age[:] }),
			split(g, "score_by_load", "Score by load", "load", "facts that hold", loads, func(c *cell) []hits { return c.strata.load[:] }),
			split(g, "score_by_quarter", "Score by quarter of the episode", "quarter", "quarter", quarters, func(c *cell) []hits { return c.strata.quarter[:] }),
		}
	})...)
}

func split(g *group, name, caption, key, head string, buckets []bucket, of func(*cell) []hits) *Table {
	t := &Table{Name: g.file(name), Caption: fmt.Sprintf("%s, T=%d%s", caption, g.largest(), g.in()), Columns: columns("agent", "agent", key, head, "n", "events", "score", "score", "low", "95 % from", "high", "to")}
	for _, agent := range g.agents {
		for i, b := range buckets {
			var counts []stats.Count
			for _, c := range finished(g.at(g.largest(), agent)) {
				h := of(c)[i]
				counts = append(counts, stats.Count{Cluster: seedOf(c), K: h.k, N: h.n})
			}
			p := stats.WilsonClustered(counts, 0)
			if p.N == 0 {
				continue
			}
			t.Rows = append(t.Rows, append([]Cell{text(plain(agent)), text(b.name)}, shareCells(p)...))
			for _, w := range p.Warnings {
				t.doubt(b.name, w)
			}
		}
	}
	return t
}
