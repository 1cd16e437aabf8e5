package routing_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
)

// Cases say of each message what was wanted and what was decided first.
func TestMessagesOfCases(t *testing.T) {
	t.Parallel()
	want := []routing.Message{
		{Wanted: "call order-status", Right: 1, Called: 1, Decided: map[string]int{"call order-status": 1}},
		{Wanted: "call return-label", Decided: map[string]int{"call exchange-item": 1}},
		{Wanted: "decline", Decided: map[string]int{"call submit-refund": 1}},
		{Wanted: "ask order_id", Right: 1, Decided: map[string]int{"ask order_id": 1}},
		{Wanted: "call submit-refund", Right: 1, Called: 1, Decided: map[string]int{"call submit-refund": 1}},
		{Wanted: "offer order-status return-label", Right: 1, Decided: map[string]int{"clarify": 1}},
	}
	var got []routing.Message
	wrong, triggered := 0, 0
	for _, c := range result(t, fiveOf(t, 1, 2, 3, 4, 5)).Groups[0].Cases {
		got = append(got, c.Messages...)
		wrong, triggered = wrong+c.WrongCalls, triggered+c.FalseTriggers
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if wrong != 2 || triggered != 1 {
		t.Errorf("%d wrong calls and %d false triggers, want 2 and 1", wrong, triggered)
	}
}

// However often a case is played, it lists five routes and the number of the rest.
func TestRoutesOfAMessageAreBounded(t *testing.T) {
	t.Parallel()
	b := routing.NewBook()
	for seed, skill := range []string{"g", "a", "b", "c", "d", "e", "f", "g", "g"} {
		r := record.Routing{Case: "c", Kind: "direct", Split: "test", Last: true, Ended: true, Offered: 10, Want: call("a"), Got: call(skill)}
		c := cell("bare", "react", "sim:keyword", 1, uint64(seed+1))
		b.Add(c, follow(t, c, record.Done, []step{{routing: &r}}))
	}
	got := result(t, b).Groups[0].Cases[0].Messages
	want := []routing.Message{{Wanted: "call a", Right: 1, Called: 1, Decided: map[string]int{"call g": 3, "call a": 1, "call b": 1, "call c": 1, "call d": 1, "(others)": 2}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHostileMessages(t *testing.T) {
	t.Parallel()
	run := result(t, rightly(t, cell("bare", "react", "sim:keyword", 1, 0), 4, 4))
	for want, change := range map[string][2]string{
		`cases: "c0": message 1: want at most as many right as the 1 plays`: {`"right":1,"called":1`, `"right":2,"called":1`},
		`and at most as many calls as right, got 1 and 3`:                   {`"right":1,"called":1`, `"right":1,"called":3`},
		`cases: "c0": wrong_calls, false_triggers: want counts, got -1`:     {`"wrong_calls":0`, `"wrong_calls":-1`},
	} {
		_, err := routing.OpenGate(file(t, run, change[0], change[1]))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
