package report_test

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// Of three seeds one ends in an error at step 4, one overflows at step 6 after
// a wait at step 0, one is played to its end.
func TestBothDenominators(t *testing.T) {
	t.Parallel()
	experiment := strings.NewReplacer("seeds: 2", "seeds: 3", "react, memory, stateful, skillstate", "react").Replace(tiny)
	spent := 70
	dir := play(t, experiment, func(r model.Request, reply record.Reply) (record.Reply, error) {
		switch {
		case r.Seed == 1 && r.Step == 4:
			failed := []record.Failure{{Class: "timeout"}, {Class: "timeout", Usage: &record.Usage{Prompt: &spent}}}
			return reply, &model.Error{Class: "transient", Message: "no answer", Failed: failed}
		case r.Seed == 2 && r.Step == 0:
			reply.Text = "Action: Wait"
		case r.Seed == 2 && r.Step == 6:
			reply.Finish = record.Overflow
		}
		return reply, nil
	})
	out := written(t, dir)

	status := table(t, out, "tables", "cells.csv")
	for name, want := range map[string]string{"done": "1", "context_overflow": "1", "failed:transient": "1"} {
		if got := row(t, status, "status", name)["cells"]; got != want {
			t.Errorf("%s: want %s, got %s", name, want, got)
		}
	}
	got := row(t, table(t, out, "tables", "denominators.csv"), "agent", "react")
	// Overflow: of steps 1 to 5 all are right but one, which asks for the item
	// that was not stored at step 0. Failed: steps 0 to 3. Done: all 10.
	for column, want := range map[string]string{
		"planned": "3", "results": "2", "score": "0.700000", "score_planned": "0.466667", "played": "20", "score_played": "0.900000",
	} {
		if got[column] != want {
			t.Errorf("%s: want %s, got %s", column, want, got[column])
		}
	}
	if page := read(t, out, "report.md"); !strings.Contains(page, "2 of 3 planned cells have a result. Those without one (1)") {
		t.Error("want the counts in words")
	}
	failures := row(t, table(t, out, "tables", "failures.csv"), "class", "timeout")
	if failures["attempts"] != "2" || failures["known"] != "1" || failures["tokens"] != "70" {
		t.Errorf("failures: %v", failures)
	}
	scores := row(t, table(t, out, "tables", "scores.csv"), "agent", "react")
	if scores["n"] != "2" || scores["score"] != "0.700000" {
		t.Errorf("scores: want the mean over results, got %v", scores)
	}
}

func TestACellThatHasNotBegunIsCounted(t *testing.T) {
	t.Parallel()
	dir := play(t, strings.Replace(tiny, "seeds: 2", "seeds: 1", 1), func(r model.Request, reply record.Reply) (record.Reply, error) {
		if r.Agent == "memory" {
			return reply, &model.Error{Class: "limit:calls", Message: "enough", Measured: "3 calls"}
		}
		return reply, nil
	})
	out := written(t, dir)
	planned, results := 0, 0
	for _, r := range table(t, out, "tables", "cells.csv") {
		switch r["status"] {
		case "done":
			results++
		case "limit:calls":
			if !strings.Contains(r["example"], "3 calls") {
				t.Errorf("want the measured value, got %q", r["example"])
			}
		}
		planned++
	}
	if planned < 2 || results > 1 {
		t.Errorf("want several kinds of status, got %d", planned)
	}
}
