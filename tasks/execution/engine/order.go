package engine

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/tasks/skills"
)

// An Ack is the runtime's immediate answer to an order; what becomes of it is
// told by events.
type Ack struct {
	Verdict Verdict
	Request string
	Ticket  string
	Why     string // of a refusal or a replacement
	Stored  string // the stored result of a repeat, as later prompts show results
}

// A Verdict is the kind of an answer.
type Verdict string

const (
	Accepted  Verdict = "accepted"  // it is in line
	Replaced  Verdict = "replaced"  // it is in line with its fixed flow, not with the plan
	Stored    Verdict = "stored"    // it is done already: the stored result
	Known     Verdict = "known"     // it is being done already
	Reused    Verdict = "conflict"  // the request's id was used for another call: nothing is done
	Stopping  Verdict = "stopping"  // it will stop at the next safe point, or has
	NotLive   Verdict = "not_live"  // there is nothing to stop
	Resumed   Verdict = "resumed"   // it goes on
	Going     Verdict = "going"     // there is nothing to resume
	Retried   Verdict = "retried"   // its failed call is tried again
	Escalated Verdict = "escalated" // a human has it
	Refused   Verdict = "refused"   // an error: nothing is done
)

func refused(format string, args ...any) Ack {
	return Ack{Verdict: Refused, Why: fmt.Sprintf(format, args...)}
}

// Run orders one skill for a request, with arguments as JSON.
func (e *Engine) Run(request, skill, arguments string) Ack {
	contract := e.library.Contract(skill)
	if contract == nil {
		return refused("there is no skill %.64q", skill)
	}
	params, faults := contract.Check([]byte(arguments))
	if len(faults) > 0 {
		return refused("%s: %s", skill, strings.Join(faults, ", "))
	}
	if s, _ := e.library.Find(skill); !s.On() || !e.office.enabled(request, skill) {
		return refused("%s is switched off", skill)
	}
	flow := e.repeat(Call{Skill: skill, Params: params})
	return e.take(Ack{Verdict: Accepted, Request: request}, flow, "")
}

// repeat is the calls of a skill that takes several.
func (e *Engine) repeat(c Call) []Call {
	var flow []Call
	for part := range e.library.parts(c.Skill) {
		c.Part = part
		flow = append(flow, c)
	}
	return flow
}

// withRequired puts before each call the skills that it requires and that nobody
// has run for its subject.
func (e *Engine) withRequired(flow []Call) []Call {
	if !e.mech.Requires {
		return flow
	}
	var out []Call
	begun := map[string]bool{}
	var add func(c Call)
	add = func(c Call) {
		s, _ := e.library.Find(c.Skill)
		subject := e.library.subject(c.Params)
		for _, required := range s.Requires {
			if key := subject + "/" + required; !e.prepared[key] && !begun[key] {
				add(Call{Skill: required, Params: e.library.fits(required, c.Params), Planned: c.Planned})
			}
		}
		begun[subject+"/"+c.Skill] = true
		out = append(out, c)
	}
	for _, c := range flow {
		add(c)
	}
	return out
}

// take puts a flow in line for a request, with what it requires, unless it is
// there or done already.
func (e *Engine) take(ack Ack, flow []Call, broken string) Ack {
	ack.Ticket = e.newest[ack.Request]
	t := e.tasks[ack.Ticket]
	if t == nil || !e.mech.RequestIDs {
		t = &task{ticket: e.ticketFor(ack.Request), request: ack.Request, saved: map[spot]checkpoint{}}
		e.tasks[t.ticket], e.newest[ack.Request], ack.Ticket = t, t.ticket, t.ticket
	} else if t.state == Succeeded || t.state.live() || e.wouldFail(t, compact(flow)) {
		return repeated(ack, t, compact(flow))
	}
	t.ordered, t.escalated = compact(flow), false
	t.start(e.now, e.withRequired(flow), broken)
	e.live = append(e.live, t)
	return ack
}

// wouldFail reports whether an order is the one that failed, for a reason that
// stays.
func (e *Engine) wouldFail(t *task, ordered string) bool {
	return e.mech.RetryByClass && ordered == t.ordered && (t.class == skills.Deterministic || t.class == skills.Semantic)
}

// repeated answers an order whose request is in line or done.
func repeated(ack Ack, t *task, ordered string) Ack {
	switch {
	case ordered != t.ordered:
		ack.Verdict = Reused
	case t.state.live():
		ack.Verdict = Known
	default:
		ack.Verdict, ack.Stored = Stored, t.lastResult()
	}
	return ack
}

// lastResult is the last result of a ticket, or its failure, as later prompts show
// it.
func (t *task) lastResult() string {
	for i := len(t.log) - 1; i >= 0; i-- {
		if kind := t.log[i].Kind; kind == ToolResult || kind == TaskFailed {
			return t.log[i].Later
		}
	}
	return ""
}

// obey runs what a result says to run next, for nobody's request.
func (e *Engine) obey(t *task, data map[string]any) {
	next, ok := data[fieldNext].(map[string]any)
	if !ok || t.quiet {
		return
	}
	skill, _ := next["skill"].(string)
	params, _ := next["params"].(map[string]any)
	ack := e.Run(t.request+".next", skill, compact(params))
	if quiet := e.tasks[ack.Ticket]; quiet != nil {
		quiet.quiet = true
	}
}

// costs reports whether a flow has an effect that costs money.
func (l *Library) costs(flow []Call) bool {
	return slices.ContainsFunc(flow, func(c Call) bool {
		s, ok := l.Find(c.Skill)
		return ok && s.Money
	})
}
