package report_test

import (
	"strings"
	"testing"
)

func TestClaimsOfARun(t *testing.T) {
	t.Parallel()
	experiment := strings.NewReplacer("[table1]", "[table7]", "[10]", "[100]", "seeds: 2", "seeds: 1", "[react, memory, stateful, skillstate]", "[skillstate]",
		"[sim:perfect]", "[{sim: clumsy}]").Replace(tiny)
	rows := table(t, written(t, play(t, experiment, nil)), "tables", "claims_simulated.csv")
	sum := 0.0
	for _, id := range []string{"errors_overwrite", "errors_schema", "errors_syntax"} {
		r := row(t, rows, "claim", id)
		if r["verdict_sim:clumsy"] != "not testable with a simulated model" {
			t.Errorf("%s: got %q", id, r["verdict_sim:clumsy"])
		}
		sum += count(t, r["number_sim:clumsy"])
	}
	if sum <= 0.5 || sum > 1.000001 {
		t.Errorf("shares of patch errors sum to %f", sum)
	}
	for id, want := range map[string]string{"t7_scores": "not testable with a simulated model", "t1_flat": "not run", "significance_printed": "not reproduced"} {
		if r := row(t, rows, "claim", id); r["verdict_sim:clumsy"] != want {
			t.Errorf("%s: got %q, want %q", id, r["verdict_sim:clumsy"], want)
		}
	}
	if r := row(t, rows, "claim", "t7_scores"); r["tested_sim:clumsy"] != "1 of 16" {
		t.Errorf("t7_scores: %s cells", r["tested_sim:clumsy"])
	}
}
