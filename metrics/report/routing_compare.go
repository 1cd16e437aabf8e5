package report

import (
	"fmt"
	"math"

	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// tokens says where the tokens of prompts come from.
func (s *scene) tokens() *Table {
	names := []string{routing.ContextTokens, "catalogue_tokens", "catalogue_chars", "looks_per_dialogue", "definition_tokens", "result_tokens"}
	t := s.table("tokens", "Tokens of catalogue, loaded definitions and results",
		names[0], "context tokens per first attempt", names[1], "of these: catalogue", names[2], "catalogue, characters", names[3], "looks per dialogue", names[4], "tokens of definitions shown per dialogue", names[5], "tokens of results of calls per dialogue")
	for _, g := range s.groups {
		if !g.Means[routing.ContextTokens].Ratio.OK {
			continue
		}
		row := armCells(g.Key)
		for i, name := range names {
			decimals := 0
			if i > 2 {
				decimals = 1
			}
			row = append(row, number(g.Means[name].Ratio, decimals))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"Definitions and results are counted once, when they are shown; strategies that keep the past show them again, which the context has. Definitions are what Load and Open showed; candidates of a recall stand in the message and are not told apart from it, so arms with a recall have no figure."}
	return t
}

// gates say what the runtime holds back, where it was also run without.
func (s *scene) gates() *Table {
	t := &Table{Name: "routing_gates" + s.slug, Caption: "What the gates of the runtime do" + s.in(),
		Columns: columns(flat([]string{"measure", "measure", "agent", "agent", "arm", "arm", "open", "without gates"}, countColumns("with", "with gates"), countColumns("without", "without"),
			[]string{"difference", "difference", "interval", "95 %"})...)}
	for _, e := range s.result.Gates {
		if !s.holds(e.With) {
			continue
		}
		row := []Cell{text(e.Measure), text(plain(e.With.Agent)), text(plain(e.With.Task)), text(plain(e.Without.Task))}
		row = append(append(row, count(e.Held)...), count(e.Open)...)
		t.Rows = append(t.Rows, append(row, number(e.Difference, 3), text(interval(e.Interval, 3))))
	}
	t.Notes = []string{"Tasks that differ in their gates only: with them, the runtime refuses a call that hours, state or contract forbid. The interval takes the two as independent, though they have the same cases."}
	return t
}

// mostFloors is how many rows of tests against players the page shows.
const mostFloors = 30

// pairs are the exact tests of one family, first decisions and resolution side
// by side.
func (s *scene) pairs(f routing.Family) *Table {
	caption := "McNemar's test between arms, same agent and dialogues"
	heads := []string{"arm_a", "arm A", "arm_b", "arm B", "agent", "agent"}
	if f == routing.Floors {
		caption, heads = "McNemar's test against players without a model, same arm and dialogues", []string{"arm", "arm", "agent", "agent", "player", "player"}
	}
	t := s.table("mcnemar_"+string(f), caption)
	t.Columns = columns(append(heads, "dialogues", "dialogues", "right_only_a", "right in A only", "right_only_b", "in B only", "right_p", "p", "right_holm", "Holm",
		"resolved_only_a", "resolved in A only", "resolved_only_b", "in B only", "resolved_p", "p", "resolved_holm", "Holm")...)
	tests := 0
	for i := 0; i+1 < len(s.result.Pairs); i += 2 {
		right, resolved := s.result.Pairs[i], s.result.Pairs[i+1]
		if right.Family != f || !s.holds(right.A) {
			continue
		}
		row := []Cell{text(plain(right.A.Task)), text(plain(right.B.Task)), text(plain(right.A.Agent))}
		if f == routing.Floors {
			row = []Cell{text(plain(right.A.Task)), text(plain(right.A.Agent)), text(plain(right.B.Agent))}
		}
		row = append(row, whole(right.Both+right.OnlyA+right.OnlyB+right.Neither))
		for _, p := range []routing.Pair{right, resolved} {
			row = append(row, whole(p.OnlyA), whole(p.OnlyB), number(p.P, 4), number(p.Adjusted, 4))
			if p.P.OK {
				tests++
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{fmt.Sprintf("Exact, two-sided, on dialogues that both were dealt; one that a prompt grew too long to reach is not right; Holm over the pairs of this table, for each outcome apart (%d tests). 0.0000 is a p below 0.00005. Dialogues are taken as independent. No p: the outcomes never differ.", tests)}
	if f == routing.Floors {
		t.Aside = len(t.Shown()) > mostFloors
		t.Notes = append(t.Notes, "A is the agent with a model, B the player. Players that are right at all dialogues or at none are left out.")
	}
	return t
}

// directions says whether published differences are found again.
func (s *scene) directions() *Table {
	t := &Table{Name: "routing_directions" + s.slug, Caption: "Directions of the published differences, bare tools → skill library, every agent and arm" + s.in(), Aside: true,
		Columns: columns("measure", "measure", "agent", "agent", "bare", "bare tools", "library", "library", "ours_bare", "bare tools, here", "ours_library", "library, here", "difference", "difference", "interval", "95 %", "verdict", "direction")}
	for _, c := range s.result.Published {
		if !s.holds(c.Bare) {
			continue
		}
		decimals := decimalsOfMeasure(c.Measure)
		t.Rows = append(t.Rows, []Cell{text(c.Measure), text(plain(c.Bare.Agent)), text(plain(c.Bare.Task)), text(plain(c.Library.Task)), number(c.OursBare, decimals), number(c.OursLibrary, decimals),
			number(c.Difference, decimals), text(interval(c.Interval, decimals)), text(string(c.Verdict))})
	}
	t.Notes = []string{"Reproduced: the difference has the published sign and its interval leaves out 0; the size plays no part. What a language model decides is not testable with a simulated model; the size of a prompt is, whoever reads it. No interval: too few sessions, or none differs from another. Made no call, no right call: one of the two has no share of wrong or faulty ones. Not run: it played nothing that the figure is of."}
	return t
}

// publishedFigure shows a figure with the decimals it was published with.
func publishedFigure(v float64) Cell {
	if v == math.Trunc(v) {
		return number(stats.Of(v), 0)
	}
	return number(stats.Of(v), 1)
}
