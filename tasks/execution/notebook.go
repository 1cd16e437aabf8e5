package execution

import (
	"maps"
	"slices"

	"skillbench/harness/state"
	"skillbench/tasks/execution/engine"
	"skillbench/tasks/skills"
)

// Statuses of a request that is not settled, as the state has them.
const (
	running       = "running"
	transient     = "transient"
	deterministic = "deterministic"
	needsInfo     = "needs_info"
	canceled      = "canceled"
)

var statuses = []string{running, transient, deterministic, needsInfo, canceled}

// A notebook is what the agent has been told and may need: the truth in the terms
// of the state schema. It is not always what is so, for a runtime can err.
type notebook struct {
	requests map[string]entry
	orders   map[string]map[string]string // ids by order and field, never changed in place
}

// An entry is a request that has a ticket and is not settled.
type entry struct {
	ticket, status, use string
}

func newNotebook() notebook {
	return notebook{map[string]entry{}, map[string]map[string]string{}}
}

func (n notebook) clone() notebook {
	return notebook{maps.Clone(n.requests), maps.Clone(n.orders)}
}

// told takes an event as an observation shows it.
func (n notebook) told(ev engine.Event) {
	switch ev.Kind {
	case engine.TaskStarted, engine.ProgressUpdate, engine.TextDelta:
		e := n.requests[ev.Request]
		n.requests[ev.Request] = entry{ev.Ticket, running, e.use}
	case engine.ToolResult:
		n.result(ev.Keep)
	case engine.TaskCompleted:
		delete(n.requests, ev.Request)
	case engine.TaskCanceled:
		n.requests[ev.Request] = entry{ev.Ticket, canceled, ""}
	case engine.TaskFailed:
		n.requests[ev.Request] = entry{ev.Ticket, statusOf(ev), carrierIn(ev.Keep)}
	}
}

// statusOf a failure.
func statusOf(ev engine.Event) string {
	switch {
	case ev.State == engine.NeedsInfo:
		return needsInfo
	case ev.Class == skills.Transient:
		return transient
	}
	return deterministic
}

// result takes the ids that a result gives, and lets go of those that are used up.
func (n notebook) result(keep map[string]string) {
	order := keep["order"]
	for field, end := range endedBy {
		switch {
		case keep[end] != "":
			n.set(order, field, "")
		case keep[field] != "":
			n.set(order, field, keep[field])
		}
	}
}

// endedBy names the ids that are kept of a result, each with the field of a later
// result that says it is used up.
var endedBy = map[string]string{"charge": "refunded", "tracking": "place"}

func (n notebook) set(order, field, value string) {
	fields := maps.Clone(n.orders[order])
	if fields == nil {
		fields = map[string]string{}
	}
	if fields[field] = value; value == "" {
		delete(fields, field)
	}
	if n.orders[order] = fields; len(fields) == 0 {
		delete(n.orders, order)
	}
}

// object shows the notebook in the terms of the state schema.
func (n notebook) object() state.Object {
	requests, orders := map[string]any{}, map[string]any{}
	for id, e := range n.requests {
		fields := map[string]any{"ticket": e.ticket, "status": e.status}
		if e.use != "" {
			fields["use"] = e.use
		}
		requests[id] = fields
	}
	for id, fields := range n.orders {
		ids := make(map[string]any, len(fields))
		for field, value := range fields {
			ids[field] = value
		}
		orders[id] = ids
	}
	return state.From(map[string]any{"requests": requests, "orders": orders})
}

func (n notebook) facts() int {
	count := len(n.requests)
	for _, fields := range n.orders {
		count += len(fields)
	}
	return count
}

// carrierIn is the carrier that a failure says to use, "" where it names none.
func carrierIn(keep map[string]string) string {
	if use := keep["use"]; slices.Contains(carriers, use) {
		return use
	}
	return ""
}
