package report

import (
	"fmt"

	"skillbench/harness/prompt"
	"skillbench/metrics/charts"
)

// accounting takes prompts apart by kind.
func accounting(d *data) []Block {
	calls, unequal := 0, 0
	for _, c := range d.cells {
		calls += c.Calls
		unequal += c.unequal
	}
	if calls == 0 {
		return nil
	}
	out := []Block{Paragraph(fmt.Sprintf("Characters of the first attempt's prompt by kind, mean over all steps; labels and connecting text count with the part they belong to. "+
		"The parts add up to the prompt in %d of %d calls. “Rest” is a prompt without its state, observation and feedback, over all attempts: "+
		"where it is constant, the prompt is bounded by what it says of the present.", calls-unequal, calls))}
	return append(out, d.each(func(g *group) []Block {
		blocks := []Block{partsTable(g), d.pastTable(g)}
		for _, agent := range g.agents {
			if s := g.series[agent]; s != nil && len(s.chars) > 0 && d.first(g) && !g.ofSkills() {
				blocks = append(blocks, stack(g, agent, s))
			}
		}
		return blocks
	})...)
}

func partsTable(g *group) *Table {
	kinds := usedKinds(g)
	t := &Table{Name: g.file("prompt_parts"), Caption: "What prompts are made of, in characters" + g.in(), Columns: columns("horizon", "T", "agent", "agent", "prompt", "prompt")}
	for _, k := range kinds {
		t.Columns = append(t.Columns, Column{Key: string(k), Head: string(k)})
	}
	t.Columns = append(t.Columns, columns("rest_min", "rest, least", "rest_max", "rest, greatest")...)
	g.rows(func(horizon int, agent string) {
		cells := g.at(horizon, agent)
		firsts, all, parts, rest := 0, 0, map[prompt.Kind]int{}, limits{}
		for _, c := range finished(cells) {
			firsts += c.firsts
			for k, n := range c.parts {
				parts[k] += n
				all += n
			}
			rest.join(c.fixed)
		}
		if firsts == 0 {
			return
		}
		mean := func(n int) Cell { return number(ratio(float64(n), float64(firsts)), 0) }
		row := []Cell{whole(horizon), text(plain(agent)), mean(all)}
		for _, k := range kinds {
			row = append(row, mean(parts[k]))
		}
		t.Rows = append(t.Rows, append(row, whole(rest.low), whole(rest.high)))
	})
	return t
}

// usedKinds are the kinds of text that the group's first attempts have.
func usedKinds(g *group) []prompt.Kind {
	var out []prompt.Kind
	for _, k := range prompt.Kinds() {
		for _, c := range g.cells {
			if c.parts[k] > 0 {
				out = append(out, k)
				break
			}
		}
	}
	return out
}

// pastTable splits what prompts show as history, which is what lets the
// headline be priced at other lengths of reply; arms of skills have it in the file.
func (d *data) pastTable(g *group) *Table {
	t := &Table{Name: g.file("history_parts"), Caption: "What histories are made of, mean characters per prompt" + g.in(), Aside: g.ofSkills() && len(d.poolOf(g)) > 1,
		Columns: columns("horizon", "T", "agent", "agent", "observations", "past observations", "replies", "past replies", "labels", "labels and other", "history", "history", "share", "share of replies")}
	g.rows(func(horizon int, agent string) {
		firsts, p := 0, past{}
		for _, c := range finished(g.at(horizon, agent)) {
			firsts += c.firsts
			p.observations += c.past.observations
			p.replies += c.past.replies
			p.rest += c.past.rest
		}
		sum := p.observations + p.replies + p.rest
		if firsts == 0 || sum == 0 {
			return
		}
		mean := func(n int) Cell { return number(ratio(float64(n), float64(firsts)), 0) }
		t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), mean(p.observations), mean(p.replies), mean(p.rest), mean(sum),
			number(ratio(float64(p.replies), float64(sum)), 3)})
	})
	return t
}

// stack draws what the prompts of one strategy are made of.
func stack(g *group, agent string, s *series) Block {
	steps := drawn(len(s.chars))
	c := charts.Stack{Title: fmt.Sprintf("What the prompt of %s is made of, T=%d", plain(agent), g.largest()), Subtitle: g.title,
		X: charts.Axis{Label: "step"}, Y: charts.Axis{Label: "prompt size (characters)"}}
	for _, i := range steps {
		c.X0 = append(c.X0, float64(i+1))
	}
	for _, kind := range prompt.Kinds() {
		if len(s.parts[kind]) == 0 {
			continue
		}
		var values []float64
		for _, i := range steps {
			values = append(values, s.part(kind, i))
		}
		c.Parts = append(c.Parts, string(kind))
		c.Values = append(c.Values, values)
	}
	return draw(g.file("prompt_parts_"+slug([]string{agent})), fmt.Sprintf("What the prompt of %s is made of at each step, T=%d%s. Mean over episodes, first attempts.", plain(agent), g.largest(), g.in()), c)
}

// first reports whether g is the first group of its task, world and model: what
// prompts are made of is drawn for it alone, since noise and drift add little.
func (d *data) first(g *group) bool {
	for _, o := range d.groups {
		if o.task == g.task && o.world == g.world && o.model == g.model {
			return o == g
		}
	}
	return false
}

// meanOf is a mean over counted things.
func meanOf(sum, n int, decimals int) Cell { return number(ratio(float64(sum), float64(n)), decimals) }
