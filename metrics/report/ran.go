package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// whatRan counts cells by condition and status, and shows both denominators
// where they differ.
func whatRan(d *data) []Block {
	planned, results := len(d.cells), len(finished(d.cells))
	t := &Table{Name: "cells", Caption: "Cells by condition and status",
		Columns: columns("condition", "condition", "status", "status", "cells", "cells", "example", "why, of the first")}
	type line struct{ condition, status string }
	counts, why := map[line]int{}, map[line]string{}
	var order []line
	arms := d.doneArms()
	for _, c := range d.cells {
		l := line{d.titleOf(c), string(c.Status)}
		if g := d.groupOf(c); arms[g] {
			l.condition = allArms + strings.TrimPrefix(l.condition, plain(g.task))
		}
		if counts[l]++; counts[l] == 1 {
			order = append(order, l)
		}
		if c.end != nil && why[l] == "" {
			why[l] = c.end.Why
			if !strings.Contains(c.end.Why, c.end.Measured) {
				why[l] += " " + c.end.Measured
			}
		}
	}
	for _, l := range order {
		t.Rows = append(t.Rows, []Cell{text(l.condition), text(plain(l.status)), whole(counts[l]), text(plain(why[l]))})
	}
	words := fmt.Sprintf("%d of %d planned cells have a result.", results, planned)
	if planned > results {
		words += fmt.Sprintf(" Those without one (%d) are left out of every mean below; the last tables of this section show what changes if they count as failures.", planned-results)
	}
	out := []Block{Paragraph(words), t}
	return append(out, d.each(func(g *group) []Block { return denominators(g) })...)
}

// doneArms are the groups of pools of arms all of whose cells are done: one line says
// so of all.
func (d *data) doneArms() map[*group]bool {
	out := map[*group]bool{}
	for _, pool := range d.pools() {
		open := slices.ContainsFunc(pool, func(g *group) bool {
			return slices.ContainsFunc(g.cells, func(c *cell) bool { return c.Status != record.Done })
		})
		for _, g := range pool {
			out[g] = len(pool) > 1 && !open
		}
	}
	return out
}

// groupOf is the first group that holds a cell, or nil.
func (d *data) groupOf(c *cell) *group {
	for _, g := range d.groups {
		if g.holds(c.Cell) {
			return g
		}
	}
	return nil
}

func (d *data) titleOf(c *cell) string {
	g := d.groupOf(c)
	switch {
	case g == nil:
		return plain(c.Cell.Task)
	case c.Cell.ModelKind == record.NoModel && g.kind != record.NoModel:
		return strings.TrimSuffix(g.title, ", "+plain(g.model)) + ", no model"
	}
	return g.title
}

// denominators compares scores over different sets of cells, for rows in which
// an episode was not played to its end.
func denominators(g *group) []Block {
	t := &Table{Name: g.file("denominators"), Caption: "Scores where episodes were cut short, under each denominator",
		Columns: columns("horizon", "T", "agent", "agent", "planned", "cells planned", "results", "with a result",
			"score", "score over results", "score_planned", "score over planned, none = 0", "played", "events played", "score_played", "right ÷ events played"),
		Notes: []string{
			"Score over results: mean over cells with a result. An episode that ended in context_overflow or budget_infeasible is a result, and its later events count as missed.",
			"Right ÷ events played: all cells, unfinished ones too, over the base events they got to.",
		}}
	g.rows(func(horizon int, agent string) {
		cells := g.at(horizon, agent)
		statuses := map[record.Status]bool{}
		played, right, sum := 0, 0, 0.0
		for _, c := range cells {
			statuses[c.Status] = true
			played += c.played
			right += c.right
			sum += c.Score().V
		}
		if len(cells) == 0 || len(statuses) == 1 && statuses[record.Done] {
			return
		}
		s := summarize(cells, func(c *cell) stats.Value { return c.Score() })
		t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(len(cells)), whole(len(finished(cells))),
			number(s.Mean, 3), number(stats.Of(sum/float64(len(cells))), 3), whole(played), number(ratio(float64(right), float64(played)), 3)})
	})
	if len(t.Rows) == 0 {
		return nil
	}
	return []Block{t}
}

func ratio(a, b float64) stats.Value {
	if b == 0 {
		return stats.Value{}
	}
	return stats.Of(a / b)
}

// sorted are the keys of a map, in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
