package report

import (
	"fmt"
	"math"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// factors are the lengths of reply, relative to those recorded, at which the
// headline is priced again.
var factors = []float64{0.25, 0.5, 1, 2, 4}

// headline is the paper's ratio of total tokens, and how it moves with the
// length of replies.
func headline(d *data) []Block {
	claimed := paper.About().Headline
	blocks := d.each(func(g *group) []Block {
		over, under := d.agentOf(g, "stateful"), d.agentOf(g, "skillstate")
		if over == "" || under == "" {
			return nil
		}
		t := d.ratios(g, over, under)
		if len(t.Rows) == 0 {
			return nil
		}
		return append([]Block{t}, d.repriced(g, over, under)...)
	})
	if len(blocks) == 0 {
		return nil
	}
	return append([]Block{Paragraph(fmt.Sprintf("The abstract claims that stateful takes %g times the total tokens of skillstate (%s, T=%d).", claimed.StatefulOverSkillstate, claimed.Task, claimed.Horizon))}, blocks...)
}

// agentOf is the first label of a strategy in a group, or "".
func (d *data) agentOf(g *group, strategy string) string {
	for _, a := range g.agents {
		if d.strategy(a) == strategy {
			return a
		}
	}
	return ""
}

func (d *data) ratios(g *group, over, under string) *Table {
	t := &Table{Name: g.file("headline"), Caption: fmt.Sprintf("Total tokens, %s ÷ %s%s", plain(over), plain(under), g.in()),
		Columns: columns("horizon", "T", "over", plain(over), "under", plain(under), "ratio", "ratio")}
	tables := slices.DeleteFunc(d.published(g), func(p paper.Table) bool {
		return !slices.ContainsFunc(g.horizons, func(h int) bool { return d.publishedRatio(p, g, h).OK })
	})
	for _, p := range tables {
		t.Columns = append(t.Columns, Column{Key: "paper_" + p.Name, Head: fmt.Sprintf("paper: ratio (%s, %s)", p.Model, p.Name)})
	}
	for _, horizon := range g.horizons {
		a, b := meanTotal(g.at(horizon, over), 1), meanTotal(g.at(horizon, under), 1)
		if !a.OK || !b.OK {
			continue
		}
		row := []Cell{whole(horizon), number(a, 0), number(b, 0), number(ratio(a.V, b.V), 2)}
		for _, p := range tables {
			row = append(row, number(d.publishedRatio(p, g, horizon), 2))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (d *data) publishedRatio(p paper.Table, g *group, horizon int) stats.Value {
	a, okA := d.figure(p, g, horizon, "stateful", "tokens")
	b, okB := d.figure(p, g, horizon, "skillstate", "tokens")
	if !okA || !okB {
		return stats.Value{}
	}
	return ratio(a.Value, b.Value)
}

// meanTotal is the mean of the repriced totals.
func meanTotal(cells []*cell, factor float64) stats.Value {
	return summarize(cells, func(c *cell) stats.Value { return stats.Of(c.repriced(factor)) }).Mean
}

// repriced shows what the totals of every strategy become where replies are
// shorter or longer. In a teacher world prompts show the oracle's replies and
// not the model's, so there is nothing to scale.
func (d *data) repriced(g *group, over, under string) []Block {
	horizon := g.largest()
	if h := paper.About().Headline.Horizon; slices.Contains(g.horizons, h) {
		horizon = h
	}
	if g.world == record.Teacher || !meanTotal(g.at(horizon, over), 1).OK || !meanTotal(g.at(horizon, under), 1).OK {
		return nil
	}
	t := &Table{Name: g.file("headline_by_reply_length"), Caption: fmt.Sprintf("The same transcripts priced at other lengths of reply, T=%d (arithmetic, not a run)%s", horizon, g.in()),
		Columns: columns("factor", "length of reply × f"),
		Notes: []string{
			"Arithmetic on the recorded prompts, not a run: no model was asked again, and scores play no part.",
			"total(f) = total(1) + (f − 1) × (C + H). C is the completion tokens of all steps and retries. H sums, over all calls, the tokens of earlier replies that the prompt shows again: " +
				"history = past observations + past replies + labels, and only the replies scale. A reply's tokens are those counted when it was made, by the share of its characters shown.",
			"The action and the patch scale with the reasoning, so f < 1 is a bound rather than a likely reply; summaries keep their recorded length, and so does what a state holds.",
		}}
	var agents []string
	for _, a := range g.agents {
		if meanTotal(g.at(horizon, a), 1).OK && !isFloor(g.at(horizon, a)) {
			agents = append(agents, a)
			t.Columns = append(t.Columns, Column{Key: plain(a), Head: plain(a)})
		}
	}
	t.Columns = append(t.Columns, Column{Key: "ratio", Head: plain(over) + " ÷ " + plain(under)})
	for _, f := range factors {
		row := []Cell{number(stats.Of(f), 2)}
		for _, a := range agents {
			row = append(row, number(meanTotal(g.at(horizon, a), f), 0))
		}
		row = append(row, number(ratio(meanTotal(g.at(horizon, over), f).V, meanTotal(g.at(horizon, under), f).V), 2))
		t.Rows = append(t.Rows, row)
	}
	return []Block{t, Paragraph(d.wanted(g, horizon, over, under))}
}

// wanted says at which length of reply the claimed ratio would come out. Both
// totals are linear in f.
func (d *data) wanted(g *group, horizon int, over, under string) string {
	claimed := paper.About().Headline.StatefulOverSkillstate
	a0, b0 := meanTotal(g.at(horizon, over), 0).V, meanTotal(g.at(horizon, under), 0).V
	a, b := meanTotal(g.at(horizon, over), 1).V-a0, meanTotal(g.at(horizon, under), 1).V-b0
	words := fmt.Sprintf("Between no replies at all and ever longer ones, the ratio at T=%d goes from %.2f towards %.2f", horizon, a0/b0, a/b)
	f := (claimed*b0 - a0) / (a - claimed*b)
	if math.IsNaN(f) || f < 0 || math.IsInf(f, 0) {
		return words + fmt.Sprintf("; no length of reply makes it %g.", claimed)
	}
	return words + fmt.Sprintf("; it would be %g at f = %.2f.", claimed, f)
}

// isFloor reports whether no model played these cells.
func isFloor(cells []*cell) bool { return len(cells) > 0 && cells[0].Cell.ModelKind == record.NoModel }
