package report

import (
	"fmt"
	"slices"
)

// refusals count what went wrong between model and world.
func refusals(d *data) []Block {
	return d.each(func(g *group) []Block {
		out := []Block{retryTable(g), violationTable(g), failureTable(g)}
		out = slices.DeleteFunc(out, func(b Block) bool { return len(b.(*Table).Rows) == 0 })
		if len(out) > 0 {
			return out
		}
		calls := 0
		for _, o := range d.poolOf(g) {
			for _, c := range o.cells {
				calls += c.Calls
			}
		}
		if calls == 0 {
			return nil
		}
		return []Block{Paragraph(fmt.Sprintf("In %d calls no attempt was refused, no step was missed and no call failed.", calls))}
	})
}

// retryTable has a row wherever an attempt was refused.
func retryTable(g *group) *Table {
	t := &Table{Name: g.file("retries"), Caption: "Retries and missed steps" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "steps", "steps", "calls", "calls", "retries", "retries", "refused", "refused attempts", "missed", "missed steps", "missed_share", "missed ÷ steps"),
		Notes:   []string{"Rows without a refused attempt are left out. Cells without a result count too."}}
	g.rows(func(horizon int, agent string) {
		steps, calls, retries, missed, refused := 0, 0, 0, 0, 0
		for _, c := range g.at(horizon, agent) {
			steps += c.Steps
			calls += c.Calls
			retries += c.Retries
			missed += c.missed
			for _, n := range c.violations {
				refused += n
			}
		}
		if refused > 0 {
			t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(steps), whole(calls), whole(retries), whole(refused), whole(missed), meanOf(missed, steps, 3)})
		}
	})
	return t
}

// violationTable counts refused attempts by their primary class, over all
// horizons.
func violationTable(g *group) *Table {
	t := &Table{Name: g.file("violations"), Caption: "Refused attempts by primary class, all horizons" + g.in(), Columns: columns("class", "class"),
		Notes: []string{"A refused attempt counts once, under its first violation."}}
	classes := map[string]bool{}
	for _, c := range g.cells {
		for class := range c.violations {
			classes[class] = true
		}
	}
	for _, a := range g.agents {
		t.Columns = append(t.Columns, Column{Key: plain(a), Head: plain(a)})
	}
	for _, class := range sorted(classes) {
		row := []Cell{text(plain(class))}
		for _, a := range g.agents {
			n := 0
			for _, c := range g.over(a) {
				n += c.violations[class]
			}
			row = append(row, whole(n))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// failureTable counts attempts that a provider or the network spoiled. They
// are billed where they have tokens, and needed by no strategy.
func failureTable(g *group) *Table {
	t := &Table{Name: g.file("failures"), Caption: "Attempts spoiled by provider or network" + g.in(),
		Columns: columns("agent", "agent", "class", "class", "attempts", "attempts", "known", "with known tokens", "tokens", "tokens known"),
		Notes:   []string{"These attempts are billed but not logical: no strategy needed them. Where a provider gave no count, what they cost is not known."}}
	for _, a := range g.agents {
		sum := map[string]failed{}
		for _, c := range g.over(a) {
			for class, f := range c.failed {
				s := sum[class]
				sum[class] = failed{s.attempts + f.attempts, s.known + f.known, s.tokens + f.tokens}
			}
		}
		for _, class := range sorted(sum) {
			f := sum[class]
			row := []Cell{text(plain(a)), text(plain(class)), whole(f.attempts), whole(f.known), {}}
			if f.known > 0 {
				row[4] = whole(f.tokens)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}
