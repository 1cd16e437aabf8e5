package report

import (
	"cmp"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/charts"
	"skillbench/metrics/stats"
)

// A test is a kind of probe with the steps between a fact and its use.
type test struct {
	kind  string
	delay int
}

// tested counts the steps of an episode that probes score.
type tested map[test]hits

func (t *tested) step(a record.Act) {
	o := a.Observation
	if o.Probe == "" || a.Outcome.Free {
		return
	}
	if *t == nil {
		*t = tested{}
	}
	key := test{o.Probe, o.Delay}
	h := (*t)[key]
	h.add(a.Outcome.Correct && !o.Impossible)
	(*t)[key] = h
}

// probes says how often facts that matter later were used rightly, by delay.
func probes(d *data) []Block {
	var out []Block
	done := map[condition]bool{}
	for _, g := range d.groups {
		key := g.condition
		key.task = ""
		if done[key] {
			continue
		}
		done[key] = true
		var same []*group
		for _, o := range d.groups {
			if c := o.condition; len(testsOf(o)) > 0 {
				if c.task = ""; c == key {
					same = append(same, o)
				}
			}
		}
		if len(same) > 0 {
			out = append(out, probeTable(same))
			out = append(out, probeFigures(same)...)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append([]Block{Paragraph("A probe tells a fact at one step; the first step whose answer depends on it comes a fixed number of steps later. " +
		"Deferred: a notice, and one order that needs it. Invalidation: a placement that is declared void, and the steps that follow. " +
		"Only these steps are counted, each once: repeats of an episode are trials of the same seed, and the interval is Wilson's, widened for what trials of one seed have in common.")}, out...)
}

// testsOf lists the probes of a group, by kind and delay.
func testsOf(g *group) []test {
	var all []test
	for _, c := range finished(g.cells) {
		for one := range c.tested {
			if !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	slices.SortFunc(all, func(a, b test) int { return cmp.Or(cmp.Compare(a.kind, b.kind), a.delay-b.delay) })
	return all
}

// success is the share of right answers of one strategy at one test.
func success(g *group, agent string, one test) stats.Proportion {
	var counts []stats.Count
	for _, c := range finished(g.over(agent)) {
		if h := c.tested[one]; h.n > 0 {
			counts = append(counts, stats.Count{Cluster: seedOf(c), K: h.k, N: h.n})
		}
	}
	return stats.WilsonClustered(counts, 0)
}

func probeTable(same []*group) *Table {
	t := &Table{Name: probeFile(same[0], "probes"), Caption: "Probes: right answers by the steps between a fact and its use" + probeWords(same[0]),
		Columns: columns("probe", "probe", "task", "task", "agent", "agent", "delay", "steps later", "n", "n", "share", "right", "low", "95 % from", "high", "to")}
	for _, g := range same {
		for _, agent := range g.agents {
			for _, one := range testsOf(g) {
				p := success(g, agent, one)
				if p.N == 0 {
					continue
				}
				row := []Cell{text(plain(one.kind)), text(plain(g.task)), text(plain(agent)), whole(one.delay)}
				t.Rows = append(t.Rows, append(row, shareCells(p)...))
			}
		}
	}
	return t
}

// probeFigures draws success against the delay: where a kind was run under
// several conditions one picture per strategy with a line for each, else one
// picture with a line per strategy.
func probeFigures(same []*group) []Block {
	var out []Block
	for _, kind := range kindsOf(same) {
		var with []*group
		for _, g := range same {
			if slices.ContainsFunc(testsOf(g), func(one test) bool { return one.kind == kind }) {
				with = append(with, g)
			}
		}
		if len(with) == 1 {
			l := probeChart(kind, with[0], "")
			for _, agent := range with[0].agents {
				l.Series = append(l.Series, probeLine(with[0], agent, kind, plain(agent)))
			}
			out = append(out, draw(probeFile(with[0], "probe_"+slug([]string{kind})), l.Title+probeWords(with[0])+". Bands: 95 % intervals.", l))
			continue
		}
		for _, agent := range with[0].agents {
			l := probeChart(kind, with[0], agent)
			for _, g := range with {
				l.Series = append(l.Series, probeLine(g, agent, kind, plain(g.task)))
			}
			out = append(out, draw(probeFile(with[0], "probe_"+slug([]string{kind, agent})), l.Title+probeWords(with[0])+". One line per condition; bands: 95 % intervals.", l))
		}
	}
	return out
}

func kindsOf(same []*group) []string {
	var kinds []string
	for _, g := range same {
		for _, one := range testsOf(g) {
			if !slices.Contains(kinds, one.kind) {
				kinds = append(kinds, one.kind)
			}
		}
	}
	return kinds
}

func probeChart(kind string, g *group, agent string) charts.Lines {
	title := "Probe " + plain(kind)
	if agent != "" {
		title += ", " + plain(agent)
	}
	return charts.Lines{Title: title, Subtitle: plain(g.model), X: charts.Axis{Label: "steps between the fact and its use", Scale: charts.Log},
		Y: charts.Axis{Label: "right answers (share)", Min: at(0), Max: at(1)}}
}

func probeLine(g *group, agent, kind, name string) charts.Series {
	s := charts.Series{Name: name}
	for _, one := range testsOf(g) {
		if one.kind != kind {
			continue
		}
		if p := success(g, agent, one); p.Share.OK {
			s.Points = append(s.Points, charts.Point{X: float64(one.delay), Y: p.Share.V, Lo: p.Interval.Low.V, Hi: p.Interval.High.V})
		}
	}
	return s
}

// probeFile names a file about all tasks that were run with one model.
func probeFile(g *group, name string) string { return name + "_" + slug([]string{g.model}) }

func probeWords(g *group) string {
	if g.model == "" {
		return ""
	}
	return ": " + plain(g.model)
}
