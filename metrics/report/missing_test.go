package report_test

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A memory whose summaries are empty loses what it folds; what it then asks for
// in vain is listed, and every wrong answer has a reason.
func TestAnEmptySummaryLosesFacts(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, strings.Replace(tiny, "[10]", "[40]", 1), func(r model.Request, reply record.Reply) (record.Reply, error) {
		if r.Purpose == record.ForSummary {
			reply.Text = ""
		}
		return reply, nil
	}))
	rows := table(t, out, "tables", "lacking.csv")
	memory := row(t, rows, "agent", "memory")
	if count(t, memory["absent"]) == 0 || count(t, memory["explained"]) == 0 {
		t.Errorf("want facts absent from memory, got %v", memory)
	}
	sum := count(t, memory["impossible"]) + count(t, memory["explained"]) + count(t, memory["unexplained"])
	if wrong := count(t, memory["wrong"]); sum != wrong {
		t.Errorf("want reasons for %g wrong answers, got %g", wrong, sum)
	}
	lost := table(t, out, "tables", "lost_memory.csv")
	if len(lost) == 0 || len(lost) > 10 {
		t.Fatalf("want 1 to 10 lost facts, got %d", len(lost))
	}
	for i, r := range lost {
		if !strings.HasPrefix(r["fact"], "item_") && !strings.HasPrefix(r["fact"], "shelf_") {
			t.Errorf("want a fact, got %q", r["fact"])
		}
		if i > 0 && count(t, r["times"]) > count(t, lost[i-1]["times"]) {
			t.Error("want the facts missed most often first")
		}
	}
	if exists(out, "tables", "lost_react.csv") {
		t.Error("react has no summary to lose facts")
	}
}

// What a model says was there but unreadable is counted apart.
func TestUnreadableIsNotAbsent(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, tiny, func(r model.Request, reply record.Reply) (record.Reply, error) {
		if r.Agent == "react" && r.Step < 3 {
			reply.Notes = map[string]string{"lacks": "item_1"}
			if r.Step == 1 {
				reply.Notes["unreadable"] = "pruned"
			}
		}
		return reply, nil
	}))
	got := row(t, table(t, out, "tables", "lacking.csv"), "agent", "react")
	if got["absent"] != "4" || got["unreadable"] != "2" || got["lucky"] != "6" {
		t.Errorf("want 4 absent, 2 unreadable, 6 of them right, got %v", got)
	}
}
