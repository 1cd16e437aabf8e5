package engine

import (
	"fmt"
	"slices"
)

// A State is where a ticket stands.
type State string

const (
	Pending   State = "pending"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	NeedsInfo State = "needs_info" // stopped until the caller makes another call, or a new plan
	Canceled  State = "canceled"
)

// follows lists what a state can become. What has ended is taken up again only
// by an order: a retry, another call, a resumption.
var follows = map[State][]State{
	"":        {Pending},
	Pending:   {Running, Canceled},
	Running:   {Succeeded, Failed, NeedsInfo, Canceled},
	Succeeded: {},
	Failed:    {Pending},
	NeedsInfo: {Pending},
	Canceled:  {Pending},
}

// to is the next state, or an error where it cannot follow.
func (s State) to(next State) (State, error) {
	if !slices.Contains(follows[s], next) {
		return s, fmt.Errorf("a ticket that is %s cannot become %s", s, next)
	}
	return next, nil
}

// live reports whether the runtime still works on a ticket.
func (s State) live() bool { return s == Pending || s == Running }

// An EventKind says what an event tells of a ticket.
type EventKind string

const (
	TaskStarted    EventKind = "task_started"
	ProgressUpdate EventKind = "progress_update"
	TextDelta      EventKind = "text_delta"  // a part of long work
	ToolResult     EventKind = "tool_result" // of a call
	TaskCompleted  EventKind = "task_completed"
	TaskFailed     EventKind = "task_failed" // also where the ticket needs another call
	TaskCanceled   EventKind = "task_canceled"
)

// terminal reports whether nothing follows until the ticket is taken up again.
func (k EventKind) terminal() bool {
	return k == TaskCompleted || k == TaskFailed || k == TaskCanceled
}

// An Event is one thing that the runtime tells of a ticket. Progress never
// falls, and between two starts there is one terminal event.
type Event struct {
	Ticket, Request string
	Number          int // from 1, without a gap, for each ticket
	Kind            EventKind
	State           State
	Class           Class             // of a failure
	Progress        int               // per cent
	Keep            map[string]string // texts among the fields that prompts may keep
	Shown           string            // of a result: what the next prompt may show, JSON on one line; "" for none
	Later           string            // what the prompts after that may show of it
	Raw             string            // all of it; for the audit alone
}
