package report

import (
	"fmt"
	"math"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/charts"
	"skillbench/metrics/routing"
)

// heats are confusion matrices as pictures, one for each arm: that of the first
// task and agent with a model.
func (s *scene) heats() []Block {
	var out []Block
	done := map[string]bool{}
	for _, g := range s.groups {
		arm := g.Arm
		if arm == "" {
			arm = g.Task
		}
		if g.Kind == record.NoModel || done[arm] {
			continue
		}
		done[arm] = true
		h := charts.Heat{Title: "Wanted and decided", Subtitle: rowName(g.Key) + ", " + plain(g.Model), X: "decided (number of the row)", Y: "wanted",
			Note: "Shade: share of the row. Counts are first decisions; an accepted one counts as wanted."}
		var names []string
		for _, c := range g.Confusion {
			for _, name := range []string{c.Want, c.Got} {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		slices.Sort(names)
		for range names {
			h.Counts = append(h.Counts, make([]int, len(names)))
		}
		for _, c := range g.Confusion {
			h.Counts[slices.Index(names, c.Want)][slices.Index(names, c.Got)] += c.N
		}
		for _, name := range names {
			h.Rows, h.Columns = append(h.Rows, plain(name)), append(h.Columns, plain(name))
		}
		out = append(out, draw("routing_confusion_"+slug([]string{g.Task})+s.slug, fmt.Sprintf("Confusion matrix, %s (%s). Rows: wanted; columns: decided, by the number of the row.", rowName(g.Key), plain(g.Model)), h))
	}
	return out
}

// of keeps the curves of this scene.
func (s *scene) of(list []routing.Curve) []routing.Curve {
	var out []routing.Curve
	for _, c := range list {
		if s.holds(c.Key) {
			out = append(out, c)
		}
	}
	return out
}

// curves draw accuracy against the size of the catalogue and the place of the
// right skill, for the first agent.
func (s *scene) curves() []Block {
	var sized []routing.Curve
	for _, c := range s.of(s.result.Sizes) {
		if len(c.Points) > 1 && c.Kind != record.NoModel {
			sized = append(sized, c)
		}
	}
	var out []Block
	for _, p := range []struct {
		name, caption string
		x             charts.Axis
		curves        []routing.Curve
		points        func(routing.Curve) []routing.Point
	}{
		{"sizes", "Accuracy against the number of skills offered", charts.Axis{Label: "skills offered", Scale: charts.Log}, sized, func(c routing.Curve) []routing.Point { return c.Points }},
		{"fifths", "Accuracy against the relative place of the right skill", charts.Axis{Label: "fifth of the catalogue in which the right skill stands", Min: at(1), Max: at(5)}, placed(s.of(s.result.Positions)), func(c routing.Curve) []routing.Point { return c.Fifths }},
		{"places", "Accuracy against the place of the right skill from the top", charts.Axis{Label: "place of the right skill (middle of its range)", Scale: charts.Log}, placed(s.of(s.result.Positions)), func(c routing.Curve) []routing.Point { return c.Points }},
	} {
		l := charts.Lines{Title: p.caption, Subtitle: plain(s.first()) + ", " + plain(s.Model), X: p.x, Y: charts.Axis{Label: "right first decisions (share)", Min: at(0), Max: at(1)}}
		for _, c := range p.curves {
			if one := line(c, p.points(c)); c.Agent == s.first() && len(one.Points) > 1 {
				l.Series = append(l.Series, one)
			}
		}
		if len(l.Series) == 0 {
			continue
		}
		bands := "bands: 95 % intervals"
		if len(l.Series) > mostBands {
			bands = "intervals, which would hide one another, are in routing.json"
			withoutBands(l.Series)
		}
		out = append(out, draw("routing_"+p.name+"_"+slug([]string{s.first()})+s.slug, fmt.Sprintf("%s, %s. One line per arm; %s; points of fewer than %d messages, and arms with one point, are left out. Other agents are in routing.json.", p.caption, plain(s.first()), bands, fewestShown), l))
	}
	return out
}

// placed are the curves of agents with a model whose right skills stand at places
// that were drawn.
func placed(list []routing.Curve) []routing.Curve {
	return slices.DeleteFunc(list, func(c routing.Curve) bool {
		return c.Kind == record.NoModel || c.Bias == nil || c.Bias.Verdict == routing.NotDrawn
	})
}

// mostBands is how many lines can have bands that are told apart.
const mostBands = 3

// withoutBands takes the bands off.
func withoutBands(lines []charts.Series) {
	for _, one := range lines {
		for i := range one.Points {
			one.Points[i].Lo, one.Points[i].Hi = 0, 0
		}
	}
}

// fewestShown is how many messages a point of a picture needs.
const fewestShown = 5

func line(c routing.Curve, points []routing.Point) charts.Series {
	s := charts.Series{Name: curveName(c)}
	for _, p := range points {
		if p.N >= fewestShown {
			s.Points = append(s.Points, charts.Point{X: math.Round(math.Sqrt(float64(p.From) * float64(p.To))), Y: p.Share.V, Lo: p.Interval.Low.V, Hi: p.Interval.High.V})
		}
	}
	return s
}

// curveName is the first task, and how many more make the curve.
func curveName(c routing.Curve) string {
	if n := len(c.Tasks) - 1; n > 0 {
		return plain(c.Task) + fmt.Sprintf(" + %d more", n)
	}
	return plain(c.Task)
}

// sizes are the curves over the number of skills as a table.
func (s *scene) sizes() *Table {
	t := s.table("sizes", "Accuracy by the number of skills offered", flat([]string{"skills", "skills"}, rateColumns("accuracy", "accuracy"))...)
	t.Shared = nil // a curve is several rows
	for _, c := range s.of(s.result.Sizes) {
		if len(c.Points) < 2 {
			continue
		}
		for _, p := range c.Points {
			t.Rows = append(t.Rows, append([]Cell{text(curveName(c)), text(plain(c.Agent)), whole(p.From)}, rate(p.Proportion)...))
		}
	}
	return t
}

// bias says whether the place of the right skill matters.
func (s *scene) bias() *Table {
	t := s.table("bias", "Does the place of the right skill in the catalogue matter?", flat([]string{"verdict", "verdict", "messages", "messages"}, countColumns("first", "first fifth"), countColumns("last", "last fifth"),
		[]string{"difference", "last - first", "interval", "95 %", "slope", "trend per catalogue", "p", "p of the trend"})...)
	for _, c := range append(s.of(s.result.Positions), s.of(s.result.Pooled)...) {
		if c.Kind == record.NoModel {
			continue
		}
		b := c.Bias
		row := []Cell{text(curveName(c)), text(plain(c.Agent)), text(string(b.Verdict)), whole(b.Messages)}
		row = append(append(row, count(c.Fifths[0].Proportion)...), count(c.Fifths[len(c.Fifths)-1].Proportion)...)
		t.Rows = append(t.Rows, append(row, number(b.Difference, 3), text(interval(b.Interval, 3)), number(b.Trend.Slope, 3), number(b.Trend.Test.P, 5)))
	}
	t.Notes = []string{"Flagged: the interval of the difference between the last fifth and the first leaves out 0, and the Cochran–Armitage test for trend has p < 0.01 (sessions as units, by permutation of signs). " +
		"Too few: fewer than 10 messages in one of the two fifths, or too few sessions for such a p. Not drawn: the place is the rank that a recall gave, and what is easy to find ranks first. A row of several tasks has those together that differ in the place of the right skills only, or in the size of the catalogue too; places are then relative to the size. routing.json names them."}
	return t
}
