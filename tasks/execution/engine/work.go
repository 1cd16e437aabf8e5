package engine

import (
	"slices"
	"time"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// work does what is due for a ticket: at a safe point, that is before a call and
// with the fate of the last one known, it stops, ends or sends the next call; else it takes the answer to the one on its
// way.
func (e *Engine) work(t *task) {
	switch {
	case t.sent:
		e.receive(t)
	case t.state == Pending:
		t.move(Running)
		e.tell(t, Event{Kind: TaskStarted})
	case t.cancel && !t.unsure:
		e.stop(t)
	case t.at == len(t.flow) && t.broken != "":
		e.end(t, Failed, skills.Deterministic, failure{code: t.broken})
	case t.at == len(t.flow):
		e.end(t, Succeeded, "", failure{})
	case e.isSaved(t):
		t.at++
	default:
		e.send(t)
	}
}

// isSaved reports whether the next call is behind a checkpoint.
func (e *Engine) isSaved(t *task) bool {
	c, ok := t.saved[t.here().at(t.request)]
	return ok && c.params == compact(t.here().Params)
}

// Times of a call.
const (
	quick   = 300 * time.Millisecond
	page    = 64 * time.Second // of a part of long work
	timeout = 5 * time.Second
	look    = 200 * time.Millisecond // into the index
)

// send looks whether the next call may run, reads its slots and sends it off.
func (e *Engine) send(t *task) {
	c := t.here()
	s, known := e.library.Find(c.Skill)
	if !known {
		e.end(t, Failed, skills.Deterministic, failure{code: "unknown_skill"})
		return
	}
	if e.mech.EnabledCheck && !e.office.enabled(t.request, c.Skill) {
		e.end(t, Failed, skills.Deterministic, failure{code: "switched_off"})
		return
	}
	t.due = e.now + quick + time.Duration(luck(e.seed, "latency", t.ticket, t.at, t.tries)%400)*time.Millisecond
	if e.library.parts(c.Skill) > 1 {
		t.due += page
	}
	t.version = e.office.index(t.request, c.Skill)
	if e.mech.IndexCheck && t.version != s.Version {
		e.office.reindex(t.request)
		t.version = s.Version
		t.due += look
	}
	slots := append(slices.Clone(s.Reads), s.Writes...)
	t.reads = e.office.lookup(c.at(t.request), e.library.subject(c.Params), slots)
	t.sent = true
}

// receive takes the answer to a call.
func (e *Engine) receive(t *task) {
	t.sent = false
	c := t.here()
	reply := e.commit(t)
	t.unsure = reply.Code == codeLost
	data, failed := e.judge(c.Skill, reply)
	if failed != nil {
		e.failed(t, *failed)
		if reply.Code == codeLost {
			t.due += timeout
		}
		return
	}
	if e.office.crash(t.ticket, c.at(t.request)) {
		e.end(t, Canceled, "", failure{code: "crash"})
		return
	}
	e.done(t, reply, data)
}

// commit asks the back office for the effect of the call that was sent.
func (e *Engine) commit(t *task) Reply {
	c := t.here()
	r := Commit{Request: t.request, Ticket: t.ticket, Call: c, Version: t.version, Writes: e.office.draft(t.request, c), Resumed: t.resumed}
	if e.mech.RequestIDs {
		r.Key = c.at(t.request).String()
	}
	s, _ := e.library.Find(c.Skill)
	if e.mech.WriteGuard {
		for slot := range r.Writes {
			if !slices.Contains(s.Writes, slot) {
				delete(r.Writes, slot)
			}
		}
	}
	if e.mech.VersionCheck != Unchecked {
		r.Expect, r.By = t.reads, e.mech.VersionCheck
	}
	reply := e.office.commit(r)
	e.audit = append(e.audit, Entry{e.now, t.ticket, c.Skill, reply.Code, reply.Body})
	return reply
}

func plus(a, b record.Planted) record.Planted {
	return record.Planted{Keep: slices.Concat(a.Keep, b.Keep), Now: slices.Concat(a.Now, b.Now), Drop: slices.Concat(a.Drop, b.Drop)}
}

// done takes a call for finished: it is saved, told of, and the next one is due.
func (e *Engine) done(t *task, reply Reply, data map[string]any) {
	c := t.here()
	e.office.noted(t.ticket, c.at(t.request))
	e.prepared[e.library.subject(c.Params)+"/"+c.Skill] = true
	if e.mech.Checkpoints {
		t.saved[c.at(t.request)] = checkpoint{compact(c.Params)}
	}
	t.at, t.tries = t.at+1, 0
	if t.cancel {
		t.ended++
	}
	kind := ToolResult
	if c.Part < e.library.parts(c.Skill)-1 {
		kind = TextDelta
	}
	e.tellResult(t, Event{Kind: kind}, c.Skill, reply)
	if long := len(t.flow) > 1; long {
		t.progress = max(t.progress, 100*t.at/len(t.flow))
		e.tell(t, Event{Kind: ProgressUpdate})
	}
	if !e.mech.DataOnly {
		e.obey(t, data)
	}
}

// end settles a ticket with its one terminal event.
func (e *Engine) end(t *task, state State, class Class, f failure) {
	t.move(state)
	t.class, t.sent, t.cancel = class, false, false
	e.tally.Settled = e.tally.Settled.Plus(record.Count{N: int((e.now - t.began).Milliseconds()), Of: 1})
	switch state {
	case Succeeded:
		t.progress = 100
		e.tell(t, Event{Kind: TaskCompleted})
	case Canceled:
		e.tell(t, Event{Kind: TaskCanceled})
	default:
		e.tellFailure(t, f)
	}
}

// stop carries out a cancellation.
func (e *Engine) stop(t *task) {
	e.tally.Latency = e.tally.Latency.Plus(record.Count{N: t.ended, Of: 1})
	e.office.canceled(t.ticket)
	e.end(t, Canceled, "", failure{})
}
