package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// mostArms is how many arms the first table of a scene has side by side.
const mostArms = 6

// glance answers first whether a library beats bare tools: the published measures
// for one agent, arms side by side, with what others published in columns of its
// own. Nil where the scene has no such pair.
func (s *scene) glance() []Block {
	list := s.compared()
	if len(list) == 0 {
		return nil
	}
	bare, library := list[0].Bare, list[0].Library
	arms := s.armsOf(bare, library)
	publication := routing.Published()
	t := &Table{Name: "routing_glance" + s.slug,
		Caption: fmt.Sprintf("Does a library beat bare tools? The five published measures, %s, %s. The columns headed “published” are not ours: %s", plain(bare.Agent), plain(bare.Model), publication.Source),
		Columns: columns("measure", "measure", "better", "better", "published_bare", "published: bare tools", "published_library", "published: library", "unit", "published in")}
	for _, g := range arms {
		t.Columns = append(t.Columns, columns(countColumns("here_"+slug([]string{g.Task}), "here: "+plain(g.Task))...)...)
	}
	t.Columns = append(t.Columns, columns("difference", "here: "+plain(library.Task)+" − "+plain(bare.Task), "interval", "95 %", "here", "the library here is", "verdict", "published direction")...)
	var tally [3][]string
	for _, c := range list {
		f := figureOf(publication, c.Measure)
		decimals, found := decimalsOfMeasure(c.Measure), outcome(c, f)
		row := []Cell{text(f.Says), text(string(direction(f))), publishedFigure(f.Bare), publishedFigure(f.Library), text(f.Unit)}
		for _, g := range arms {
			row = append(row, measured(g, c.Measure, decimals)...)
		}
		t.Rows = append(t.Rows, append(row, number(c.Difference, decimals), text(interval(c.Interval, decimals)), text(outcomes[found]), text(string(c.Verdict))))
		tally[found] = append(tally[found], f.Says)
	}
	t.Notes = []string{
		"Published: " + publication.Note,
		"Published in % is beside shares of 1 here; k/n are the counts they are made of. Better or worse: the 95 % interval of the difference leaves out 0. Published direction: whether it is found again; what a language model decides is not testable with a simulated one, the size of a prompt is. All agents and arms are compared in the table of directions below.",
	}
	if n := s.withModel() - len(arms); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more columns (arm and agent) stand in the tables below.", n))
	}
	words := fmt.Sprintf("%s beside %s, %s: better in %s; worse in %s; undecided in %s.", plain(library.Task), plain(bare.Task), plain(bare.Agent), some(tally[0]), some(tally[1]), some(tally[2]))
	return []Block{Paragraph(words), t}
}

// compared are the published measures for the first agent with a model, of the
// first arms with bare tools and with a library.
func (s *scene) compared() []routing.Comparison {
	var out []routing.Comparison
	for _, g := range s.groups {
		for _, c := range s.result.Published {
			if c.Bare == g.Key && (len(out) == 0 || out[0].Library == c.Library) {
				out = append(out, c)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// armsOf are the groups of the agent of a pair, that pair first.
func (s *scene) armsOf(bare, library routing.Key) []routing.Group {
	var out []routing.Group
	for _, g := range s.groups {
		if g.Agent == bare.Agent && g.Kind != record.NoModel {
			out = append(out, g)
		}
	}
	place := func(g routing.Group) int { return 2*oneIf(g.Key == bare) + oneIf(g.Key == library) }
	slices.SortStableFunc(out, func(a, b routing.Group) int { return place(b) - place(a) })
	return out[:min(len(out), mostArms)]
}

func (s *scene) withModel() int {
	n := 0
	for _, g := range s.groups {
		n += 1 - ordinal(g)
	}
	return n
}

func oneIf(is bool) int {
	if is {
		return 1
	}
	return 0
}

func figureOf(p routing.Publication, measure string) routing.Figure {
	return p.Figures[slices.IndexFunc(p.Figures, func(f routing.Figure) bool { return f.Measure == measure })]
}

// direction is which way a measure is better.
func direction(f routing.Figure) routing.Direction {
	for _, m := range routing.Measures() {
		if m.Name == f.Measure {
			return m.Better
		}
	}
	return routing.Neither
}

// outcomes of a comparison, for readers.
var outcomes = []string{"better", "worse", "undecided"}

// outcome is the place among outcomes of what the library is here.
func outcome(c routing.Comparison, f routing.Figure) int {
	i := c.Interval
	switch lower := direction(f) == routing.Lower; {
	case !i.OK() || i.Low.V <= 0 && i.High.V >= 0:
		return 2
	case lower == (i.High.V < 0):
		return 0
	}
	return 1
}

// measured are a measure of a group and the counts it is made of.
func measured(g routing.Group, measure string, decimals int) []Cell {
	if p, ok := g.Rates[measure]; ok {
		return count(p)
	}
	m := g.Means[measure]
	return []Cell{number(m.Ratio, decimals), text(grouped(stats.Of(m.Sum).Format(0)) + "/" + grouped(stats.Of(m.Weight).Format(0)))}
}

func decimalsOfMeasure(name string) int {
	switch name {
	case routing.ContextTokens:
		return 0
	case routing.CallsPerTurn:
		return 2
	}
	return 3
}

// some lists names, or says that there are none.
func some(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
