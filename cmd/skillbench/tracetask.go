package main

import (
	"fmt"
	"strings"

	"skillbench/harness/record"
)

// missed reports whether a step was not right: of a routed dialogue, whether the
// first decision at a turn did not settle it, or none was made; of other steps,
// whether one that counts was not correct.
func missed(a record.Act) bool {
	if r := a.Outcome.Routing; r != nil {
		return r.Attempt == 0 && (r.Got.Do.Decides() || r.Ended) && !r.Settled
	}
	return !a.Outcome.Correct && !a.Outcome.Free && !a.Observation.Free
}

// routed writes what a step of a dialogue was to decide and what it decided.
func (t *tracer) routed(r record.Routing) {
	place := fmt.Sprintf("turn %d, decision %d, %s offered", r.Turn+1, r.Attempt+1, numbered(r.Offered, "skill"))
	if r.Position > 0 {
		place += fmt.Sprintf(", the right one is number %d", r.Position)
	}
	t.line("  routing: %s (%s, %s): %s", r.Case, r.Kind, r.Split, place)
	if r.Ranked != nil {
		t.line("  candidates: %s", orNone(strings.Join(r.Ranked, ", ")))
	}
	wanted := routeWords(r.Want)
	if r.About != "" {
		wanted += " of " + r.About
	}
	for _, also := range r.Accept {
		wanted += ", or " + routeWords(also)
	}
	t.line("  wanted: %s", wanted)
	decided := "decided"
	if !r.Got.Do.Decides() {
		decided = "looked"
	}
	t.line("  %s: %s%s", decided, routeWords(r.Got), came(r))
}

// came says what a decision came to.
func came(r record.Routing) string {
	var b strings.Builder
	if len(r.Faults) > 0 {
		b.WriteString("; faults: " + strings.Join(r.Faults, ", "))
	}
	if r.Harm {
		b.WriteString("; it did harm")
	}
	switch {
	case r.Settled:
		b.WriteString("; the turn is settled")
	case r.Ended:
		b.WriteString("; the turn ended unsettled")
	default:
		b.WriteString("; the turn is open")
	}
	if r.Last && r.Ended {
		b.WriteString(map[bool]string{true: ", the dialogue resolved", false: ", the dialogue unresolved"}[r.Resolved])
	}
	return b.String()
}

// routeWords is a route on one line: call coupon, offer a or b.
func routeWords(r record.Route) string {
	words := []string{string(r.Do)}
	for _, w := range []string{r.Skill, r.Other, r.Param} {
		if w != "" {
			words = append(words, w)
		}
	}
	return strings.Join(words, " ")
}

// executed writes what the back office saw a runtime do in a step.
func (t *tracer) executed(x record.Execution) {
	if x.Request != "" || x.Fault != "" {
		t.line("  request: %s; scripted fault: %s", orNone(x.Request), orNone(x.Fault))
	}
	var harms, clean []string
	for _, h := range record.Harms() {
		c, ok := x.Harms[h]
		text := fmt.Sprintf("%s %d of %d", h, c.N, c.Of)
		if ok && c.N > 0 {
			harms = append(harms, text)
		} else if ok {
			clean = append(clean, text)
		}
	}
	if len(harms) > 0 {
		t.line("  harm: %s", strings.Join(harms, ", "))
	}
	if len(clean) > 0 {
		t.line("  no harm: %s", strings.Join(clean, ", "))
	}
	for _, c := range []struct {
		what, of string
		record.Count
	}{
		{"plans whose place a fixed flow took", "plan", x.Replaced},
		{"calls that ended after an order to cancel", "cancellation", x.Latency},
		{"virtual milliseconds from ticket to end", "ticket", x.Settled},
	} {
		if c.Of > 0 {
			t.line("  %s: %d, of %s", c.what, c.N, numbered(c.Of, c.of))
		}
	}
}
