package check

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// PatchRollback judges invalid_patch_rollback: each reply that had to be refused
// is recorded as a transition with violations; neither its patch nor its action
// took effect; and Σ before and after is the same to the byte, in the recorded
// hashes and in what the next prompts show.
func PatchRollback(r *journal.Reader, f Facts) (Result, error) {
	b := rollback{verdict: begin(InvalidPatchRollback), facts: f, found: map[Bad]bool{}}
	start, err := trace(r, b.step)
	b.conclude(start.State != nil)
	return b.result(), err
}

type rollback struct {
	*verdict
	facts   Facts
	found   map[Bad]bool
	refused int
	missed  int
	shown   string // the State segments of the last step
	was     int    // the last step
	held    bool   // it was missed, so that Σ stays what it was
}

func (b *rollback) step(s step) {
	attempts := s.attempts()
	if len(attempts) == 0 {
		return
	}
	b.still(s, attempts)
	for _, c := range attempts {
		b.attempt(c)
	}
	if s.act.Action == "" {
		return // the journal ends inside this step
	}
	b.acted(s, attempts[len(attempts)-1])
}

// still holds the states shown at one step against each other, and against
// what was shown before a missed step.
func (b *rollback) still(s step, attempts []sent) {
	first := attempts[0]
	shown := first.prompt.Only(prompt.State)
	if at := difference(shown, b.shown); b.held && shown != b.shown {
		b.fail("step %d: the prompt shows another Σ than at the missed step %d: %s, before %s", first.Step, b.was, around(shown, at), around(b.shown, at))
	}
	for _, c := range attempts[1:] {
		again := c.prompt.Only(prompt.State)
		if at := difference(again, shown); again != shown {
			b.fail("step %d attempt %d: after a refused reply the prompt shows another Σ: %s, before %s", c.Step, c.Attempt, around(again, at), around(shown, at))
		}
	}
	b.shown, b.was, b.held = shown, first.Step, s.act.Action == record.None && s.act.Oracle == nil
}

// attempt holds the judgement on a reply against what it had to be.
func (b *rollback) attempt(c sent) {
	at := fmt.Sprintf("step %d attempt %d", c.Step, c.Attempt)
	wanted := slices.IndexFunc(b.facts.Bad, func(x Bad) bool { return x.Step == c.Step && x.Attempt == c.Attempt })
	switch {
	case c.transition == nil:
		b.fail("%s: the call has no transition in the journal", at)
		return
	case c.transition.Step != c.Step || c.transition.Attempt != c.Attempt:
		b.fail("%s: its transition says step %d attempt %d", at, c.transition.Step, c.transition.Attempt)
	case wanted >= 0 && c.transition.Accepted():
		b.fail("%s: a reply of class %s was accepted, with action %q", at, b.facts.Bad[wanted].Class, c.transition.Move.Action)
	case wanted >= 0 && c.transition.Violations[0].Class != b.facts.Bad[wanted].Class:
		b.fail("%s: a reply of class %s was refused as %s", at, b.facts.Bad[wanted].Class, c.transition.Violations[0])
	}
	if wanted >= 0 {
		b.found[b.facts.Bad[wanted]] = true
	}
	if !c.transition.Accepted() {
		b.refused++
	}
}

// acted holds what was done and committed against the last judgement.
func (b *rollback) acted(s step, last sent) {
	n := s.act.Observation.Step
	action := record.None
	if last.transition != nil && last.transition.Accepted() {
		action = last.transition.Move.Action
	} else {
		b.missed++
	}
	if s.act.Action != action {
		b.fail("step %d: the action was %q, want %q", n, s.act.Action, action)
	}
	if did, known := b.facts.Acted[n]; known && s.act.Oracle == nil && did != action {
		b.fail("step %d: %q reached the world, want %q", n, did, action)
	}
	if action == record.None && s.act.Outcome.Valid {
		b.fail("step %d: every reply was refused, yet the world accepted an action: %q", n, s.act.Outcome.Result)
	}
	if s.stateful && s.act.State != s.after.Hash() {
		b.fail("step %d: Σ has hash %.12s, the accepted patches give %.12s: %s", n, s.act.State, s.after.Hash(), s.after.Compact())
	}
}

func (b *rollback) conclude(stateful bool) {
	classes := map[string]bool{}
	for _, bad := range b.facts.Bad {
		classes[bad.Class] = true
		if !b.found[bad] {
			b.fail("step %d attempt %d: the attempt of class %s is not in the journal", bad.Step, bad.Attempt, bad.Class)
		}
	}
	if b.refused == 0 {
		b.fail("nothing was judged: no reply was refused")
	}
	b.measured["refused_attempts"] = float64(b.refused)
	b.measured["missed_steps"] = float64(b.missed)
	var tried []string
	for c := range classes {
		tried = append(tried, c)
	}
	slices.Sort(tried)
	if len(tried) > 0 {
		b.note("classes tried: %s", strings.Join(tried, ", "))
	}
	if !stateful {
		b.note("the strategy keeps no Σ: judged are actions and the record")
	}
}

// difference is the offset of the first byte in which two texts differ.
func difference(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
