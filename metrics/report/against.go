package report

import (
	"slices"

	"skillbench/metrics/stats"
)

// against sets what people run beside skillstate: score, tokens and size.
func against(d *data) []Block {
	people := []string{"truncated", "summary_capped", "llmlingua", "masked", "compacted", "ledger", "hybrid"}
	blocks := d.each(func(g *group) []Block {
		with := d.agentOf(g, "skillstate")
		if with == "" || !slices.ContainsFunc(g.agents, func(a string) bool { return slices.Contains(people, d.strategy(a)) }) {
			return nil
		}
		t := &Table{Name: g.file("against"), Caption: "Every strategy against " + plain(with) + g.in(),
			Columns: columns("horizon", "T", "agent", "agent", "score", "score", "tokens", "total tokens", "times", "× "+plain(with), "summary", "of these, summary calls", "prompt", "prompt, mean characters", "largest", "prompt, largest", "grows", "largest × that at the smallest T")}
		for _, horizon := range g.horizons {
			base := meanTotal(g.at(horizon, with), 1)
			for _, agent := range g.agents {
				cells := g.at(horizon, agent)
				total := meanTotal(cells, 1)
				if !total.OK || isFloor(cells) {
					continue
				}
				score := summarize(cells, func(c *cell) stats.Value { return c.Score() })
				mean := summarize(cells, func(c *cell) stats.Value { return c.PromptCharsMean })
				largest, least := largestOf(cells), largestOf(g.at(g.horizons[0], agent))
				summaries := summarize(cells, func(c *cell) stats.Value { return stats.Of(float64(c.summaryTokens())) })
				t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), number(score.Mean, 3), number(total, 0), number(ratio(total.V, base.V), 2), number(summaries.Mean, 0),
					number(mean.Mean, 0), number(largest, 0), number(ratio(largest.V, least.V), 2)})
			}
		}
		return []Block{t}
	})
	if len(blocks) == 0 {
		return nil
	}
	return append([]Block{Paragraph("Histories that are cut, masked, compacted or governed are what people run where they do not keep a state. Tokens count all calls, those that rewrite a summary or a brief included; prices come in a section of their own.")}, blocks...)
}

func largestOf(cells []*cell) stats.Value {
	return summarize(cells, func(c *cell) stats.Value { return c.PromptCharsMax }).Mean
}
