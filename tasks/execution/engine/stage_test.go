package engine_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"skillbench/configs"
	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
	"skillbench/tasks/skills"
)

var shipped = sync.OnceValues(func() (skills.Library, error) {
	return skills.Load(configs.FS, "libraries/execution", "configs/libraries/execution")
})

func library(t testing.TB) *engine.Library {
	t.Helper()
	l, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	return &engine.Library{Library: l, Flows: map[string][]string{"ship": {"reserve", "label", "notify"}, "sell": {"reserve", "charge"}},
		Parts: map[string]int{"report": 5}, About: []string{"order", "week"}}
}

// A session is an engine with all that stands around it.
type session struct {
	*engine.Engine
	office   *engine.Office
	consumer *engine.Consumer
	watch    *engine.Watch
	taken    []engine.Event
	planted  record.Planted
	tally    engine.Tally
	disorder record.Count
}

func open(m engine.Mechanisms, l *engine.Library, o *engine.Office, seed uint64) *session {
	return &session{Engine: engine.New(m, l, o, seed), office: o, consumer: engine.NewConsumer(m), watch: engine.NewWatch()}
}

// pass lets time pass and takes what the engine tells.
func (s *session) pass(d time.Duration) {
	s.Advance(d)
	beats := s.Beats()
	taken := s.consumer.Take(s.Engine, s.Events(), beats)
	s.disorder = s.disorder.Plus(s.watch.Disorder(taken, beats))
	s.taken = append(s.taken, taken...)
	t := s.Tally()
	s.planted.Keep = append(s.planted.Keep, t.Planted.Keep...)
	s.planted.Now = append(s.planted.Now, t.Planted.Now...)
	s.planted.Drop = append(s.planted.Drop, t.Planted.Drop...)
	s.tally.Latency = s.tally.Latency.Plus(t.Latency)
	s.tally.Settled = s.tally.Settled.Plus(t.Settled)
}

// settle lets everything come to an end.
func (s *session) settle(t testing.TB) {
	t.Helper()
	for range 1000 {
		if s.pass(time.Minute); s.Idle() {
			return
		}
	}
	t.Fatal("it never ends")
}

// harms are those of the office and those of the consumer.
func (s *session) harms() map[record.Harm]record.Count {
	all := s.office.Harms()
	all[record.Disorder] = s.disorder
	all[record.Unbounded] = engine.Unbounded(s.taken)
	return all
}

// leaks counts planted values in what prompts may show: drop anywhere, now in
// what later prompts may show.
func (s *session) leaks() (drop, now int) {
	count := func(values []string, text func(engine.Event) string) int {
		n := 0
		for _, v := range values {
			if slices.ContainsFunc(s.taken, func(ev engine.Event) bool { return strings.Contains(text(ev), v) }) {
				n++
			}
		}
		return n
	}
	return count(s.planted.Drop, func(ev engine.Event) string { return ev.Shown + ev.Later }),
		count(s.planted.Now, func(ev engine.Event) string { return ev.Later })
}

// order runs a request as its goal has it.
func (s *session) order(r engine.Request) engine.Ack {
	switch r.Goal {
	case "ship", "sell":
		return s.Plan(r.ID, text(plan(r)))
	}
	return s.Run(r.ID, r.Goal, arguments(r, r.Goal))
}

// wants lists the parameters of the skills.
var wants = map[string][]string{"charge": {"order", "amount"}, "refund": {"order", "charge"}, "reserve": {"order"}, "label": {"order", "carrier"},
	"notify": {"order"}, "trace": {"order", "tracking"}, "report": {"week"}}

func arguments(r engine.Request, skill string) string {
	own := map[string]any{}
	for _, name := range wants[skill] {
		own[name] = r.Params[name]
	}
	return text(own)
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// plan is the right one.
func plan(r engine.Request) engine.Plan {
	var p engine.Plan
	for i, skill := range map[string][]string{"ship": {"reserve", "label", "notify"}, "sell": {"reserve", "charge"}}[r.Goal] {
		step := engine.Step{Skill: skill, Params: map[string]any{}}
		for _, name := range wants[skill] {
			step.Params[name] = r.Params[name]
		}
		if i > 0 {
			step.After = []int{i}
		}
		p.Steps = append(p.Steps, step)
	}
	return p
}

// cards are the faults that a request can have, by its goal.
var cards = map[string][]engine.Fault{
	"charge": {{}, {Kind: engine.TimeoutBefore, Skill: "charge"}, {Kind: engine.TimeoutAfter, Skill: "charge"}, {Kind: engine.Unavailable, Skill: "charge", N: 2},
		{Kind: engine.Unavailable, Skill: "charge", N: 5}, {Kind: engine.Declined, Skill: "charge"}, {Kind: engine.FalseOK, Skill: "charge"}, {Kind: engine.Race, Skill: "charge"}},
	"reserve": {{}, {Kind: engine.Race}, {Kind: engine.ABA}, {Kind: engine.TimeoutAfter}},
	"label":   {{}, {Kind: engine.NoCarrier, Skill: "label"}, {Kind: engine.TimeoutAfter}, {Kind: engine.ABA, Skill: "label"}},
	"notify":  {{}, {Kind: engine.Malformed}, {Kind: engine.Poison}, {Kind: engine.Stray}, {Kind: engine.Oversize}, {Kind: engine.StaleIndex}},
	"ship": {{}, {Kind: engine.SwitchedOff, Skill: "label"}, {Kind: engine.PlanUnknown}, {Kind: engine.PlanMissing}, {Kind: engine.PlanCycle},
		{Kind: engine.PlanStray}, {Kind: engine.PlanGarbled}, {Kind: engine.TimeoutAfter}, {Kind: engine.Race, Skill: "label"}},
	"sell":   {{}, {Kind: engine.PlanTwice}, {Kind: engine.TimeoutAfter, Skill: "charge"}},
	"report": {{}, {Kind: engine.Crash, N: 1}, {Kind: engine.Dropped}, {Kind: engine.Reordered}, {Kind: engine.CancelInFlight}, {Kind: engine.TimeoutAfter}},
}

var goals = slices.Sorted(maps.Keys(cards))

// A move is one thing that happens in a session.
type move struct {
	What    string // request, again, changed, cancel, resume, retry, replan, pass
	Request int
	Seconds int
}

// A schedule is requests and what becomes of them.
type schedule struct {
	Seed     uint64
	Requests []engine.Request
	Moves    []move
}

var schedules = rapid.Custom(func(t *rapid.T) schedule {
	s := schedule{Seed: rapid.Uint64().Draw(t, "seed")}
	for n := range rapid.IntRange(1, 5).Draw(t, "requests") {
		goal := rapid.SampledFrom(goals).Draw(t, "goal")
		s.Requests = append(s.Requests, engine.Request{ID: fmt.Sprintf("r_%d", n), Goal: goal, Fault: rapid.SampledFrom(cards[goal]).Draw(t, "fault"),
			Params: paramsOf(goal, n)})
	}
	for range rapid.IntRange(1, 30).Draw(t, "moves") {
		s.Moves = append(s.Moves, move{rapid.SampledFrom([]string{"request", "again", "changed", "cancel", "resume", "retry", "replan", "pass", "pass"}).Draw(t, "what"),
			rapid.IntRange(0, len(s.Requests)-1).Draw(t, "of"), rapid.IntRange(0, 120).Draw(t, "seconds")})
	}
	return s
})

func paramsOf(goal string, n int) map[string]any {
	switch goal {
	case "report":
		return map[string]any{"week": fmt.Sprintf("week_%d", n)}
	case "charge", "sell":
		return map[string]any{"order": fmt.Sprintf("order_%d", n), "amount": int64(1000 + n)}
	case "label", "ship":
		return map[string]any{"order": fmt.Sprintf("order_%d", n), "carrier": "drone"}
	}
	return map[string]any{"order": fmt.Sprintf("order_%d", n)}
}

// play plays a schedule to its end.
func (s schedule) play(t testing.TB, m engine.Mechanisms) *session {
	t.Helper()
	l := library(t)
	x := open(m, l, engine.NewOffice(s.Seed, l), s.Seed)
	begun := map[int]bool{}
	for _, mv := range s.Moves {
		r := s.Requests[mv.Request]
		ticket := x.Ticket(r.ID)
		switch mv.What {
		case "request":
			x.Receive(r)
			x.order(r)
			begun[mv.Request] = true
		case "again":
			if begun[mv.Request] {
				x.order(r)
			}
		case "changed":
			if state, _ := x.State(ticket); state == engine.Succeeded && r.Goal == "charge" {
				other := r
				other.Params = map[string]any{"order": r.Params["order"], "amount": 99}
				x.order(other)
			}
		case "replan":
			if state, _ := x.State(ticket); state == engine.NeedsInfo {
				if r.Params["carrier"] != nil {
					r.Params = map[string]any{"order": r.Params["order"], "carrier": "post"}
				}
				x.order(r)
			}
		case "cancel":
			x.Cancel(ticket)
		case "resume":
			x.Resume(ticket)
		case "retry":
			if len(x.taken) > 0 && x.class(ticket) == skills.Transient {
				x.Retry(ticket)
			}
		}
		x.pass(time.Duration(mv.Seconds) * time.Second)
	}
	x.settle(t)
	return x
}

// class is the last failure that was told of a ticket.
func (s *session) class(ticket string) engine.Class {
	for _, ev := range slices.Backward(s.taken) {
		if ev.Ticket == ticket && ev.Kind == engine.TaskFailed {
			return ev.Class
		}
	}
	return ""
}
