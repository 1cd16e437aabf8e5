package engine

import (
	"maps"
	"slices"
	"time"
)

// A task is the work behind a ticket.
type task struct {
	ticket, request string
	state           State
	class           Class  // of its failure
	ordered         string // the calls that were ordered, as text
	flow            []Call // these and what they require
	broken          string // why a flow cannot go on behind its last call, "" where it can
	quiet           bool   // tells nobody of itself

	at      int           // the call that is next, or on its way
	sent    bool          // it is on its way
	due     time.Duration // when something happens next
	tries   int           // of this call that failed
	unsure  bool          // the last answer was lost, so nobody knows what it did
	version string        // of its skill
	reads   map[string]Slot
	saved   map[spot]checkpoint // finished calls

	began     time.Duration
	progress  int
	cancel    bool // asked for
	ended     int  // calls that ended since
	resumed   bool
	escalated bool

	log  []Event
	held *Event // on its way to the consumer, behind the next one
}

// A checkpoint is a finished call.
type checkpoint struct{ params string }

func (t *task) clone() *task {
	c := *t
	c.saved, c.log = maps.Clone(t.saved), slices.Clip(t.log)
	return &c
}

// here is the call that is next or on its way.
func (t *task) here() Call { return t.flow[t.at] }

// move changes the state. Callers have looked whether it can.
func (t *task) move(next State) {
	state, err := t.state.to(next)
	if err != nil {
		panic(err)
	}
	t.state = state
}

// start puts a task with a new flow in line.
func (t *task) start(now time.Duration, flow []Call, broken string) {
	t.move(Pending)
	t.flow, t.broken, t.class = flow, broken, ""
	t.rewind(now)
}

// rewind goes back to the first call. Those that are saved are passed over.
func (t *task) rewind(now time.Duration) {
	t.at, t.tries, t.sent, t.unsure, t.cancel, t.due, t.began = 0, 0, false, false, false, now, now
}
