package engine_test

import (
	"testing"

	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

// Events that come behind a later one, and those that have not come when their
// ticket is over, are out of order, each once.
func TestDisorder(t *testing.T) {
	t.Parallel()
	events := func(numbers ...int) (list []engine.Event) {
		for _, n := range numbers {
			list = append(list, engine.Event{Ticket: "task_1", Number: n})
		}
		return list
	}
	for name, c := range map[string]struct {
		first, second []engine.Event // that two steps take
		want          record.Count
	}{
		"in order":         {events(1, 2), events(3, 4), record.Count{N: 0, Of: 4}},
		"late in one step": {events(2, 1), events(3, 4), record.Count{N: 1, Of: 4}},
		"late by a step":   {events(1, 3), events(2, 4), record.Count{N: 1, Of: 4}},
		"lost":             {events(1), events(3, 4), record.Count{N: 1, Of: 4}},
		"lost at the end":  {events(1, 2), nil, record.Count{N: 2, Of: 4}},
		"lost and late":    {events(2), events(4, 3), record.Count{N: 2, Of: 4}},
	} {
		w := engine.NewWatch()
		got := w.Disorder(c.first, []engine.Beat{{Ticket: "task_1", Last: 2}})
		got = got.Plus(w.Disorder(c.second, []engine.Beat{{Ticket: "task_1", Last: 4, Over: true}}))
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
