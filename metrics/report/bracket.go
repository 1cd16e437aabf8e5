package report

import (
	"encoding/json"
	"fmt"

	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// A bracket is two groups that differ only in what their perfect reader does
// where the prompt does not give a fact: say Wait, or guess.
type bracket struct{ abstains, guesses *group }

// brackets pairs the groups of simulated models.
func (d *data) brackets() []bracket {
	var out []bracket
	for _, g := range d.groups {
		if guess, rest := d.guessOf(g.model); guess == sim.Abstain {
			for _, o := range d.groups {
				if other, same := d.guessOf(o.model); other == sim.BestGuess && same == rest && g.sameBut(o) {
					out = append(out, bracket{g, o})
				}
			}
		}
	}
	return out
}

// sameBut reports whether two groups differ in their model alone.
func (g *group) sameBut(o *group) bool {
	a, b := g.condition, o.condition
	a.model, b.model = "", ""
	return a == b
}

// guessOf is what a perfect reader does where it lacks a fact, and all else that
// it is; "" for other models.
func (d *data) guessOf(model string) (guess sim.Guess, rest string) {
	for _, m := range d.manifest.Models {
		var c sim.Config
		if m.Name != model || m.Base != record.Simulated || json.Unmarshal(m.Keys, &c) != nil || c.Mechanism != sim.Perfect {
			continue
		}
		if guess = c.Guess; guess == "" {
			guess = sim.BestGuess
		}
		c.Guess = ""
		return guess, fmt.Sprintf("%+v", c)
	}
	return "", ""
}

// contexts says what each strategy's context loses, as the bracket of two
// perfect readers.
func contexts(d *data) []Block {
	var out []Block
	for _, b := range d.brackets() {
		out = append(out, d.bracketTable(b), lostByAge(b))
		if t := d.within(b.abstains); t != nil {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append([]Block{Paragraph("A perfect reader never errs on what the prompt gives, so what it gets wrong is lost from the context itself, free of any model's weakness. " +
		"Where a fact is not given, one reader says Wait and one takes the likeliest value: what a context allows this reader is bracketed by the two, roughly: a wrong guess may also spoil what comes later. " +
		"In a closed world a miss has consequences: what it makes impossible later is counted as wrong too, and shown apart.")}, out...)
}

func (d *data) bracketTable(b bracket) *Table {
	g := b.abstains
	t := &Table{Name: g.file("context_loss"), Caption: "What the context allows a perfect reader" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "abstain±", "score, abstains", "guess±", "score, guesses", "absent", "fact absent", "unreadable", "fact unreadable", "unnoticed", "lost unnoticed", "impossible", "impossible after a miss"),
		Notes: []string{
			"Shares of base events, of the reader that abstains. Absent: the past in the prompt does not name what was needed. Unreadable: a line names it that this reader cannot read, as pruning leaves them; whether the value is there too is not known, so this is an upper bound of what a cleverer reader could find. " +
				"Unnoticed: wrong, though nothing seemed to be missing, such as a shelf taken for empty because nothing tells of its item.",
			"Summaries and briefs are written by the same perfect reader, so they lose only what does not fit.",
		}}
	g.rows(func(horizon int, agent string) {
		cells := finished(g.at(horizon, agent))
		low := summarize(cells, func(c *cell) stats.Value { return c.Score() })
		high := summarize(b.guesses.at(horizon, agent), func(c *cell) stats.Value { return c.Score() })
		var l lacking
		events := 0
		for _, c := range cells {
			events += c.played
			l.absent += c.lacking.absent
			l.unreadable += c.lacking.unreadable
			l.unexplained += c.lacking.unexplained
			l.impossible += c.lacking.impossible
		}
		t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), spread(low.Mean, low.SD, 3), spread(high.Mean, high.SD, 3),
			meanOf(l.absent, events, 3), meanOf(l.unreadable, events, 3), meanOf(l.unexplained, events, 3), meanOf(l.impossible, events, 3)})
	})
	d.withPublished(t, g, "score", "score", 2)
	return t
}

// lostByAge says how old the facts were that the context had lost.
func lostByAge(b bracket) *Table {
	g := b.abstains
	t := &Table{Name: g.file("lost_by_age"), Caption: fmt.Sprintf("Facts lost by age, T=%d%s", g.largest(), g.in()),
		Columns: columns("agent", "agent", "age", "age of fact (steps)", "events", "events", "absent", "absent", "unreadable", "unreadable", "share", "share lost"),
		Notes:   []string{"Base events that ask for a fact which was true in the agent's world, by the steps since it was last observed; the reader that abstains. Strategies that lost nothing have one row."}}
	for _, agent := range g.agents {
		var all [6]faded
		lost := 0
		for _, c := range finished(g.at(g.largest(), agent)) {
			for i, f := range c.lacking.byAge {
				all[i] = all[i].plus(f)
				if i > 0 {
					lost += f.absent + f.unreadable
				}
			}
		}
		if lost == 0 {
			total := faded{}
			for _, f := range all[1:] {
				total = total.plus(f)
			}
			if total.events > 0 {
				t.Rows = append(t.Rows, total.row(agent, "all"))
			}
			continue
		}
		for i, f := range all {
			if i > 0 && f.events > 0 {
				t.Rows = append(t.Rows, f.row(agent, ages[i].name))
			}
		}
	}
	return t
}

// faded counts events that ask for facts of one age.
type faded struct{ events, absent, unreadable int }

func (f faded) plus(o faded) faded {
	return faded{f.events + o.events, f.absent + o.absent, f.unreadable + o.unreadable}
}

func (f faded) row(agent, age string) []Cell {
	return []Cell{text(plain(agent)), text(age), whole(f.events), whole(f.absent), whole(f.unreadable), meanOf(f.absent+f.unreadable, f.events, 3)}
}
