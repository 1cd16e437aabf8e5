package agents

import (
	"fmt"
	"strings"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/transition"
)

// Ledger is react with a runtime that keeps an execution ledger (arXiv:2608.00808).
// It informs: each prompt shows, made anew and never part of the history, what
// has changed lately and which reads are fresh. And it governs: a read or search
// that an earlier one covers is answered by pointing to that one, and a check
// that is repeated with nothing changed is run with a remark. The published
// thresholds are not known; what is shown and kept is a choice of ours. On tasks
// that do not tell the effects of their commands it is react with an empty ledger.
func Ledger() harness.Strategy {
	return harness.Strategy{
		Name: "ledger",
		Doc:  "react with a deterministic ledger of finished calls, which also spares repeated reads",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartHistory, harness.PartLedger, harness.PartObservation},
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newLedger,
	}
}

type ledger struct {
	*layout
	*execution
}

func newLedger(s harness.Setup) (harness.Agent, error) {
	l, err := newLayout(s, model.ActionLine, harness.PartLedger)
	if err != nil {
		return nil, err
	}
	g := &ledger{layout: l, execution: newExecution(s.Task.Effects)}
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{harness.PartLedger: g.show}
	return g, nil
}

// Govern judges an action by what is finished.
func (g *ledger) Govern(v harness.View, action string) record.Verdict {
	g.take(v.Past)
	return g.govern(v.Step, action)
}

// shownLooks is how many changes, and how many reads, the ledger lists.
const shownLooks = 8

// show lists recent changes and the index of reads, newest first.
func (g *ledger) show(v harness.View) prompt.Prompt {
	g.take(v.Past)
	var b strings.Builder
	newest(g.changes, func(l look) {
		fmt.Fprintf(&b, "Changed %s: %s\n", ago(v.Step, l.step), l.action)
	})
	newest(g.looks, func(l look) {
		state := "stale"
		if g.fresh(l) {
			state = "fresh"
		}
		fmt.Fprintf(&b, "Looked %s, %s: %s\n", ago(v.Step, l.step), state, l.action)
	})
	if b.Len() == 0 {
		b.WriteString("Nothing yet.\n")
	}
	return prompt.Prompt{section(prompt.Ledger, prompt.LabelLedger, b.String())}
}

// newest calls f with the last looks, the last one first.
func newest(list []look, f func(look)) {
	for i := len(list) - 1; i >= max(0, len(list)-shownLooks); i-- {
		f(list[i])
	}
}
