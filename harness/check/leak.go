package check

import (
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
)

// HistoryLeak judges part (b) of no_history_leak: a canary of an earlier step
// may stand in a prompt only inside the rendering of Σ_t, derived from the
// patches, in a State segment; or in O_t, as the world's echo of an action.
func HistoryLeak(r *journal.Reader, f Facts) (Result, error) {
	l := leaks{verdict: begin(NoHistoryLeak), facts: f, planted: map[string]Canary{}}
	for _, c := range f.Canaries {
		l.planted[c.Text] = c
	}
	_, err := trace(r, func(s step) {
		for _, c := range s.calls {
			l.judge(c)
		}
	})
	if l.prompts == 0 {
		l.fail("nothing was judged: no prompt came after a canary; want an episode of two steps or more")
	}
	l.measured["prompts_judged"] = float64(l.prompts)
	l.measured["canaries_planted"] = float64(len(f.Canaries))
	l.measured["canaries_held_by_state"] = float64(l.held)
	return l.result(), err
}

type leaks struct {
	*verdict
	facts   Facts
	planted map[string]Canary
	prompts int // prompts that came after a canary
	held    int // canaries found where Σ holds them
}

func (l *leaks) judge(c sent) {
	if !l.after(c.Step) {
		return
	}
	l.prompts++
	for s := range c.prompt.Segments() {
		allowed := l.allowed(c, s)
		for at, text := range canariesIn(s.Text) {
			canary, ok := l.planted[text]
			if !ok || canary.Step >= c.Step {
				continue
			}
			if strings.Contains(allowed, text) && strings.Count(s.Text, text) == strings.Count(allowed, text) {
				l.held++
				continue
			}
			l.fail("step %d attempt %d: a segment of %s (steps %s) shows the canary that the %s of step %d held: %s",
				c.Step, c.Attempt, s.Kind, span(s), canary.In, canary.Step, around(s.Text, at))
		}
	}
}

// after reports whether a canary was planted before the step.
func (l *leaks) after(step int) bool {
	for _, c := range l.facts.Canaries {
		if c.Step < step {
			return true
		}
	}
	return false
}

// allowed is the part of a segment that may hold canaries of the past.
func (l *leaks) allowed(c sent, s prompt.Segment) string {
	switch s.Kind {
	case prompt.State:
		return rendering(s.Text, c.state)
	case prompt.Observation:
		if o, known := l.facts.Observations[c.Step]; !known || s.Text == o {
			return s.Text
		}
	}
	return ""
}

// rendering returns the rendering of Σ that a text holds, "" where it holds none.
func rendering(text string, o state.Object) string {
	for _, r := range []string{o.Compact(), o.Indent()} {
		if strings.Contains(text, r) {
			return r
		}
	}
	return ""
}
