package report

import (
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/paper"
)

// mechanism says whose lag a simulated recovery is.
func (d *data) mechanism() []Block {
	if !slices.ContainsFunc(d.manifest.Cells, func(c record.Cell) bool { return c.ModelKind == record.Simulated && c.Drift != "" }) {
		return nil
	}
	return []Block{Paragraph("Steps to recovery of a simulated model are its mechanism's: a perfect reader takes every fact as last stated, an anchored one lets older statements vote. " +
		"They show what each strategy's context gives such a mechanism to act on, and are no evidence of how long a language model takes. Published steps stand beside them for their direction only.")}
}

// withPublishedRecovery adds one column for each published table that has the
// group's scenario. Rows are told by horizon and agent.
func (d *data) withPublishedRecovery(t *Table, g *group) {
	if g.world != record.Closed || g.noise != 0 {
		return
	}
	for _, name := range d.manifest.Paper {
		p, ok := paper.Tables()[name]
		row := slices.IndexFunc(p.Rows, func(r paper.Row) bool { return slices.Contains(p.Columns, "scenario") && r[0].Text == g.drift })
		if !ok || p.Task != g.base || row < 0 {
			continue
		}
		t.Columns = append(t.Columns, Column{Key: "paper_" + name + "_steps", Head: fmt.Sprintf("paper: steps (%s, %s)", p.Model, name)})
		i := 0
		g.rows(func(_ int, agent string) {
			t.Rows[i] = append(t.Rows[i], publishedSteps(p, row, d.strategy(agent)))
			i++
		})
	}
}

// publishedSteps is the published recovery of a runtime: steps, a range where
// one is given for all runtimes with a history, or that there was none.
func publishedSteps(p paper.Table, row int, runtime string) Cell {
	if slices.Contains(p.Columns, runtime) {
		return stepsCell(p.Cell(row, runtime))
	}
	switch runtime {
	case "skillstate":
		return stepsCell(p.Cell(row, "skillstate_recovery"))
	case "react", "memory", "stateful":
		low, high := p.Cell(row, "history_recovery_min"), p.Cell(row, "history_recovery_max")
		if low.Kind != paper.Number || high.Kind != paper.Number {
			return stepsCell(low)
		}
		return text(fmt.Sprintf("%g–%g", low.Number, high.Number))
	}
	return Cell{}
}

func stepsCell(v paper.Value) Cell {
	if v.Kind != paper.Number {
		return text("not recovered")
	}
	return printed(v)
}
