package report

import (
	"encoding/json"
	"fmt"
	"slices"

	"skillbench/metrics/charts"
	"skillbench/metrics/stats"
)

// A dose is a simulated model's mechanism at one strength.
type dose struct {
	mechanism string
	others    string // all its other keys
	strength  float64
}

// doseOf reads the strength of a group's model; false where it has none.
func (d *data) doseOf(g *group) (dose, bool) {
	for _, m := range d.manifest.Models {
		if m.Name != g.model {
			continue
		}
		keys := map[string]any{}
		if json.Unmarshal(m.Keys, &keys) != nil {
			return dose{}, false
		}
		mechanism, named := keys["sim"].(string)
		strength, given := keys["strength"].(float64)
		delete(keys, "strength")
		others, err := json.Marshal(keys)
		return dose{mechanism, string(others), strength}, named && given && err == nil
	}
	return dose{}, false
}

// A response is one condition under a mechanism at rising strength.
type response struct {
	dose
	levels    []*group
	strengths []float64
}

// responses joins groups that differ in nothing but the strength.
func (d *data) responses() []response {
	var all []response
	done := map[*group]bool{}
	for _, g := range d.groups {
		first, ok := d.doseOf(g)
		if !ok || done[g] {
			continue
		}
		r := response{dose: first}
		for _, o := range d.groups {
			other, ok := d.doseOf(o)
			like := o.condition
			like.model = g.model
			if ok && like == g.condition && other.mechanism == first.mechanism && other.others == first.others {
				done[o] = true
				i, _ := slices.BinarySearch(r.strengths, other.strength)
				r.levels = slices.Insert(r.levels, i, o)
				r.strengths = slices.Insert(r.strengths, i, other.strength)
			}
		}
		if len(r.levels) > 1 {
			all = append(all, r)
		}
	}
	return all
}

// doses shows what a mechanism does by its strength.
func doses(d *data) []Block {
	var out []Block
	for _, r := range d.responses() {
		unit, of := "score (share of base events)", scoreOf
		if r.levels[0].drift != "" {
			unit, of = "restricted mean steps to recovery", d.recoveryOf
		}
		if t := doseTable(r, unit, of); len(t.Rows) > 0 {
			out = append(out, t, doseFigure(r, unit, of))
		}
	}
	if len(out) == 0 {
		return nil
	}
	return append([]Block{Paragraph("One parameter sets how strong a simulated model's mechanism is; at 0 it is off and the model reads perfectly. " +
		"What follows is the mechanism acting on what each strategy puts into the prompt. The size of the effect is a choice of the parameter: " +
		"it is no evidence that a language model has this weakness, nor of how much of it.")}, out...)
}

// A level is a centre with its interval's ends, where there are any.
type level struct {
	centre, low, high stats.Value
}

func scoreOf(g *group, agent string) level {
	s := summarize(g.at(g.largest(), agent), func(c *cell) stats.Value { return c.Score() })
	return level{s.Mean, s.Interval.Low, s.Interval.High}
}

func (d *data) recoveryOf(g *group, agent string) level {
	m := stats.RestrictedMean(durations(g.at(g.largest(), agent)), d.manifest.Patience, 0)
	return level{m.Mean, m.Interval.Low, m.Interval.High}
}

// durations are the steps to recovery of all drifts that can be recovered from.
func durations(cells []*cell) []stats.Duration {
	var all []stats.Duration
	for _, c := range finished(cells) {
		for _, one := range c.drifts {
			if !one.impossible {
				all = append(all, stats.Duration{Cluster: seedOf(c), Steps: one.steps(), Censored: !one.recovered})
			}
		}
	}
	return all
}

func doseTable(r response, unit string, of func(*group, string) level) *Table {
	g := r.levels[0]
	t := &Table{Name: doseFile(r), Caption: fmt.Sprintf("Dose and response: %s by strength of sim:%s, T=%d: %s", unit, plain(r.mechanism), g.largest(), doseWords(g)),
		Columns: columns("strength", "strength")}
	for _, agent := range g.agents {
		t.Columns = append(t.Columns, Column{Key: slug([]string{agent}), Head: plain(agent)})
	}
	known := false
	for i, level := range r.levels {
		row := []Cell{number(stats.Of(r.strengths[i]), 2)}
		for _, agent := range g.agents {
			v := of(level, agent).centre
			known = known || v.OK
			row = append(row, number(v, 2))
		}
		t.Rows = append(t.Rows, row)
	}
	if !known {
		t.Rows = nil
	}
	return t
}

func doseFigure(r response, unit string, of func(*group, string) level) Block {
	g := r.levels[0]
	l := charts.Lines{Title: "Dose and response, sim:" + plain(r.mechanism), Subtitle: doseWords(g),
		X: charts.Axis{Label: "strength of the mechanism", Min: at(0), Max: at(1)}, Y: charts.Axis{Label: unit, Min: at(0)},
		Note: "At strength 0 the model reads perfectly. The lag is the mechanism's, not a language model's."}
	for _, agent := range g.agents {
		s := charts.Series{Name: plain(agent)}
		for i, level := range r.levels {
			if v := of(level, agent); v.centre.OK {
				p := charts.Point{X: r.strengths[i], Y: v.centre.V}
				if v.low.OK && v.high.OK {
					p.Lo, p.Hi = v.low.V, v.high.V
				}
				s.Points = append(s.Points, p)
			}
		}
		l.Series = append(l.Series, s)
	}
	return draw(doseFile(r), fmt.Sprintf("Dose and response: %s against the strength of sim:%s, T=%d: %s. Bands: 95 %% intervals over seeds.", unit, plain(r.mechanism), g.largest(), doseWords(g)), l)
}

func doseFile(r response) string {
	g := r.levels[0]
	words := []string{"dose", r.mechanism, g.task}
	if g.drift != "" {
		words = append(words, g.drift)
	}
	if g.noise > 0 {
		words = append(words, fmt.Sprintf("noise%d", g.noise))
	}
	return slug(words)
}

func doseWords(g *group) string {
	return fmt.Sprintf("%s, %s world, %s, %s", plain(g.task), g.world, noiseWords(g.noise), driftWords(g.drift))
}
