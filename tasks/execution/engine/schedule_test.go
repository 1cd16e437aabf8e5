package engine_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

// unless names the mechanism that prevents each harm.
var unless = map[record.Harm]func(*engine.Mechanisms){
	record.Duplicate:    func(m *engine.Mechanisms) { m.RequestIDs = false },
	record.Unasked:      func(m *engine.Mechanisms) { m.DataOnly = false },
	record.Unprepared:   func(m *engine.Mechanisms) { m.Requires = false },
	record.PlannedMoney: func(m *engine.Mechanisms) { m.FixedFlow = false },
	record.BadPlan:      func(m *engine.Mechanisms) { m.PlanCheck = false },
	record.Wasted:       func(m *engine.Mechanisms) { m.RetryByClass = false },
	record.Undetected:   func(m *engine.Mechanisms) { m.VersionCheck = engine.Unchecked },
	record.Undeclared:   func(m *engine.Mechanisms) { m.WriteGuard = false },
	record.FalseSuccess: func(m *engine.Mechanisms) { m.ResultCheck = false },
	record.Disabled:     func(m *engine.Mechanisms) { m.EnabledCheck = false },
	record.Outdated:     func(m *engine.Mechanisms) { m.IndexCheck = false },
	record.HalfDone:     func(m *engine.Mechanisms) { m.SafeCancel = false },
	record.Disorder:     func(m *engine.Mechanisms) { m.EventOrder = false },
	record.Unbounded:    func(m *engine.Mechanisms) { m.Hygiene, m.ResultBound = false, false },
}

// With every mechanism on, whatever happens to requests does no harm, and what
// prompts may show holds no value that they must not.
func TestNoHarm(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		x := schedules.Draw(rt, "schedule").play(t, engine.All())
		for harm, c := range x.harms() {
			if c.N > 0 && harm != record.Redone {
				rt.Errorf("%s: %d of %d", harm, c.N, c.Of)
			}
		}
		if drop, now := x.leaks(); drop+now > 0 {
			rt.Errorf("%d values of drop and %d of now leak", drop, now)
		}
		inOrder(rt, x.taken)
		ends := 0
		for _, ev := range x.taken {
			if ev.Kind == engine.TaskCompleted || ev.Kind == engine.TaskFailed || ev.Kind == engine.TaskCanceled {
				ends++
			}
		}
		if x.tally.Settled.Of != ends {
			rt.Errorf("%d tickets have ended, %d ends were told", x.tally.Settled.Of, ends)
		}
		var audit strings.Builder
		for _, entry := range x.Audit() {
			audit.WriteString(entry.Body)
		}
		for _, v := range append(append(x.planted.Keep, x.planted.Now...), x.planted.Drop...) {
			if !strings.Contains(audit.String(), v) {
				rt.Errorf("the audit lacks %s", v)
			}
		}
	})
}

// inOrder holds events to what each promises.
func inOrder(rt *rapid.T, taken []engine.Event) {
	number, progress, over := map[string]int{}, map[string]int{}, map[string]bool{}
	for _, ev := range taken {
		if ev.Number != number[ev.Ticket]+1 || ev.Progress < progress[ev.Ticket] {
			rt.Errorf("%s: event %d at %d %% follows event %d at %d %%", ev.Ticket, ev.Number, ev.Progress, number[ev.Ticket], progress[ev.Ticket])
		}
		if started := ev.Kind == engine.TaskStarted; ev.Number > 1 && over[ev.Ticket] != started {
			rt.Errorf("%s: %s where the ticket is over: %t", ev.Ticket, ev.Kind, over[ev.Ticket])
		}
		number[ev.Ticket], progress[ev.Ticket] = ev.Number, ev.Progress
		over[ev.Ticket] = ev.Kind == engine.TaskCompleted || ev.Kind == engine.TaskFailed || ev.Kind == engine.TaskCanceled
	}
	for ticket, yes := range over {
		if !yes {
			rt.Errorf("%s has no end", ticket)
		}
	}
}

// Each mechanism is needed: without it, the same schedules do the harm that it
// prevents.
func TestEachMechanismPrevents(t *testing.T) {
	t.Parallel()
	const many = 400
	total := func(m engine.Mechanisms, harm record.Harm) (c record.Count) {
		for n := range many {
			c = c.Plus(schedules.Example(n).play(t, m).harms()[harm])
		}
		return c
	}
	for harm, off := range unless {
		t.Run(string(harm), func(t *testing.T) {
			t.Parallel()
			m := engine.All()
			if with := total(m, harm); with.N != 0 || with.Of == 0 {
				t.Errorf("with every mechanism: %d of %d, want 0 of some", with.N, with.Of)
			}
			off(&m)
			without := total(m, harm)
			if without.N == 0 {
				t.Errorf("without the mechanism: 0 of %d", without.Of)
			}
			t.Logf("without it: %d of %d", without.N, without.Of)
		})
	}
}

// Values do not show what came back; versions do.
func TestValuesMissABA(t *testing.T) {
	t.Parallel()
	m := engine.All()
	m.VersionCheck = engine.ByValue
	missed, detected := 0, 0
	for n := range 400 {
		c := schedules.Example(n).play(t, m).harms()[record.Undetected]
		missed, detected = missed+c.N, detected+c.Of-c.N
	}
	if missed == 0 || detected == 0 {
		t.Errorf("%d missed and %d detected, want some of both", missed, detected)
	}
}

// Without hygiene everything stands in prompts.
func TestHygieneKeepsValuesOut(t *testing.T) {
	t.Parallel()
	m := engine.All()
	m.Hygiene = false
	dropped, passed := 0, 0
	for n := range 100 {
		drop, now := schedules.Example(n).play(t, m).leaks()
		dropped, passed = dropped+drop, passed+now
	}
	if dropped == 0 || passed == 0 {
		t.Errorf("%d values of drop and %d of now leak, want some of both", dropped, passed)
	}
}
