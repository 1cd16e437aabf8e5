package engine

import (
	"strings"

	"skillbench/tasks/skills"
)

// Cancel has a ticket stop: at the next safe point, or else at once, whatever is
// on its way.
func (e *Engine) Cancel(ticket string) Ack {
	t, ok := e.tasks[ticket]
	switch {
	case !ok:
		return unknown(ticket)
	case !t.state.live():
		return Ack{Verdict: NotLive, Request: t.request, Ticket: ticket}
	case !t.cancel:
		t.cancel, t.ended = true, 0
		if !e.mech.SafeCancel {
			e.cut(t)
		} else if !t.sent {
			t.due = e.now
		}
	}
	return Ack{Verdict: Stopping, Request: t.request, Ticket: ticket}
}

// cut stops a ticket whatever is on its way: that arrives, and nobody takes the
// answer.
func (e *Engine) cut(t *task) {
	if t.sent {
		e.commit(t)
	}
	e.stop(t)
	e.forget(t)
}

// Resume takes up a ticket that was canceled.
func (e *Engine) Resume(ticket string) Ack {
	t, ok := e.tasks[ticket]
	switch {
	case !ok:
		return unknown(ticket)
	case t.state == Succeeded || t.state.live():
		return Ack{Verdict: Going, Request: t.request, Ticket: ticket}
	case t.state != Canceled:
		return illegal(t, "resumed")
	}
	t.resumed = true
	e.again(t)
	return Ack{Verdict: Resumed, Request: t.request, Ticket: ticket}
}

// Retry tries the failed call of a ticket again.
func (e *Engine) Retry(ticket string) Ack {
	t, ok := e.tasks[ticket]
	switch {
	case !ok:
		return unknown(ticket)
	case t.state != Failed || t.escalated || e.mech.RetryByClass && t.class != skills.Transient:
		return illegal(t, "retried")
	}
	at := t.at
	e.again(t)
	t.at = at
	return Ack{Verdict: Retried, Request: t.request, Ticket: ticket}
}

// again puts a ticket in line with the flow that it has.
func (e *Engine) again(t *task) {
	t.start(e.now, t.flow, t.broken)
	e.live = append(e.live, t)
}

// Escalate hands a ticket that the runtime cannot bring to an end to a human.
func (e *Engine) Escalate(ticket string) Ack {
	t, ok := e.tasks[ticket]
	switch {
	case !ok:
		return unknown(ticket)
	case t.state != Failed && t.state != NeedsInfo || t.escalated:
		return illegal(t, "escalated")
	}
	t.escalated = true
	return Ack{Verdict: Escalated, Request: t.request, Ticket: ticket}
}

func unknown(ticket string) Ack { return refused("there is no ticket %.40q", ticket) }

func illegal(t *task, order string) Ack {
	if t.escalated {
		return refused("%s is escalated and cannot be %s", t.ticket, order)
	}
	return refused("%s is %s and cannot be %s", t.ticket, strings.TrimSpace(string(t.state)+" "+string(t.class)), order)
}

// forget takes a ticket that is settled out of line.
func (e *Engine) forget(t *task) {
	for i, other := range e.live {
		if other == t {
			e.live = append(e.live[:i:i], e.live[i+1:]...)
			return
		}
	}
}
