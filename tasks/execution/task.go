// Package execution is a desk between a shop's requests and a runtime of skills.
// Each event takes one command: run a skill, hand in a plan, or follow up on a
// ticket. The runtime's mechanisms are options of the task, each of which can be
// switched off; what that lets through is recorded by the back office behind the
// runtime (record.Execution). What the agent is told does not say which
// mechanisms are on, and the right command follows from what it was told: the
// score says what a context keeps, the record what a runtime prevents.
package execution

import (
	"math/rand/v2"
	"slices"

	"skillbench/harness"
	"skillbench/harness/state"
	"skillbench/tasks/execution/engine"
)

// Task is the execution task. Its options are the mechanisms, all on by default.
func Task() harness.Task {
	return harness.Task{
		Name:     "execution",
		Doc:      "a runtime of skills: requests, tickets and scripted faults, with each guard of the runtime an option",
		Skill:    "execution",
		Options:  func() harness.Options { m := engine.All(); return &m },
		New:      begin,
		Grammar:  Grammar,
		Language: language{},
		Random:   Random,
	}
}

// Random draws a legal command: an order on a ticket that the truth holds, a
// request run by some skill, or Wait.
func Random(r *rand.Rand, truth state.Object) string {
	options := []command{{verb: verbWait}}
	for _, name := range names(truth, "requests") {
		ticket, _ := truth.Get("requests", name, "ticket")
		for _, verb := range []string{verbCancel, verbResume, verbRetry, verbEscalate} {
			text, _ := ticket.(string)
			options = append(options, command{verb: verb, object: text})
		}
	}
	d := demand{id: requestName(r.IntN(1000)), goal: singles[r.IntN(len(singles))], subject: numbered("order_", r.IntN(1000)), amount: 100 * (1 + r.IntN(90)), carrier: carriers[r.IntN(len(carriers))]}
	if d.goal == goalReport {
		d.subject = numbered("week_", r.IntN(1000))
	}
	options = append(options, d.run(map[string]string{"charge": "charge_00000001", "tracking": "tracking_00000001"}))
	return options[r.IntN(len(options))].String()
}

// names lists the members of a member of the state, in natural order.
func names(o state.Object, member string) []string {
	v, _ := o.Get(member)
	node, _ := v.(map[string]any)
	all := make([]string, 0, len(node))
	for name := range node {
		all = append(all, name)
	}
	slices.SortFunc(all, state.Compare)
	return all
}
