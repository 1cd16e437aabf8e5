package repo

import (
	"fmt"
	"strings"

	"skillbench/harness/record"
)

// describe fills in what the step shows and what the harness knows about it.
func (w *world) describe(o *record.Observation) {
	o.Text = w.text()
	o.Kind, o.Item = w.now.kind, w.now.item()
	o.Oracle = w.now.oracle.String()
	o.Impossible = !w.now.possible
	o.Age = w.age()
	o.Load = len(w.repo.pulls)
	if n := w.now.drift; n != nil {
		o.Drift = n.name
	}
	if w.now.free {
		o.Free, o.Announced = true, w.now.drift.announced
	}
}

// text is O_t: the result of the previous action, what drift announces, the
// event, the free commands left, the noise.
func (w *world) text() string {
	var b strings.Builder
	for _, text := range []string{w.result, w.now.notice, w.now.alert, w.now.text(), w.offer()} {
		if text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	b.WriteString(noise(w.spec.Seed, w.step, w.spec.Noise))
	return b.String()
}

const offerHeading = "Free commands left: "

// offer tells of the free commands, which the skill text does not know.
func (w *world) offer() string {
	if !w.opts.Reads {
		return ""
	}
	return fmt.Sprintf(offerHeading+"%d (Read <file> [from-to], Search <text>, RunTests <branch>).", maxReads-w.reads)
}

// age is the number of steps since the fact that the event asks for was last
// observed or caused. It is nil for events that carry all they need.
func (w *world) age() *int {
	var key string
	switch w.now.kind {
	case kindReview, kindFailed:
		key = w.now.pr + fieldBranch
	case kindPassed:
		key = w.now.pr + fieldApproved
	case kindApproved, kindQueue:
		key = w.now.pr + fieldCI
	}
	step, ok := w.seen[key]
	if !ok {
		return nil
	}
	n := max(0, w.step-step)
	return &n
}

// note keeps when facts were last observed or caused. What an action causes
// counts from the next step on, whose observation shows its result; so does
// the silent invalidation, which none shows.
func (w *world) note(e effect, out record.Outcome) {
	switch w.now.kind {
	case kindFailed, kindPassed:
		w.seen[w.now.pr+fieldCI] = w.step
	case kindApproved:
		w.seen[w.now.pr+fieldApproved] = w.step
	}
	if !out.Valid {
		return
	}
	next := w.step + 1
	switch e.command.verb {
	case verbCreatePR:
		pr := w.limits.numbers[e.command.args[0]]
		w.seen[pr+fieldBranch], w.seen[pr+fieldCI], w.seen[pr+fieldApproved] = next, next, next
	case verbCommit, verbFixCI:
		if pr, ok := e.repo.pullOf(e.command.args[0]); ok {
			w.seen[pr+fieldCI] = next
		}
	case verbMerge:
		for _, field := range []string{fieldBranch, fieldCI, fieldApproved} {
			delete(w.seen, e.command.args[0]+field)
		}
		for _, pr := range e.ruling.voided {
			w.seen[pr+fieldCI] = next
		}
	}
}
