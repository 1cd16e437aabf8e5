package agents

import (
	"fmt"
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
)

// An execution holds facts about the finished calls of an episode, and decides
// by them alone (SPEC of the ledger: arXiv:2608.00808). It knows of the task only
// which resources a command looks at and changes.
type execution struct {
	effects  func(action string) []harness.Effect
	turns    int // taken up
	versions versions
	looks    []look // of reads and searches that succeeded, newest last
	checks   map[string]look
	changes  []look // newest last
}

// A look is one finished call.
type look struct {
	action  string
	effect  harness.Effect
	step    int
	version int // of its resource, when it ran
}

// maxLooks bounds the calls that are kept, of each kind, which bounds the work
// of a step. What is forgotten is asked for again and runs.
const maxLooks = 64

func newExecution(effects func(string) []harness.Effect) *execution {
	if effects == nil {
		effects = func(string) []harness.Effect { return nil }
	}
	return &execution{effects: effects, versions: versions{at: map[string]int{}, below: map[string]int{}}, checks: map[string]look{}}
}

// take brings the facts up to what is finished.
func (x *execution) take(past []record.Turn) {
	for ; x.turns < len(past); x.turns++ {
		x.turn(past[x.turns])
	}
}

// turn takes up one call. One that was refused, or that the runtime answered
// itself, showed and changed nothing.
func (x *execution) turn(t record.Turn) {
	if !t.Valid || t.Ruling == record.Reuse || t.Ruling == record.Recall {
		return
	}
	effects := x.effects(t.Action)
	for _, e := range effects {
		if e.Kind == harness.Changes {
			x.versions.change(e.On)
			x.changes = keep(x.changes, look{action: t.Action, effect: e, step: t.Step})
		}
	}
	if len(effects) != 1 {
		return // more than one thing at once is let alone
	}
	l := look{t.Action, effects[0], t.Step, x.versions.of(effects[0].On)}
	switch l.effect.Kind {
	case harness.Reads, harness.Searches:
		x.looks = keep(x.looks, l)
	case harness.Checks:
		x.check(l)
	}
}

// check keeps the last run of each check; of too many it keeps the newest.
func (x *execution) check(l look) {
	x.checks[l.action] = l
	if len(x.checks) <= maxLooks {
		return
	}
	oldest := l
	for _, c := range x.checks {
		if c.step < oldest.step {
			oldest = c
		}
	}
	delete(x.checks, oldest.action)
}

func keep(list []look, l look) []look {
	if len(list) == maxLooks {
		list = append(list[:0:0], list[1:]...)
	}
	return append(list, l)
}

// govern says what becomes of an action at a step. Whatever it cannot judge it
// lets run.
func (x *execution) govern(step int, action string) record.Verdict {
	effects := x.effects(action)
	if len(effects) != 1 {
		return record.Verdict{}
	}
	e := effects[0]
	switch e.Kind {
	case harness.Reads, harness.Searches:
		for i := len(x.looks) - 1; i >= 0; i-- {
			if l := x.looks[i]; l.covers(e) && x.fresh(l) {
				return record.Verdict{Ruling: record.Reuse, Step: l.step,
					Text: fmt.Sprintf("Not run: nothing has changed since %q %s; its answer above still holds.", l.action, ago(step, l.step))}
			}
		}
	case harness.Checks:
		if l, ok := x.checks[action]; ok && x.fresh(l) {
			return record.Verdict{Ruling: record.Nudge, Step: l.step,
				Text: fmt.Sprintf("Remark: %q was run %s, and no command since then changed what it checks.", action, ago(step, l.step))}
		}
	}
	return record.Verdict{}
}

// fresh reports whether nothing has changed since that a call looked at.
func (x *execution) fresh(l look) bool { return x.versions.of(l.effect.On) == l.version }

// covers reports whether what a call showed holds all that another asks for.
func (l look) covers(e harness.Effect) bool {
	if l.effect.Kind != e.Kind || l.effect.On != e.On || l.effect.Text != e.Text {
		return false
	}
	switch {
	case l.effect.From == 0:
		return true
	case e.From == 0:
		return false
	}
	return l.effect.From <= e.From && e.To <= l.effect.To
}

func ago(now, then int) string {
	if now-then == 1 {
		return "1 step ago"
	}
	return fmt.Sprintf("%d steps ago", now-then)
}

// versions counts the changes of resources. A change of one is a change of all
// that lies in it and of all that it lies in.
type versions struct {
	at    map[string]int // changes of just this resource
	below map[string]int // changes of what lies in it
}

func (v versions) change(resource string) {
	v.at[resource]++
	for resource != "" {
		resource = parent(resource)
		v.below[resource]++
	}
}

func (v versions) of(resource string) int {
	n := v.below[resource] + v.at[resource]
	for resource != "" {
		resource = parent(resource)
		n += v.at[resource]
	}
	return n
}

// parent is the resource that another lies in; that of the outermost ones is "",
// which is everything.
func parent(resource string) string {
	i := strings.LastIndexByte(resource, '/')
	return resource[:max(i, 0)]
}
