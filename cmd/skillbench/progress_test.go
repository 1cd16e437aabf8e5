package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// told is what progress says of some events, a second apart.
func told(t *testing.T, form string, cells []record.Cell, currency func(record.Cell) string, events ...any) string {
	t.Helper()
	var out bytes.Buffer
	now := time.Unix(1e9, 0)
	s := system{stderr: &out, now: func() time.Time { return now }}
	p := newProgress(s, form, cells, func(c record.Cell, _ journal.Call) (float64, string) { return 0.25, currency(c) })
	for _, e := range events {
		now = now.Add(time.Second)
		switch e := e.(type) {
		case harness.Event:
			p.event(e)
		case string:
			p.say(e)
		}
	}
	p.close()
	return out.String()
}

func TestProgressAsJSON(t *testing.T) {
	t.Parallel()
	a, b := record.Cell{ID: "a", Horizon: 20, Model: "x"}, record.Cell{ID: "b", Horizon: 20, Model: "y"}
	call := func(c record.Cell) harness.Event {
		return harness.Event{Cell: c, Live: true, Call: &journal.Call{Purpose: record.ForStep, Tokens: 90, Completion: 10}}
	}
	events := []any{harness.Event{Cell: a, Begun: true}}
	for range 20 {
		events = append(events, call(a))
	}
	events = append(events, "rate limit: next call in 2s",
		harness.Event{Cell: a, End: &journal.End{Status: record.Done}},
		harness.Event{Cell: b, Begun: true}, call(b),
		harness.Event{Cell: b, End: &journal.End{Status: "failed:transient"}})
	for name, c := range map[string]struct {
		currency func(record.Cell) string
		want     status
	}{
		"one currency": {func(record.Cell) string { return "USD" }, status{Money: new(5.25), Currency: "USD"}},
		"two":          {func(c record.Cell) string { return "CUR" + c.Model }, status{}},
		"no price":     {func(record.Cell) string { return "" }, status{}},
	} {
		lines := strings.Split(strings.TrimSpace(told(t, jsonProgress, []record.Cell{a, b}, c.currency, events...)), "\n")
		var last, amid progressLine
		var notices []string
		for i, line := range lines {
			var l progressLine
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			switch {
			case l.Notice != "":
				notices = append(notices, l.Notice)
			case i == 21:
				amid = l
			default:
				last = l
			}
		}
		c.want.Cells, c.want.Done, c.want.Failed, c.want.Tokens, c.want.ETA = 2, 1, 1, 2100, new(23.5)
		if d := cmp.Diff(&c.want, last.Progress); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if amid.Progress == nil || amid.Progress.Running != 1 || amid.Progress.Done != 0 {
			t.Errorf("%s: amid %+v", name, amid.Progress)
		}
		if d := cmp.Diff([]string{"rate limit: next call in 2s"}, notices); d != "" {
			t.Error(d)
		}
	}
}

func TestProgressAsLines(t *testing.T) {
	t.Parallel()
	c := record.Cell{ID: "a", Horizon: 40}
	events := []any{harness.Event{Cell: c, Begun: true}}
	for range 20 {
		events = append(events, harness.Event{Cell: c, Live: true, Call: &journal.Call{Purpose: record.ForStep, Tokens: 1}})
	}
	want := "0/1 cells, 1 running, 0 failed, 9 tokens, 2.25 USD\n0/1 cells, 1 running, 0 failed, 19 tokens, 4.75 USD\n"
	if got := told(t, "", []record.Cell{c}, func(record.Cell) string { return "USD" }, events...); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
