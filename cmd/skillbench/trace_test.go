package main

import (
	"bytes"
	"strings"
	"testing"

	"skillbench/harness/record"
)

// TestMissed: looks and later decisions at a turn are no misses, a turn that
// ended in looks is one.
func TestMissed(t *testing.T) {
	t.Parallel()
	routed := func(r record.Routing) record.Act { return record.Act{Outcome: record.Outcome{Routing: &r}} }
	call, load := record.Route{Do: record.Call}, record.Route{Do: record.LoadOne}
	for _, c := range []struct {
		what string
		a    record.Act
		want bool
	}{
		{"right", routed(record.Routing{Got: call, Ended: true, Settled: true}), false},
		{"wrong, turn open", routed(record.Routing{Got: call}), true},
		{"second try", routed(record.Routing{Got: call, Attempt: 1}), false},
		{"look", routed(record.Routing{Got: load}), false},
		{"looked for too long", routed(record.Routing{Got: load, Ended: true}), true},
		{"nothing", routed(record.Routing{Got: record.Route{Do: record.Nothing}, Ended: true}), true},
		{"not correct", record.Act{}, true},
		{"correct", record.Act{Outcome: record.Outcome{Correct: true}}, false},
		{"a read", record.Act{Outcome: record.Outcome{Free: true}}, false},
		{"open event", record.Act{Observation: record.Observation{Free: true}}, false},
	} {
		if got := missed(c.a); got != c.want {
			t.Errorf("%s: got %t", c.what, got)
		}
	}
}

// TestTraceTellsHarm, escaped for a terminal.
func TestTraceTellsHarm(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	tr := tracer{w: &b}
	tr.executed(record.Execution{Request: "r\x1b[2J", Fault: "lost", Harms: map[record.Harm]record.Count{record.Duplicate: {N: 1, Of: 2}, record.Wasted: {Of: 3}}})
	tr.routed(record.Routing{
		Case: "c\x1b", Offered: 1, Position: 1, Ranked: []string{"a", "b\u202e"}, Ended: true, Last: true, Harm: true, Faults: []string{"missing:x"},
		Want: record.Route{Do: record.Ask, Param: "x"}, About: "a", Accept: []record.Route{{Do: record.Offer, Skill: "a", Other: "b"}}, Got: record.Route{Do: record.Call, Skill: "b"},
	})
	want := `  request: r\u001b[2J; scripted fault: lost
  harm: duplicate 1 of 2
  no harm: wasted 0 of 3
  routing: c\u001b (, ): turn 1, decision 1, 1 skill offered, the right one is number 1
  candidates: a, b\u202e
  wanted: ask x of a, or offer a b
  decided: call b; faults: missing:x; it did harm; the turn ended unsettled, the dialogue unresolved
`
	if got := b.String(); got != want || tr.err != nil {
		t.Errorf("got\n%s\nwant\n%s", strings.ReplaceAll(got, "\x1b", "ESC"), want)
	}
}
