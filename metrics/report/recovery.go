package report

import (
	"fmt"
	"slices"

	"skillbench/metrics/charts"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// recovery says what followed silent changes of the world.
func recovery(d *data) []Block {
	blocks := d.each(func(g *group) []Block {
		if g.drift == "" {
			return nil
		}
		steps := d.recoveryTable(g)
		d.withPublishedRecovery(steps, g)
		out := []Block{steps}
		if t := stepsTable(g); len(t.Rows) > 0 {
			out = append(out, t, d.timeline(g))
		}
		return out
	})
	if len(blocks) == 0 {
		return nil
	}
	blocks = append([]Block{Paragraph(fmt.Sprintf("A drift changes the world silently; an alert follows, and then an event that depends on the changed fact is announced until it is done rightly or %d announcements have passed. "+
		"Steps to recovery are the announcements before the first right action. First opportunity: 0 steps. From the alert: later, but never acted on the obsolete fact. After error feedback: acted on it first. "+
		"Censored: watching ended without recovery. The restricted mean takes a censored drift as lasting to the end of the watch; it does not reward a strategy for recovering only where that is easy. "+
		"A drift at which no announcement had a right action cannot be recovered from, and has no steps.", d.manifest.Patience))}, blocks...)
	blocks = slices.Insert(blocks, 1, d.mechanism()...)
	return append(blocks, d.publishedRecovery()...)
}

func (d *data) recoveryTable(g *group) *Table {
	t := &Table{Name: g.file("recovery"), Caption: "Recovery from drifts" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "drifts", "drifts", "first", "at first opportunity", "alert", "from the alert", "feedback", "after error feedback", "censored", "censored", "unrecoverable", "unrecoverable",
			"steps", "restricted mean, steps", "low", "95 % from", "high", "to", "relapses", "relapses")}
	g.rows(func(horizon int, agent string) {
		var first, alert, feedback, censored, impossible, relapses, all int
		var durations []stats.Duration
		for _, c := range finished(g.at(horizon, agent)) {
			for _, one := range c.drifts {
				all++
				relapses += one.relapses
				switch {
				case one.impossible:
					impossible++
					continue
				case !one.recovered:
					censored++
				case one.steps() == 0:
					first++
				case one.obsolete:
					feedback++
				default:
					alert++
				}
				durations = append(durations, stats.Duration{Cluster: seedOf(c), Steps: one.steps(), Censored: !one.recovered})
			}
		}
		mean := stats.RestrictedMean(durations, d.manifest.Patience, 0)
		row := []Cell{whole(horizon), text(plain(agent)), whole(all), whole(first), whole(alert), whole(feedback), whole(censored), whole(impossible), number(mean.Mean, 2)}
		t.Rows = append(t.Rows, append(append(row, rangeCells(mean.Interval, 2)...), whole(relapses)))
		if len(durations) > 0 {
			for _, w := range mean.Warnings {
				t.doubt(fmt.Sprintf("T=%d %s", horizon, plain(agent)), w)
			}
		}
	})
	return t
}

// stepsTable is the distribution of steps to recovery, over all horizons.
func stepsTable(g *group) *Table {
	t := &Table{Name: g.file("recovery_steps"), Caption: "Drifts by steps to recovery" + g.in(), Columns: columns("agent", "agent")}
	seen := map[int]bool{}
	counts := map[string]map[int]int{}
	censored := map[string]int{}
	for _, c := range finished(g.cells) {
		for _, one := range c.drifts {
			a := c.Cell.Agent
			if counts[a] == nil {
				counts[a] = map[int]int{}
			}
			switch {
			case one.impossible:
			case one.recovered:
				seen[one.steps()] = true
				counts[a][one.steps()]++
			default:
				censored[a]++
			}
		}
	}
	var steps []int
	for n := range seen {
		steps = append(steps, n)
	}
	slices.Sort(steps)
	for _, n := range steps {
		t.Columns = append(t.Columns, Column{Key: fmt.Sprintf("steps_%d", n), Head: fmt.Sprintf("%d %s", n, plural(n, "step"))})
	}
	t.Columns = append(t.Columns, columns("censored", "censored")...)
	for _, a := range g.agents {
		if len(counts[a])+censored[a] == 0 {
			continue
		}
		row := []Cell{text(plain(a))}
		for _, n := range steps {
			row = append(row, whole(counts[a][n]))
		}
		t.Rows = append(t.Rows, append(row, whole(censored[a])))
	}
	return t
}

// timeline draws what strategies did at each announcement after the alert, at
// the largest horizon.
func (d *data) timeline(g *group) Block {
	const most = 60
	last := 1
	for _, c := range finished(g.cells) {
		for _, one := range c.drifts {
			last = max(last, len(one.trail))
		}
	}
	last = min(last, most)
	s := charts.Strips{Title: fmt.Sprintf("After the alert, T=%d", g.largest()), Subtitle: g.title, X: charts.Axis{Label: "announcement of the open event"}, Parts: answerNames,
		Note: "Each column is all drifts of a strategy that can be recovered from; a recovered one stays so."}
	for i := range last {
		s.Columns = append(s.Columns, fmt.Sprint(i+1))
	}
	for _, agent := range g.agents {
		shares := make([][]float64, answers)
		for i := range shares {
			shares[i] = make([]float64, last)
		}
		n := 0.0
		for _, c := range finished(g.at(g.largest(), agent)) {
			for _, one := range c.drifts {
				if one.impossible {
					continue
				}
				n++
				for i := range last {
					shares[one.at(i)][i]++
				}
			}
		}
		for _, row := range shares {
			for i := range row {
				row[i] /= n // no drifts: not a number, which is drawn as no data
			}
		}
		s.Rows = append(s.Rows, plain(agent))
		s.Values = append(s.Values, shares)
	}
	return draw(g.file("recovery_timeline"), fmt.Sprintf("What followed a drift, by announcement of the event that depends on the changed fact, T=%d%s. One row per strategy.", g.largest(), g.in()), s)
}

// publishedRecovery is what the paper says of the scenarios that were run.
func (d *data) publishedRecovery() []Block {
	var out []Block
	for _, name := range d.manifest.Paper {
		p, ok := paper.Tables()[name]
		if !ok || !slices.Contains(p.Columns, "scenario") {
			continue
		}
		ran := func(row paper.Row) bool {
			return slices.ContainsFunc(d.groups, func(g *group) bool { return g.base == p.Task && g.drift == row[0].Text })
		}
		shown := paper.Grid{Columns: p.Columns}
		for _, row := range p.Rows {
			if ran(row) {
				shown.Rows = append(shown.Rows, row)
			}
		}
		if len(shown.Rows) > 0 {
			out = append(out, gridTable("paper_"+name, fmt.Sprintf("Published recovery, in steps (%s, %s)", p.Model, name), shown))
		}
	}
	return out
}
