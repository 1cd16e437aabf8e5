package engine

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"skillbench/harness/record"
)

// An Engine runs the requests of one session.
type Engine struct {
	mech    Mechanisms
	seed    uint64
	library *Library
	office  *Office
	now     time.Duration // since the session began

	inbox    map[string]Request // what has arrived
	tasks    map[string]*task   // by ticket
	live     []*task            // those that are worked on, oldest first
	newest   map[string]string  // ticket of a request
	prepared map[string]bool    // subject and skill that this session has run
	audit    []Entry
	events   []Event // that have left for the consumer
	beats    []Beat
	tally    Tally
}

// An Entry of the audit is one answer of the back office, whole.
type Entry struct {
	Time   time.Duration
	Ticket string
	Skill  string
	Code   int
	Body   string
}

// A Tally counts what is no harm.
type Tally struct {
	Latency record.Count   // calls that ended between an order to cancel and its taking effect
	Settled record.Count   // milliseconds from ticket to end
	Planted record.Planted // in results that were told of
}

// New opens a session on a back office, which other sessions may share.
func New(m Mechanisms, l *Library, o *Office, seed uint64) *Engine {
	return &Engine{mech: m, seed: seed, library: l, office: o, inbox: map[string]Request{}, tasks: map[string]*task{},
		newest: map[string]string{}, prepared: map[string]bool{}}
}

// Clone is a session that goes its own way on an office of its own.
func (e *Engine) Clone(o *Office) *Engine {
	c := *e
	c.office, c.tasks, c.live = o, make(map[string]*task, len(e.tasks)), nil
	for ticket, t := range e.tasks {
		c.tasks[ticket] = t.clone()
	}
	for _, t := range e.live {
		c.live = append(c.live, c.tasks[t.ticket])
	}
	c.inbox, c.newest, c.prepared = maps.Clone(e.inbox), maps.Clone(e.newest), maps.Clone(e.prepared)
	c.audit, c.events, c.beats = slices.Clip(e.audit), slices.Clip(e.events), slices.Clone(e.beats)
	return &c
}

// Receive takes a request as it arrives. It runs once a model says how.
func (e *Engine) Receive(r Request) {
	e.office.ask(r)
	e.inbox[r.ID] = r
}

// Now is the time since the session began.
func (e *Engine) Now() time.Duration { return e.now }

// State of a ticket; false where there is none.
func (e *Engine) State(ticket string) (State, bool) {
	t, ok := e.tasks[ticket]
	if !ok {
		return "", false
	}
	return t.state, true
}

// Ticket of a request; "" where there is none.
func (e *Engine) Ticket(request string) string { return e.newest[request] }

// Audit is every answer of the back office, whole.
func (e *Engine) Audit() []Entry { return slices.Clip(e.audit) }

// Tally returns the counts since it was last asked for.
func (e *Engine) Tally() Tally {
	t := e.tally
	e.tally = Tally{}
	return t
}

// Events returns the events that have left since it was last asked for, in the
// order in which they arrive.
func (e *Engine) Events() []Event {
	out := e.events
	e.events = nil
	return out
}

// A Beat tells how many events a ticket has had.
type Beat struct {
	Ticket string
	Last   int
	Over   bool // the last one was terminal
}

// Beats returns a beat for each ticket with events since it was last asked for,
// in the order of their first one. No beat is lost.
func (e *Engine) Beats() []Beat {
	out := e.beats
	e.beats = nil
	return out
}

// Log is all events of a ticket from a number on, for a consumer that missed some.
func (e *Engine) Log(ticket string, from int) []Event {
	t, ok := e.tasks[ticket]
	if !ok || from < 1 || from > len(t.log) {
		return nil
	}
	return t.log[from-1:]
}

// Advance lets time pass, and does what is due in it.
func (e *Engine) Advance(d time.Duration) {
	until := e.now + d
	for {
		next := -1
		for i, t := range e.live {
			if t.due <= until && (next < 0 || t.due < e.live[next].due) {
				next = i
			}
		}
		if next < 0 {
			break
		}
		t := e.live[next]
		e.now = max(e.now, t.due)
		e.work(t)
		if !t.state.live() {
			e.live = slices.DeleteFunc(slices.Clone(e.live), func(o *task) bool { return o == t })
		}
	}
	e.now = until
}

// Idle reports whether nothing is left to do.
func (e *Engine) Idle() bool { return len(e.live) == 0 }

// drawn is how many tickets have numbers that are drawn.
const drawn = 9000

// ticketFor draws the number of a new ticket, which nothing else tells. Once all
// are given out, it counts on.
func (e *Engine) ticketFor(request string) string {
	if given := len(e.tasks); given >= drawn {
		return fmt.Sprintf("task_%d", 1000+given)
	}
	n := luck(e.seed, "ticket", request) % drawn
	for {
		ticket := fmt.Sprintf("task_%d", 1000+n%drawn)
		if _, taken := e.tasks[ticket]; !taken {
			return ticket
		}
		n++
	}
}
