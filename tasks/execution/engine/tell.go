package engine

// tell writes an event down and sends it off.
func (e *Engine) tell(t *task, ev Event) {
	ev.Ticket, ev.Request, ev.Number = t.ticket, t.request, len(t.log)+1
	ev.State, ev.Class, ev.Progress = t.state, t.class, t.progress
	t.log = append(t.log, ev)
	if !t.quiet {
		e.beat(ev)
		e.carry(t, ev)
	}
}

// beat brings the beat of a ticket up to date.
func (e *Engine) beat(ev Event) {
	b := Beat{ev.Ticket, ev.Number, ev.Kind.terminal()}
	for i := range e.beats {
		if e.beats[i].Ticket == ev.Ticket {
			e.beats[i] = b
			return
		}
	}
	e.beats = append(e.beats, b)
}

// tellResult is tell with what an answer says, as far as prompts may show it.
func (e *Engine) tellResult(t *task, ev Event, skill string, r Reply) {
	s, _ := e.library.Find(skill)
	ev.Raw = r.Body
	ev.Keep, ev.Shown, ev.Later = e.mech.show(s.Output, r.Body)
	if !t.quiet {
		e.tally.Planted = plus(e.tally.Planted, r.Planted)
	}
	e.tell(t, ev)
}

// tellFailure tells why a ticket failed or what it needs.
func (e *Engine) tellFailure(t *task, f failure) {
	reply, skill := f.reply, ""
	if t.at < len(t.flow) {
		skill = t.here().Skill
	}
	if reply.Body == "" {
		reply.Body = compact(answer{"error", f.code, map[string]any{}})
	}
	e.tellResult(t, Event{Kind: TaskFailed}, skill, reply)
}

// carry brings an event to the consumer, over a channel that the script may
// have lose events or change their order.
func (e *Engine) carry(t *task, ev Event) {
	switch kind := e.office.requests[t.request].Fault.Kind; {
	case kind == Dropped && e.isLost(t, ev):
		return
	case kind == Reordered && ev.Kind == ProgressUpdate && t.held == nil:
		t.held = &ev
		return
	}
	e.events = append(e.events, ev)
	if t.held != nil {
		e.events = append(e.events, *t.held)
		t.held = nil
	}
}

// isLost: the second sign of progress and the first end of a ticket.
func (e *Engine) isLost(t *task, ev Event) bool {
	same := 0
	for _, other := range t.log {
		if other.Kind == ev.Kind {
			same++
		}
	}
	return ev.Kind == ProgressUpdate && same == 2 || ev.Kind.terminal() && same == 1
}
