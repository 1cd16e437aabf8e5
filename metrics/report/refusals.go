package report

import (
	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// refusals count what went wrong between model and world.
func refusals(d *data) []Block {
	return d.each(func(g *group) []Block {
		t := &Table{Name: g.file("retries"), Caption: "Retries and missed steps" + g.in(),
			Columns: columns("horizon", "T", "agent", "agent", "steps", "steps", "calls", "calls", "retries", "retries", "refused", "refused attempts", "missed", "missed steps", "missed_share", "missed ÷ steps")}
		g.rows(func(horizon int, agent string) {
			steps, calls, retries, missed, refused := 0, 0, 0, 0, 0
			cells := g.at(horizon, agent)
			if isFloor(cells) {
				return
			}
			for _, c := range cells {
				steps += c.Steps
				calls += c.Calls
				retries += c.Retries
				missed += c.missed
				for _, n := range c.violations {
					refused += n
				}
			}
			t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(steps), whole(calls), whole(retries), whole(refused), whole(missed), meanOf(missed, steps, 3)})
		})
		out := []Block{t}
		if v := violationTable(g); len(v.Rows) > 0 {
			out = append(out, v)
		} else {
			out = append(out, Paragraph("No attempt was refused."))
		}
		if f := failureTable(g); len(f.Rows) > 0 {
			out = append(out, f)
		}
		return out
	})
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

// spending splits tokens by purpose and kind, our count beside the provider's.
func spending(d *data) []Block {
	out := []Block{Paragraph("Tokens of all calls by purpose, cells without a result included. Counted here: with the tokenizer of the run. Provider: as its usage says, summed over the calls that say so; a dash means that no call did. " +
		"Logical is what the strategy needed; billed adds the attempts that were spoiled, as far as their tokens are known.")}
	return append(out, d.each(func(g *group) []Block {
		t := &Table{Name: g.file("tokens_by_purpose"), Caption: "Tokens by purpose and kind" + g.in(),
			Columns: columns("horizon", "T", "agent", "agent", "purpose", "purpose", "calls", "calls", "prompt", "prompt", "completion", "completion",
				"usage_calls", "calls with usage", "usage_prompt", "provider: prompt", "usage_completion", "provider: completion", "usage_cached", "provider: cached", "usage_reasoning", "provider: reasoning")}
		billed := &Table{Name: g.file("tokens_billed"), Caption: "Logical and billed tokens" + g.in(),
			Columns: columns("horizon", "T", "agent", "agent", "logical", "logical", "spoiled", "spoiled attempts", "unknown", "of these without a count", "billed", "billed, at least")}
		g.rows(func(horizon int, agent string) {
			cells := g.at(horizon, agent)
			if isFloor(cells) {
				return
			}
			logical, sum := 0, failed{}
			for _, purpose := range []record.Purpose{record.ForStep, record.ForRetry, record.ForSummary} {
				var s spent
				for _, c := range cells {
					s = s.plus(c.spent[purpose])
				}
				logical += s.prompt + s.completion
				if s.calls > 0 {
					t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), text(string(purpose)), whole(s.calls), whole(s.prompt), whole(s.completion),
						whole(s.toldPrompt.calls), s.toldPrompt.cell(), s.toldCompletion.cell(), s.toldCached.cell(), s.toldThought.cell()})
				}
			}
			for _, c := range cells {
				for _, f := range c.failed {
					sum = failed{sum.attempts + f.attempts, sum.known + f.known, sum.tokens + f.tokens}
				}
			}
			if sum.attempts > 0 {
				billed.Rows = append(billed.Rows, []Cell{whole(horizon), text(plain(agent)), whole(logical), whole(sum.attempts), whole(sum.attempts - sum.known), whole(logical + sum.tokens)})
			}
		})
		if len(billed.Rows) == 0 {
			return []Block{t, Paragraph("No attempt was spoiled: billed equals logical.")}
		}
		return []Block{t, billed}
	})...)
}

func (t told) cell() Cell {
	if t.calls == 0 {
		return Cell{}
	}
	return number(stats.Of(float64(t.sum)), 0)
}
