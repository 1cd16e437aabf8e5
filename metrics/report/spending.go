package report

import (
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// spending splits tokens by purpose and kind, our count beside the provider's. Where
// arms have steps only, the split stands in the file.
func spending(d *data) []Block {
	out := []Block{Paragraph("Tokens of all calls by purpose, cells without a result included. Counted here: with the tokenizer of the run. Provider: as its usage says, summed over the calls that say so; a dash means that no call did. " +
		"Logical is what the strategy needed; billed adds the attempts that were spoiled, as far as their tokens are known.")}
	return append(out, d.each(func(g *group) []Block {
		t, usage := purposeTable(g)
		if len(t.Rows) == 0 {
			return nil
		}
		t.Aside = len(d.poolOf(g)) > 1 && !usage && !slices.ContainsFunc(t.Rows, func(row []Cell) bool { return row[2].Text != string(record.ForStep) })
		blocks := []Block{t}
		if !usage {
			blocks = append(blocks, Paragraph("No call came with a provider's usage."))
		}
		if billed := billTable(g); len(billed.Rows) > 0 {
			return append(blocks, billed)
		}
		return append(blocks, Paragraph("No attempt was spoiled: billed equals logical."))
	})...)
}

// usageColumns are the provider's counts.
var usageColumns = columns("usage_calls", "calls with usage", "usage_prompt", "provider: prompt", "usage_completion", "provider: completion", "usage_cached", "provider: cached", "usage_reasoning", "provider: reasoning")

// tolerance is how far a provider's prompt tokens may be from those counted
// here, as a share, before the report warns.
const tolerance = 0.1

// astray warns of a provider that counts otherwise. It compares only where every
// call has a usage.
func (s spent) astray(horizon int, agent string) string {
	if s.toldPrompt.calls != s.calls || s.prompt == 0 {
		return ""
	}
	ratio := float64(s.toldPrompt.sum) / float64(s.prompt)
	if ratio > 1-tolerance && ratio < 1+tolerance {
		return ""
	}
	return fmt.Sprintf("T=%d, %s: the provider counts %.2f times the prompt tokens counted here (another tokenizer, the frame of a chat, or a schema sent beside the prompt): take its counts for money and these for comparison.", horizon, plain(agent), ratio)
}

// purposeTable has the provider's columns only where a provider says anything.
func purposeTable(g *group) (t *Table, usage bool) {
	t = &Table{Name: g.file("tokens_by_purpose"), Caption: "Tokens by purpose and kind" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "purpose", "purpose", "calls", "calls", "prompt", "prompt", "completion", "completion")}
	var told [][]Cell
	g.rows(func(horizon int, agent string) {
		for _, purpose := range []record.Purpose{record.ForStep, record.ForRetry, record.ForSummary, record.ForScores} {
			var s spent
			for _, c := range g.at(horizon, agent) {
				s = s.plus(c.spent[purpose])
			}
			if s.calls == 0 {
				continue
			}
			usage = usage || s.toldPrompt.calls > 0
			if w := s.astray(horizon, agent); w != "" {
				t.Notes = append(t.Notes, w)
			}
			t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), text(string(purpose)), whole(s.calls), whole(s.prompt), whole(s.completion)})
			told = append(told, []Cell{whole(s.toldPrompt.calls), s.toldPrompt.cell(), s.toldCompletion.cell(), s.toldCached.cell(), s.toldThought.cell()})
		}
	})
	if usage {
		t.Columns = append(t.Columns, usageColumns...)
		for i := range t.Rows {
			t.Rows[i] = append(t.Rows[i], told[i]...)
		}
	}
	return t, usage
}

// billTable has a row wherever an attempt was spoiled.
func billTable(g *group) *Table {
	t := &Table{Name: g.file("tokens_billed"), Caption: "Logical and billed tokens" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "logical", "logical", "spoiled", "spoiled attempts", "unknown", "of these without a count", "billed", "billed, at least")}
	g.rows(func(horizon int, agent string) {
		logical, sum := 0, failed{}
		for _, c := range g.at(horizon, agent) {
			logical += c.total()
			for _, f := range c.failed {
				sum = failed{sum.attempts + f.attempts, sum.known + f.known, sum.tokens + f.tokens}
			}
		}
		if sum.attempts > 0 {
			t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(logical), whole(sum.attempts), whole(sum.attempts - sum.known), whole(logical + sum.tokens)})
		}
	})
	return t
}

func (t told) cell() Cell {
	if t.calls == 0 {
		return Cell{}
	}
	return number(stats.Of(float64(t.sum)), 0)
}
