package report

import (
	"fmt"

	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/charts"
	"skillbench/metrics/stats"
)

// sizes are the prompts of first attempts.
func sizes(d *data) []Block {
	out := []Block{Paragraph("Prompts of the first attempt at each step. The published prompt size is called tokens in one version and characters in another; only characters fit the published totals.")}
	return append(out, d.each(func(g *group) []Block {
		t := comparison("prompt_sizes", "Prompt sizes", g, []string{"prompt_chars±", "prompt, characters", "prompt_chars_max", "largest prompt, characters",
			"prompt_tokens±", "prompt, tokens", "state_chars_max", "largest state, characters"}, func(cells []*cell) []Cell {
			return []Cell{
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.PromptCharsMean }), 0),
				number(summarize(cells, func(c *cell) stats.Value { return c.PromptCharsMax }).Max, 0),
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.PromptTokensMean }), 0),
				number(summarize(cells, func(c *cell) stats.Value { return c.StateCharsMax }).Max, 0),
			}
		})
		d.withPublished(t, g, "prompt", "prompt, characters", 0)
		blocks := []Block{t}
		if f := perStep(g, "prompt_by_step", "Prompt size by step", "prompt size (characters)", func(s *series) []moments { return s.chars }); f != nil {
			blocks = append(blocks, f)
		}
		return blocks
	})...)
}

// maxDrawn bounds the points of a line that a picture shows.
const maxDrawn = 400

// perStep draws a series of the largest horizon; nil where no episode has one.
func perStep(g *group, name, title, unit string, of func(*series) []moments) Block {
	l := charts.Lines{Title: fmt.Sprintf("%s, T=%d", title, g.largest()), Subtitle: g.title,
		X: charts.Axis{Label: "step"}, Y: charts.Axis{Label: unit, Min: at(0)}}
	for _, agent := range g.agents {
		s := g.series[agent]
		if s == nil || len(of(s)) == 0 {
			continue
		}
		line := charts.Series{Name: plain(agent)}
		values := of(s)
		for _, i := range drawn(len(values)) {
			line.Points = append(line.Points, point(float64(i+1), values[i].mean, values[i].sd()))
		}
		l.Series = append(l.Series, line)
	}
	if len(l.Series) == 0 {
		return nil
	}
	return draw(g.file(name), fmt.Sprintf("%s at the largest horizon, T=%d%s. Mean over episodes, band of one sample SD.", title, g.largest(), g.in()), l)
}

// drawn are the indices of n values that a picture shows: the last is always
// among them.
func drawn(n int) []int {
	every := (n + maxDrawn - 1) / maxDrawn
	var out []int
	for i := 0; i < n; i++ {
		if i%max(1, every) == 0 || i == n-1 {
			out = append(out, i)
		}
	}
	return out
}

// totals are all calls of an episode: steps, retries and summaries.
func totals(d *data) []Block {
	out := []Block{Paragraph("Prompt and completion tokens of all calls of an episode, retries and summaries included, counted with the tokenizer " + plain(d.manifest.Tokenizer) + ".")}
	return append(out, d.each(func(g *group) []Block {
		t := comparison("total_tokens", "Total tokens", g, []string{"calls±", "calls", "prompt_tokens_all±", "prompt tokens, all calls", "completion_tokens±", "completion tokens", "total_tokens±", "total tokens"}, func(cells []*cell) []Cell {
			of := func(f func(metrics.Row) int) Cell {
				return meanCell(summarize(cells, func(c *cell) stats.Value { return stats.Of(float64(f(c.Row))) }), 0)
			}
			return []Cell{
				of(func(r metrics.Row) int { return r.Calls }), of(func(r metrics.Row) int { return r.PromptTokens }),
				of(func(r metrics.Row) int { return r.CompletionTokens }), of(func(r metrics.Row) int { return r.PromptTokens + r.CompletionTokens }),
			}
		})
		d.withPublished(t, g, "tokens", "total tokens", 0)
		blocks := []Block{t}
		if f := perStep(g, "tokens_by_step", "Tokens so far by step", "tokens since the first step", func(s *series) []moments { return s.total }); f != nil {
			blocks = append(blocks, f)
		}
		if len(g.horizons) > 1 {
			blocks = append(blocks, d.byHorizon(g, "tokens_by_horizon", "Total tokens against T", "tokens", charts.Axis{Label: "total tokens of an episode", Scale: charts.Log}, func(c *cell) stats.Value {
				if c.Cell.ModelKind == record.NoModel {
					return stats.Value{}
				}
				return stats.Of(float64(c.total()))
			}))
		}
		return blocks
	})...)
}
