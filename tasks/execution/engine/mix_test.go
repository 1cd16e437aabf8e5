package engine_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

// mixes are runtimes with any of their mechanisms off.
var mixes = rapid.Custom(func(t *rapid.T) engine.Mechanisms {
	on := func(name string) bool { return rapid.Bool().Draw(t, name) }
	return engine.Mechanisms{
		RetryByClass: on("retry"), RequestIDs: on("ids"), VersionCheck: rapid.SampledFrom([]engine.Compare{engine.ByVersion, engine.ByValue, engine.Unchecked}).Draw(t, "versions"),
		Requires: on("requires"), FixedFlow: on("flow"), PlanCheck: on("plan"), EnabledCheck: on("enabled"), IndexCheck: on("index"), ResultCheck: on("result"),
		WriteGuard: on("guard"), DataOnly: on("data"), SafeCancel: on("cancel"), Checkpoints: on("checkpoints"), EventOrder: on("order"), Hygiene: on("hygiene"), ResultBound: on("bound"),
	}
})

// guarded says under which mechanisms a harm is not done, whatever the others are.
var guarded = map[record.Harm]func(engine.Mechanisms) bool{
	record.Duplicate:    func(m engine.Mechanisms) bool { return m.RequestIDs && m.FixedFlow && m.PlanCheck },
	record.Unasked:      func(m engine.Mechanisms) bool { return m.DataOnly && m.RequestIDs && m.FixedFlow && m.PlanCheck },
	record.Unprepared:   func(m engine.Mechanisms) bool { return m.Requires },
	record.PlannedMoney: func(m engine.Mechanisms) bool { return m.FixedFlow },
	record.BadPlan:      func(m engine.Mechanisms) bool { return m.PlanCheck && m.FixedFlow },
	record.Wasted:       func(m engine.Mechanisms) bool { return m.RetryByClass && m.RequestIDs && m.SafeCancel },
	record.Undetected:   func(m engine.Mechanisms) bool { return m.VersionCheck == engine.ByVersion },
	record.Undeclared:   func(m engine.Mechanisms) bool { return m.WriteGuard },
	record.FalseSuccess: func(m engine.Mechanisms) bool { return m.ResultCheck },
	record.Disabled:     func(m engine.Mechanisms) bool { return m.EnabledCheck },
	record.Outdated:     func(m engine.Mechanisms) bool { return m.IndexCheck },
	record.HalfDone:     func(m engine.Mechanisms) bool { return m.SafeCancel },
	record.Disorder:     func(m engine.Mechanisms) bool { return m.EventOrder },
	record.Unbounded:    func(m engine.Mechanisms) bool { return m.ResultBound },
}

// Of any mix of mechanisms, counts are parts of a whole, what guards a harm keeps
// it out, and who looks at the effects alone counts the same.
func TestAnyMix(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m, s := mixes.Draw(rt, "mechanisms"), schedules.Draw(rt, "schedule")
		x := s.play(t, m)
		for harm, c := range x.harms() {
			if c.N < 0 || c.N > c.Of {
				rt.Errorf("%s: %d of %d", harm, c.N, c.Of)
			}
			if safe := guarded[harm]; safe != nil && safe(m) && c.N > 0 {
				rt.Errorf("%s: %d of %d, guarded", harm, c.N, c.Of)
			}
		}
		if m.EventOrder {
			inOrder(rt, x.taken)
		}
		observed(rt, s, x)
	})
}

// observed counts harms from the effects and holds the office to that.
func observed(rt *rapid.T, s schedule, x *session) {
	asked := map[string]engine.Request{}
	for _, r := range s.Requests {
		asked[r.ID] = r
	}
	type place struct {
		request, skill string
		part           int
	}
	seen := map[place]int{}
	reserved := map[string]bool{}
	twice, unasked, unprepared, effects := 0, 0, 0, x.office.Effects()
	for _, e := range effects {
		at := place{e.Request, e.Skill, e.Part}
		if seen[at]++; seen[at] > 1 || e.Part > 0 && e.Skill != "report" || e.Part > 4 {
			twice++
		}
		r, known := asked[e.Request]
		if !known || !strings.Contains(parts[r.Goal], e.Skill) || !strings.HasSuffix(e.Subject, r.ID[2:]) || strings.Contains(e.Params, `"amount":99`) {
			unasked++
		}
		if e.Skill == "label" && !reserved[e.Subject] {
			unprepared++
		}
		reserved[e.Subject] = reserved[e.Subject] || e.Skill == "reserve"
	}
	h := x.harms()
	if h[record.Duplicate] != (record.Count{N: twice, Of: len(effects)}) || h[record.Unasked] != (record.Count{N: unasked, Of: len(effects)}) {
		rt.Errorf("office: duplicates %+v, unasked %+v; its %d effects: %d, %d\n%+v", h[record.Duplicate], h[record.Unasked], len(effects), twice, unasked, effects)
	}
	if h[record.Unprepared].N < unprepared {
		rt.Errorf("office: unprepared %+v, its effects: %d labels without goods", h[record.Unprepared], unprepared)
	}
	for _, r := range s.Requests {
		state, _ := x.State(x.Ticket(r.ID))
		for _, skill := range strings.Fields(flows[r.Goal]) {
			n := seen[place{r.ID, skill, 0}]
			if state == engine.Succeeded && n == 0 && h[record.FalseSuccess].N == 0 && h[record.BadPlan].N == 0 {
				rt.Errorf("%s (%s) has succeeded without %s", r.ID, r.Goal, skill)
			}
		}
	}
}

// flows are the skills with effects that a goal has; parts, what these require too.
var (
	flows = map[string]string{"ship": "reserve label notify", "sell": "reserve charge", "label": "label", "charge": "charge", "reserve": "reserve", "notify": "notify", "report": "report"}
	parts = map[string]string{"ship": "reserve label notify", "sell": "reserve charge", "label": "reserve label", "charge": "charge", "reserve": "reserve", "notify": "notify", "report": "report"}
)
