package report

import (
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// five are the measures that others have published, as this run has them.
func (s *scene) five() *Table {
	t := s.table("five", "The five published measures, as measured here", flat(
		[]string{"dialogues", "dialogues"}, rateColumns(routing.WrongTool, "wrong-tool calls"), rateColumns(routing.ParamFaults, "parameter faults"),
		rateColumns(routing.FirstContact, "first-contact resolution"),
		[]string{routing.CallsPerTurn, "tool calls per turn", routing.CallsPerTurn + "_interval", "95 %", routing.ContextTokens, "context tokens", routing.ContextTokens + "_interval", "95 %"})...)
	for _, g := range s.groups {
		row := append(armCells(g.Key), whole(g.Dialogues))
		for _, name := range []string{routing.WrongTool, routing.ParamFaults, routing.FirstContact} {
			row = append(row, rate(g.Rates[name])...)
		}
		calls, tokens := g.Means[routing.CallsPerTurn], g.Means[routing.ContextTokens]
		t.Rows = append(t.Rows, append(row, number(calls.Ratio, 2), text(interval(calls.Interval, 2)), number(tokens.Ratio, 0), text(interval(tokens.Interval, 0))))
		s.doubts(t, g)
	}
	t.Notes = append(t.Notes, "Wrong-tool: calls of a skill that is neither wanted nor accepted ÷ calls. Parameter faults: calls of a right skill with a parameter missing, invalid, wrong or unknown ÷ calls of a right skill. "+
		"First contact: dialogues whose every turn was settled, if not at once, without harm ÷ dialogues. Tool calls: calls, loads and opens ÷ turns. Context: tokens of the prompts of first attempts, mean.",
		"An agent that makes no call has no share of wrong ones.")
	return t
}

// doubts says what is doubtful about a row.
func (s *scene) doubts(t *Table, g routing.Group) {
	for _, w := range g.Rates[routing.FirstContact].Warnings {
		t.doubt(rowName(g.Key), "first-contact resolution: "+w)
	}
	if p := g.Rates[routing.FirstContact]; g.Kind != record.NoModel && s.likeNever(g) {
		t.doubt(rowName(g.Key), fmt.Sprintf("first-contact resolution is, by its counts (%d/%d), that of an agent that never calls", p.K, p.N))
	}
	if g.Suite.OK && len(g.Cases)+g.Lost < int(g.Suite.V) {
		t.doubt(rowName(g.Key), fmt.Sprintf("%d of the %s dialogues of the split were played", len(g.Cases)+g.Lost, g.Suite.Format(0)))
	}
	if g.Lost > 0 {
		t.doubt(rowName(g.Key), fmt.Sprintf("%d dialogues were not reached, because a prompt no longer fitted: unresolved, and one wrong message each", g.Lost))
	}
	if g.Cells.Missing > 0 {
		t.doubt(rowName(g.Key), fmt.Sprintf("%d cells without a result are left out", g.Cells.Missing))
	}
}

// likeNever reports whether an agent resolves as many dialogues as one that never
// calls does, in the same arm.
func (s *scene) likeNever(g routing.Group) bool {
	return slices.ContainsFunc(s.groups, func(o routing.Group) bool {
		a, b := g.Rates[routing.FirstContact], o.Rates[routing.FirstContact]
		return o.Task == g.Task && slices.Contains(s.never, o.Agent) && a.N > 0 && a.K == b.K && a.N == b.N
	})
}

// decisions set accuracy beside what an agent that calls nothing cannot have.
func (s *scene) decisions() *Table {
	t := s.table("decisions", "First decisions", flat(
		rateColumns(routing.Accuracy, "accuracy"), []string{"kappa", "kappa", "kappa_interval", "95 %", "macro_f1", "macro-F1", "macro_f1_interval", "95 %"},
		countColumns("called_when_wanted", "called when wanted"), countColumns(routing.DialoguesRight, "dialogues right"), countColumns("score", "score"))...)
	for _, g := range s.groups {
		row := append(armCells(g.Key), rate(g.Rates[routing.Accuracy])...)
		for _, score := range []routing.Score{g.Kappa, g.MacroF1} {
			row = append(row, number(score.Value, 3), text(interval(score.Interval, 3)))
		}
		for _, name := range []string{"called_when_wanted", routing.DialoguesRight, "score"} {
			row = append(row, count(g.Rates[name])...)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = []string{"Accuracy alone flatters an agent that calls nothing: it is right wherever no call is wanted. Kappa takes off the agreement that the margins give by chance (0 for one constant decision); " +
		"macro-F1 is the mean over the skills that are wanted and over all that calls none, each counting once; called when wanted is the share of messages that want a call and got the right one.",
		"Dialogues right: every first decision was. Score: what the task counts as correct, parameters included, as in cells.csv."}
	return t
}

// refusals are the messages at which no call is right, and what gates do.
func (s *scene) refusals() *Table {
	t := s.table("refusals", "Where no call is right, and what calls did", flat(
		rateColumns(routing.FalseTriggers, "false triggers"), countColumns("out_of_scope_recall", "out-of-scope recall"), countColumns("asks_precision", "asking: precision"), countColumns("asks_recall", "asking: recall"),
		countColumns("forbidden_calls", "forbidden skill called"), countColumns("calls_held", "calls held by the runtime"), countColumns(routing.Harmed, "dialogues harmed"), []string{"harms", "harms"})...)
	for _, g := range s.groups {
		row := append(armCells(g.Key), rate(g.Rates[routing.FalseTriggers])...)
		for _, name := range []string{"out_of_scope_recall", "asks_precision", "asks_recall", "forbidden_calls", "calls_held", routing.Harmed} {
			row = append(row, count(g.Rates[name])...)
		}
		t.Rows = append(t.Rows, append(row, whole(g.Harms)))
	}
	t.Notes = []string{"False trigger: the first decision calls a skill though no skill is right. Asking: a question for a parameter, an offer of two skills or a request to say what is meant, wanted and made, whichever of them. " +
		"Harm: something was changed that nobody asked to change. Held: the runtime refused the call, by its gates where they are on; their effect on harm is the difference between arms that differ in them only."}
	return t
}

// kinds is accuracy by kind of case, one column a kind.
func (s *scene) kinds() *Table {
	names := s.names(func(g routing.Group) (list []string) {
		for _, k := range g.Kinds {
			list = append(list, k.Kind)
		}
		return list
	})
	var pairs []string
	for _, name := range names {
		pairs = append(pairs, countColumns(name, plain(name))...)
	}
	t := s.table("kinds", "Accuracy of first decisions by kind of case", pairs...)
	for _, g := range s.groups {
		row := armCells(g.Key)
		for _, name := range names {
			p := stats.Proportion{}
			if i := slices.IndexFunc(g.Kinds, func(k routing.Kind) bool { return k.Kind == name }); i >= 0 {
				p = g.Kinds[i].Rates[routing.Accuracy]
			}
			row = append(row, count(p)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// names lists what groups have, in the order in which it comes.
func (s *scene) names(of func(routing.Group) []string) []string {
	var names []string
	for _, g := range s.groups {
		for _, name := range of(g) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// mostColumns is how many groups a table can have side by side.
const mostColumns = 12

// skills is F1 by skill, one column a group: the first agent in every arm, then
// players in the first arm.
func (s *scene) skills() *Table {
	groups := slices.DeleteFunc(slices.Clone(s.groups), func(g routing.Group) bool {
		return g.Agent != s.first() && (g.Kind != record.NoModel || g.Task != s.groups[0].Task)
	})
	slices.SortStableFunc(groups, func(a, b routing.Group) int { return ordinal(a) - ordinal(b) })
	groups = groups[:min(len(groups), mostColumns)]
	t := &Table{Name: "routing_skills" + s.slug, Caption: "F1 by skill" + s.in(), Columns: columns("skill", "skill", "wanted", "wanted")}
	for _, g := range groups {
		t.Columns = append(t.Columns, columns(rowName(g.Key), rowName(g.Key))...)
	}
	for _, name := range s.names(func(g routing.Group) (list []string) {
		for _, k := range g.Skills {
			if k.Wanted > 0 {
				list = append(list, k.Skill)
			}
		}
		return list
	}) {
		row, wanted := []Cell{text(plain(name)), {}}, 0
		for _, g := range groups {
			cell := Cell{}
			if i := slices.IndexFunc(g.Skills, func(k routing.Skill) bool { return k.Skill == name }); i >= 0 {
				cell, wanted = number(g.Skills[i].F1, 3), max(wanted, g.Skills[i].Wanted)
			}
			row = append(row, cell)
		}
		row[1] = whole(wanted)
		t.Rows = append(t.Rows, row)
	}
	if n := len(s.groups) - len(groups); n > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more columns (arm and agent) are in routing.json.", n))
	}
	t.Notes = append(t.Notes, "Skills that are wanted at least once, and (none): every message at which no call is wanted.")
	return t
}

// ordinal puts groups with a model before players.
func ordinal(g routing.Group) int {
	if g.Kind == record.NoModel {
		return 1
	}
	return 0
}

// topPairs is how many confused pairs of a group are shown.
const topPairs = 3

// confused are the most frequent wrong pairs of the first agent.
func (s *scene) confused() *Table {
	t := s.table("confused", "The most confused pairs of first decisions", "want", "wanted", "got", "decided", "n", "times", "of", "times wanted")
	t.Shared = []string{"arm"}
	for _, g := range s.groups {
		if g.Kind == record.NoModel || g.Agent != s.first() {
			continue
		}
		wanted := map[string]int{}
		for _, c := range g.Confusion {
			wanted[c.Want] += c.N
		}
		for _, c := range routing.Confused(g.Confusion, topPairs) {
			t.Rows = append(t.Rows, append(armCells(g.Key), text(plain(c.Want)), text(plain(c.Got)), whole(c.N), whole(wanted[c.Want])))
		}
	}
	t.Notes = []string{"(ask), (offer), (clarify) and (decline) call no skill; (nothing) is a message without a decision.",
		fmt.Sprintf("The first %d of each arm, for %s; those of all agents are in routing.json.", topPairs, plain(s.first()))}
	return t
}
