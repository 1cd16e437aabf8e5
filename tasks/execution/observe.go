package execution

import (
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

// observation is what the step shows and what the harness knows about it.
func (w *world) observation(e event) record.Observation {
	now, later := w.texts(e)
	o := record.Observation{Text: now, Step: w.step, Kind: e.kind, Item: e.item(), Oracle: w.oracle.String(), Age: w.age(e),
		Load: w.seen.facts(), Impossible: !w.present}
	if later != now {
		o.Later = later
	}
	return o
}

// texts are O_t, and O_t as later prompts may show it: the result of the last
// command, what the runtime tells, the event, the noise.
func (w *world) texts(e event) (now, later string) {
	var a, b strings.Builder
	both := func(text string) {
		a.WriteString(text)
		b.WriteString(text)
	}
	if w.result != "" {
		both(w.result + "\n")
	}
	for i, ev := range w.news {
		if w.outdated(i, ev) {
			continue
		}
		shown, kept := noticeOf(ev)
		a.WriteString(shown.String() + "\n")
		b.WriteString(kept.String() + "\n")
	}
	both(e.text() + "\n" + harness.Background(remarks, w.spec.Seed, w.step, w.spec.Noise))
	return a.String(), b.String()
}

// outdated reports whether a sign of life is followed by another event of the same
// ticket that says how it stands. Results are always shown.
func (w *world) outdated(i int, ev engine.Event) bool {
	if ev.Kind != engine.TaskStarted && ev.Kind != engine.ProgressUpdate {
		return false
	}
	for _, next := range w.news[i+1:] {
		if next.Ticket == ev.Ticket && next.Kind != engine.ToolResult && next.Kind != engine.TextDelta {
			return true
		}
	}
	return false
}

// remember notes when facts were told.
func (w *world) remember(ev engine.Event) {
	w.since[ev.Request] = w.step
	for field := range endedBy {
		if ev.Keep[field] != "" {
			w.since[ev.Keep["order"]+"."+field] = w.step
		}
	}
}

// age is the number of steps since the fact that the event asks for was told: the
// id that a refund or a trace takes, how a request stands. It is nil for events
// that carry all they need.
func (w *world) age(e event) *int {
	key := e.id
	if e.heading() == kindRequest {
		switch e.goal {
		case goalRefund:
			key = e.subject + ".charge"
		case goalTrace:
			key = e.subject + ".tracking"
		default:
			return nil
		}
	}
	step, ok := w.since[key]
	if !ok {
		return nil
	}
	n := w.step - step
	return &n
}
