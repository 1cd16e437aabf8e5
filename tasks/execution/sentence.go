package execution

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/tasks/execution/engine"
)

// Headings of lines. The world writes with them and the reader of the simulated
// models reads with them.
const (
	runtimeHeading   = "[runtime] "
	errorHeading     = "Error: "
	escalatedHeading = "Escalated: "
)

// Kinds of events.
const (
	kindRequest = "request"
	kindAgain   = "again"   // a request that comes again
	kindChanged = "changed" // … with another amount
	kindDue     = "due"
	kindStop    = "stop"
	kindGo      = "go"
)

// An event is one thing that happens to the desk.
type event struct {
	kind string
	demand
	fault engine.Fault // of a request
}

// heading of an event. Nothing in it tells a repeat from a first time.
func (e event) heading() string {
	if e.kind == kindAgain || e.kind == kindChanged {
		return kindRequest
	}
	return e.kind
}

func (e event) text() string { return fmt.Sprintf("[%s %s] %s", e.heading(), e.id, e.demand) }

// item is what the event is about, the same whatever the agent did.
func (e event) item() string { return e.id + " " + e.goal }

// parseEvent reads the line of an event.
func parseEvent(line string) (event, bool) {
	head, rest, ok := strings.Cut(line, "] ")
	kind, id, found := strings.Cut(strings.TrimPrefix(head, "["), " ")
	if !ok || !found || line[0] != '[' || !isNumbered(id, "r_") || !slices.Contains([]string{kindRequest, kindDue, kindStop, kindGo}, kind) {
		return event{}, false
	}
	d, ok := parseDemand(rest)
	d.id = id
	return event{kind: kind, demand: d}, ok
}

// A notice is a line of the runtime.
type notice struct {
	request, ticket string
	says            string // running, result, succeeded, canceled, needs_info, failed transient, failed deterministic
	body            string // JSON of what a result holds; "" for none
}

const (
	saysResult    = "result"
	saysSucceeded = "succeeded"
	saysFailed    = "failed "
)

func (n notice) String() string {
	line := runtimeHeading + n.request + " " + n.ticket + " " + n.says
	if n.body == "" {
		return line + "."
	}
	return line + " " + n.body
}

// parseNotice reads what String wrote.
func parseNotice(line string) (notice, bool) {
	words := strings.SplitN(strings.TrimPrefix(line, runtimeHeading), " ", 3)
	if len(words) < 3 || !isNumbered(words[0], "r_") || !isNumbered(words[1], "task_") {
		return notice{}, false
	}
	n := notice{request: words[0], ticket: words[1], says: words[2]}
	if at := strings.Index(n.says, " {"); at >= 0 {
		n.says, n.body = n.says[:at], n.says[at+1:]
	}
	n.says = strings.TrimSuffix(n.says, ".")
	if strings.HasPrefix(n.says, running) {
		n.says = running
	}
	return n, true
}

// status is what a notice says of its request: one of statuses, or "" for settled.
func (n notice) status() (status string, says bool) {
	status = strings.TrimPrefix(n.says, saysFailed)
	if slices.Contains(statuses, status) {
		return status, true
	}
	return "", n.says == saysSucceeded
}

// noticeOf an event of the runtime; later is how later prompts show it.
func noticeOf(ev engine.Event) (now, later notice) {
	n := notice{request: ev.Request, ticket: ev.Ticket, says: saysOf(ev)}
	now, later = n, n
	now.body, later.body = ev.Shown, ev.Later
	return now, later
}

func saysOf(ev engine.Event) string {
	switch ev.Kind {
	case engine.TextDelta, engine.ToolResult:
		return saysResult
	case engine.TaskCompleted:
		return saysSucceeded
	case engine.TaskCanceled:
		return canceled
	case engine.TaskFailed:
		if status := statusOf(ev); status != needsInfo {
			return saysFailed + status
		}
		return needsInfo
	}
	return fmt.Sprintf("%s at %d %%", running, ev.Progress)
}

// sentence is the result line that answers a command.
func sentence(a engine.Ack) string {
	switch a.Verdict {
	case engine.Accepted:
		return fmt.Sprintf("Accepted: %s is %s.", a.Request, a.Ticket)
	case engine.Replaced:
		return fmt.Sprintf("Accepted: %s is %s and runs its fixed flow, not the plan: %s.", a.Request, a.Ticket, a.Why)
	case engine.Stored:
		return fmt.Sprintf("Stored: %s was run as %s; it is not run again. %s", a.Request, a.Ticket, a.Stored)
	case engine.Known:
		return fmt.Sprintf("Known: %s is %s and under way.", a.Request, a.Ticket)
	case engine.Reused:
		return fmt.Sprintf("Conflict: %s was run as %s with other parameters; nothing is run.", a.Request, a.Ticket)
	case engine.Stopping:
		return fmt.Sprintf("Accepted: %s (%s) stops.", a.Request, a.Ticket)
	case engine.NotLive:
		return fmt.Sprintf("Nothing to stop: %s (%s) is not under way.", a.Request, a.Ticket)
	case engine.Resumed:
		return fmt.Sprintf("Accepted: %s (%s) goes on.", a.Request, a.Ticket)
	case engine.Going:
		return fmt.Sprintf("Nothing to resume: %s (%s) is not canceled.", a.Request, a.Ticket)
	case engine.Retried:
		return fmt.Sprintf("Accepted: %s (%s) is tried again.", a.Request, a.Ticket)
	case engine.Escalated:
		return fmt.Sprintf(escalatedHeading+"%s (%s).", a.Request, a.Ticket)
	}
	return errorHeading + a.Why + "."
}
