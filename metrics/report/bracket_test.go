package report_test

import (
	"strconv"
	"strings"
	"testing"
)

func numberIn(t *testing.T, row map[string]string, column string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(row[column], 64)
	if err != nil {
		t.Fatalf("%s of %v: %v", column, row, err)
	}
	return v
}

func TestWhatContextsLose(t *testing.T) {
	t.Parallel()
	dir := play(t, `
name: controls
paper: [table11]
tasks: [warehouse]
agents: [react, memory, truncated, summary_capped, llmlingua, masked, compacted, skillstate, hybrid]
models:
  - {name: abstains, sim: perfect, guess: abstain, verbosity: {"": 300}}
  - {name: guesses, sim: perfect, verbosity: {"": 300}}
  - {name: other, sim: perfect}
horizons: [10, 25]
seeds: 3
`, nil)
	out := written(t, dir)
	lossless := map[string]bool{"react": true, "memory": true, "masked": true, "compacted": true, "skillstate": true, "hybrid": true, "summary_capped": true}
	rows := table(t, out, "tables", "context_loss_abstains.csv")
	if len(rows) != 18 {
		t.Fatalf("%d rows, want one for each agent and horizon", len(rows))
	}
	for _, r := range rows {
		lost := numberIn(t, r, "absent") + numberIn(t, r, "unreadable") + numberIn(t, r, "unnoticed")
		low, high := numberIn(t, r, "abstain"), numberIn(t, r, "guess")
		if lossless[r["agent"]] != (lost == 0) || lossless[r["agent"]] != (low == 1) || low > high {
			t.Errorf("%s at T=%s: from %g to %g, lost %g", r["agent"], r["horizon"], low, high, lost)
		}
		if unreadable := numberIn(t, r, "unreadable"); (r["agent"] == "llmlingua") != (unreadable > 0) {
			t.Errorf("%s at T=%s: %g unreadable", r["agent"], r["horizon"], unreadable)
		}
		if r["agent"] == "truncated" && r["horizon"] == "25" && r["paper_table11_score"] != "0.620000" {
			t.Errorf("the published figure is missing: %v", r)
		}
	}
	for _, r := range table(t, out, "tables", "lost_by_age_abstains.csv") {
		if r["agent"] == "truncated" && r["age"] == "0–1" && numberIn(t, r, "share") != 0 || r["agent"] == "truncated" && r["age"] == "5–9" && numberIn(t, r, "share") != 1 {
			t.Errorf("truncation must lose old facts and no new ones: %v", r)
		}
	}
	for _, r := range table(t, out, "tables", "within_budget_abstains.csv") {
		if over := numberIn(t, r, "over"); r["cut"] == "yes" && over != 0 || r["agent"] == "react" && over == 0 {
			t.Errorf("%s at T=%s exceeds the budget by %g", r["agent"], r["horizon"], over)
		}
	}
	for _, r := range table(t, out, "tables", "against_abstains.csv") {
		if summary := numberIn(t, r, "summary"); strings.Contains("memory summary_capped", r["agent"]) != (summary > 0) && r["agent"] != "compacted" {
			t.Errorf("%s at T=%s: %g tokens of summary calls", r["agent"], r["horizon"], summary)
		}
	}
}
