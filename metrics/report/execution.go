package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/charts"
	"skillbench/metrics/execution"
	"skillbench/metrics/stats"
)

// executed follows what a runtime of skills did in an episode.
func (c *cell) executed(r *journal.Reader) metrics.Also {
	f := execution.Follow(r)
	return metrics.Also{Step: f.Step, End: func(metrics.Episode) {
		if t, ok := f.Done(); ok {
			c.execution = &t
		}
	}}
}

// runtimesOfSkills says what each mechanism of a runtime prevents: every arm beside
// the first one of the experiment, which should have them all.
func runtimesOfSkills(d *data) []Block {
	var out []Block
	for _, arms := range d.arms() {
		out = append(out, baseTable(arms))
		if t := preventedTable(arms); len(t.Rows) > 0 {
			out = append(out, t)
			out = append(out, preventedFigures(arms)...)
		}
		out = append(out, runtimeCosts(arms))
	}
	if len(out) == 0 {
		return nil
	}
	return append([]Block{Paragraph("A runtime of skills stands between the agent and a back office, and each of its mechanisms can be switched off. The events, and what goes wrong by script, are the same in all arms; each arm stands beside the first one. " +
		"Harms are counted by the back office, which knows what was asked for and sees nothing of the runtime's books; those to the prompt by looking for the values of results in every prompt. " +
		"Each count is a part of the cases in which the harm could have been done. Where a mechanism shows no harm of its own, another one stands in for it.")}, out...)
}

// arms are the groups that ran skills, apart by all that is not the task's options.
func (d *data) arms() [][]*group {
	var out [][]*group
	at := map[condition]int{}
	for _, g := range d.groups {
		ran := false
		for _, c := range g.cells {
			ran = ran || c.execution != nil
		}
		if !ran {
			continue
		}
		key := g.condition
		key.task = ""
		i, known := at[key]
		if !known {
			i = len(out)
			at[key], out = i, append(out, nil)
		}
		out[i] = append(out[i], g)
	}
	return out
}

// tallied adds up the finished episodes of one strategy.
func tallied(g *group, agent string) (sum execution.Tally, n int) {
	for _, c := range finished(g.over(agent)) {
		if c.execution != nil {
			sum, n = sum.Plus(*c.execution), n+1
		}
	}
	return sum, n
}

// harmed is the share of cases in which a harm was done, clustered by seed.
func harmed(g *group, agent string, harm record.Harm) stats.Proportion {
	var counts []stats.Count
	for _, c := range finished(g.over(agent)) {
		if c.execution != nil {
			h := c.execution.Harms[harm]
			counts = append(counts, stats.Count{Cluster: seedOf(c), K: h.N, N: h.Of})
		}
	}
	return stats.WilsonClustered(counts, 0)
}

const redoneWords = "Call run again: a crash between an effect and the checkpoint that notes it is not seen by the runtime, which makes that call once more when it resumes. " +
	"With request ids the back office answers it from what it stored the first time, so there is no second effect: duplicate effect counts those. Checkpoints make such calls few, and cannot make them none."

// baseTable lists every harm in the first arm, with what it is a part of.
func baseTable(arms []*group) *Table {
	g := arms[0]
	t := &Table{Name: "execution_base_" + slug([]string{g.model}), Caption: fmt.Sprintf("Harms with %s%s", plain(g.task), probeWords(g)),
		Columns: columns("harm", "harm", "meaning", "which is", "agent", "agent", "harms", "harms", "cases", "cases"), Shared: []string{"agent"}}
	again := false
	for _, harm := range execution.Harms() {
		for _, agent := range g.agents {
			if sum, _ := tallied(g, agent); sum.Harms[harm].Of > 0 {
				again = again || harm == record.Redone && sum.Harms[harm].N > 0
				t.Rows = append(t.Rows, []Cell{text(harmWords[harm].name), text(harmWords[harm].meaning), text(plain(agent)), whole(sum.Harms[harm].N), whole(sum.Harms[harm].Of)})
			}
		}
	}
	if again {
		t.Notes = append(t.Notes, redoneWords)
	}
	return t
}

// preventedTable has a row for each harm that is done more often without a
// mechanism than in the first arm.
func preventedTable(arms []*group) *Table {
	t := &Table{Name: "execution_prevented_" + slug([]string{arms[0].model}), Caption: fmt.Sprintf("What each mechanism prevents: harms without it, beside %s%s", plain(arms[0].task), probeWords(arms[0])),
		Columns: columns("arm", "arm", "agent", "agent", "harm", "harm", "harms", "harms", "cases", "cases", "share", "share", "low", "95 % from", "high", "to", "base_harms", "harms, first arm", "base_cases", "cases, first arm"),
		Shared:  []string{"agent"},
		Notes:   []string{"Harms that are done no more often than in the first arm are left out. The interval is Wilson's, widened for what cases of one seed have in common."}}
	var built []string
	for _, one := range prevented(arms) {
		if name := plain(one.arm.task) + ": " + harmWords[one.harm].name; one.share.K == one.share.N && decided[one.harm] && !slices.Contains(built, name) {
			built = append(built, name)
		}
		p, base := one.share, one.base
		t.Rows = append(t.Rows, []Cell{text(plain(one.arm.task)), text(plain(one.agent)), text(harmWords[one.harm].name), whole(p.K), whole(p.N), number(p.Share, 3),
			number(p.Interval.Low, 3), number(p.Interval.High, 3), whole(base.K), whole(base.N)})
	}
	if len(built) > 0 {
		t.Notes = append(t.Notes, "These shares are 1.000 by construction: the script brings about cases that the mechanism alone decides, so without it each goes wrong, and more cases would say nothing more ("+strings.Join(built, "; ")+").")
	}
	return t
}

// decided are the harms whose cases the script makes for one mechanism.
var decided = map[record.Harm]bool{
	record.Undetected: true, record.Undeclared: true, record.FalseSuccess: true, record.Disabled: true, record.Outdated: true, record.HalfDone: true, record.Unbounded: true,
	execution.DropShown: true, execution.NowStays: true,
}

// one harm that an arm does more often than the first one.
type harmDone struct {
	arm         *group
	agent       string
	harm        record.Harm
	share, base stats.Proportion
}

func prevented(arms []*group) []harmDone {
	var out []harmDone
	for _, g := range arms[1:] {
		for _, agent := range g.agents {
			for _, harm := range execution.Harms() {
				p, base := harmed(g, agent, harm), harmed(arms[0], agent, harm)
				if p.K > 0 && p.Share.V > base.Share.V {
					out = append(out, harmDone{g, agent, harm, p, base})
				}
			}
		}
	}
	return out
}

// runtimeCosts says what mechanisms cost.
func runtimeCosts(arms []*group) *Table {
	t := &Table{Name: "execution_costs_" + slug([]string{arms[0].model}), Caption: "What runs cost in each arm, over all episodes" + probeWords(arms[0]),
		Columns: columns("arm", "arm", "agent", "agent", "n", "n", "score", "score", "seconds", "virtual seconds from ticket to end", "settled", "tickets", "latency", "calls until a cancellation took effect", "canceled", "cancellations",
			"replaced", "plans replaced", "plans", "plans", "tokens", "prompt tokens, mean"), Shared: []string{"agent", "arm"}}
	for _, g := range arms {
		for _, agent := range g.agents {
			sum, n := tallied(g, agent)
			if n == 0 {
				continue
			}
			cells := finished(g.over(agent))
			t.Rows = append(t.Rows, []Cell{text(plain(g.task)), text(plain(agent)), whole(n),
				meanCell(summarize(cells, func(c *cell) stats.Value { return c.Score() }), 3),
				meanOf(sum.Settled.N, 1000*sum.Settled.Of, 1), whole(sum.Settled.Of), meanOf(sum.Latency.N, sum.Latency.Of, 2), whole(sum.Latency.Of),
				whole(sum.Replaced.N), whole(sum.Replaced.Of),
				number(summarize(cells, func(c *cell) stats.Value { return c.PromptTokensMean }).Mean, 0)})
		}
	}
	return t
}

// agentsAlike puts the strategies together that have the same harms, each with the
// same counts.
func agentsAlike(all []harmDone, agents []string) [][]string {
	var out [][]string
	var has []string
	for _, agent := range agents {
		var counts strings.Builder
		for _, one := range all {
			if one.agent == agent {
				fmt.Fprintln(&counts, one.arm.task, one.harm, one.share.K, one.share.N, one.base.K, one.base.N)
			}
		}
		i := slices.Index(has, counts.String())
		if i < 0 {
			i = len(out)
			has, out = append(has, counts.String()), append(out, nil)
		}
		out[i] = append(out[i], agent)
	}
	return out
}

// preventedFigures draws the shares, a picture for strategies that have the same.
func preventedFigures(arms []*group) []Block {
	var out []Block
	all := prevented(arms)
	for _, agents := range agentsAlike(all, arms[0].agents) {
		agent, names := agents[0], plain(strings.Join(agents, ", "))
		b := charts.Bars{Title: "Harms without one mechanism, " + names, Subtitle: plain(arms[0].model), Y: charts.Axis{Label: "harms (share of cases in which it could be done)", Min: at(0), Max: at(1)},
			Parts: []string{"first arm", "more without the mechanism"}, Values: [][]float64{nil, nil}}
		for _, one := range all {
			if one.agent != agent {
				continue
			}
			b.Categories = append(b.Categories, fmt.Sprintf("%s: %s (%d/%d)", plain(one.arm.task), harmWords[one.harm].name, one.share.K, one.share.N))
			b.Values[0] = append(b.Values[0], one.base.Share.V)
			b.Values[1] = append(b.Values[1], one.share.Share.V-one.base.Share.V)
		}
		if len(b.Categories) > 0 {
			name := "execution_" + slug(append(slices.Clone(agents), arms[0].model))
			out = append(out, draw(name, fmt.Sprintf("Harms without one mechanism as a share of the cases in which they could be done, %s%s. The first arm is %s. In parentheses: harms/cases.", names, probeWords(arms[0]), plain(arms[0].task)), b))
		}
	}
	return out
}

// harmWords are what readers see of harms.
var harmWords = map[record.Harm]struct{ name, meaning string }{
	record.Duplicate:    {"duplicate effect", "effects applied again, of effects"},
	record.Unasked:      {"effect nobody asked for", "of effects"},
	record.Unprepared:   {"effect before what it requires", "of effects that require something"},
	record.PlannedMoney: {"money by a model's plan", "effects that cost money run by a model's plan, of those that cost money"},
	record.BadPlan:      {"bad plan run", "of bad plans"},
	record.Wasted:       {"wasted retry", "retries after an error that no retry mends, of retries"},
	record.Undetected:   {"undetected conflict", "writes to a slot that changed since it was read, of such conflicts"},
	record.Undeclared:   {"undeclared write", "of those that skills tried"},
	record.FalseSuccess: {"false success", "answers without effect taken for success, of answers that look so"},
	record.Disabled:     {"effect of a disabled skill", "of skills switched off in mid-run"},
	record.Outdated:     {"effect by an old version", "of lookups in an index that lags"},
	record.HalfDone:     {"half-done cancellation", "cancellations that left an effect nobody noted, of cancellations"},
	record.Redone:       {"call run again", "calls whose effect was there, of calls after a resumption"},
	record.Disorder:     {"event lost or late", "of events"},
	record.Unbounded:    {"oversize result shown", "of oversize results"},
	execution.DropShown: {"drop value in a prompt", "of values in drop fields of results"},
	execution.NowStays:  {"now value in later prompts", "of values in now fields of results"},
	execution.Lost:      {"kept value in no prompt", "of values in keep and now fields of results"},
}
