package report

import (
	"cmp"
	"fmt"
	"slices"

	"skillbench/harness/record"
)

// missing says which facts simulated models looked for in vain.
func missing(d *data) []Block {
	blocks := d.each(func(g *group) []Block {
		if g.kind != record.Simulated {
			return nil
		}
		t := lackTable(g)
		if len(t.Rows) == 0 {
			return []Block{Paragraph("No event was answered wrongly, and no fact was missing" + g.in() + ".")}
		}
		out := []Block{t}
		for _, agent := range g.agents {
			if t := lostTable(g, agent); t != nil {
				out = append(out, t)
			}
		}
		return out
	})
	if len(blocks) == 0 {
		return nil
	}
	return append([]Block{Paragraph("A simulated model notes beside its reply when the prompt does not give a fact that the event asks for. The note is never shown to anyone. " +
		"Absent: nowhere in the prompt. Unreadable: there, in a form that could not be read. A fact may be absent because the strategy dropped it, or because an earlier error kept it from ever being stated.")}, blocks...)
}

func lackTable(g *group) *Table {
	t := &Table{Name: g.file("lacking"), Caption: "Facts that the prompt did not give, by base event" + g.in(),
		Columns: columns("horizon", "T", "agent", "agent", "events", "events", "wrong", "wrong", "absent", "fact absent", "unreadable", "fact unreadable", "lucky", "lacking, yet right", "impossible", "wrong, made impossible by an earlier miss", "explained", "else wrong, lacking", "unexplained", "else wrong, nothing lacking"),
		Notes:   []string{"Rows without a wrong answer and without a missing fact are left out."}}
	g.rows(func(horizon int, agent string) {
		var sum lacking
		events, wrong := 0, 0
		cells := g.at(horizon, agent)
		if isFloor(cells) {
			return
		}
		for _, c := range finished(cells) {
			events += c.played
			wrong += c.played - c.right
			sum.absent += c.lacking.absent
			sum.unreadable += c.lacking.unreadable
			sum.lucky += c.lacking.lucky
			sum.impossible += c.lacking.impossible
			sum.explained += c.lacking.explained
			sum.unexplained += c.lacking.unexplained
		}
		if wrong+sum.absent+sum.unreadable == 0 {
			return
		}
		t.Rows = append(t.Rows, []Cell{whole(horizon), text(plain(agent)), whole(events), whole(wrong), whole(sum.absent), whole(sum.unreadable), whole(sum.lucky), whole(sum.impossible), whole(sum.explained), whole(sum.unexplained)})
	})
	return t
}

// lostTable lists the facts that a summarizing strategy lost, the ones missed
// most often first; nil where it lost none.
func lostTable(g *group, agent string) *Table {
	type loss struct {
		*cell
		lack
	}
	var all []loss
	for _, c := range finished(g.over(agent)) {
		if !c.lacking.summaries || c.Score().V == 1 {
			continue
		}
		for _, l := range c.lacking.facts {
			all = append(all, loss{c, l})
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.SortStableFunc(all, func(a, b loss) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.lack.step, b.lack.step), cmp.Compare(a.Cell.Horizon, b.Cell.Horizon), cmp.Compare(a.Cell.Seed, b.Cell.Seed))
	})
	t := &Table{Name: g.file("lost_" + slug([]string{agent})), Caption: fmt.Sprintf("Facts that the summary of %s no longer gave when they were asked for, %d of %d%s", plain(agent), min(10, len(all)), len(all), g.in()),
		Columns: columns("horizon", "T", "seed", "seed", "step", "first step", "fact", "fact", "age", "age (steps)", "times", "times", "answered", "answered")}
	for _, l := range all[:min(10, len(all))] {
		age, answered := Cell{}, "wrong"
		if l.age >= 0 {
			age = whole(l.age)
		}
		if l.lack.right {
			answered = "right by luck"
		}
		t.Rows = append(t.Rows, []Cell{whole(l.Cell.Horizon), text(seedOf(l.cell)), whole(l.lack.step), text(l.fact), age, whole(l.times), text(answered)})
	}
	t.Notes = []string{"Steps count from 0. Age is the number of steps since the fact was last observed; it is not known where the fact was never true in the agent's world."}
	return t
}
