package patcherr_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"skillbench/harness/record"
	"skillbench/harness/transition"
	"skillbench/metrics/patcherr"
)

// episode has one attempt at each step, with the classes given as findings.
func episode(model string, seed uint64, classes ...string) patcherr.Episode {
	e := patcherr.Episode{Stateful: true, FirstDiverged: -1, Status: record.Done, Steps: len(classes), Correct: len(classes),
		Cell: record.Cell{ID: fmt.Sprint(model, seed), Task: "t", Agent: "a", Model: model, ModelKind: record.Simulated, World: record.Closed, Horizon: len(classes), Seed: seed}}
	for i, class := range classes {
		a := patcherr.Attempt{Step: i, Accepted: true, Judged: true, True: true, Tokens: 10}
		if class != patcherr.None {
			a.Findings = []patcherr.Finding{{Step: i, Class: class}}
		}
		e.Attempts = append(e.Attempts, a)
	}
	return e
}

func repeat(n int, class string) []string {
	return strings.Split(strings.Repeat(class+" ", n-1)+class, " ")
}

func TestRatesHaveThreeDenominators(t *testing.T) {
	t.Parallel()
	e := episode("m", 1, transition.JSONSyntax, patcherr.None, patcherr.None, patcherr.Overwrite)
	again := e.Attempts[0]
	again.Attempt = 1
	e.Attempts = append(e.Attempts[:1:1], append([]patcherr.Attempt{again}, e.Attempts[1:]...)...)
	g := patcherr.Groups([]patcherr.Episode{e, episode("m", 2, patcherr.None, patcherr.None)})[0]
	r := g.Rate(patcherr.First, patcherr.OfClass(transition.JSONSyntax))
	if r.Attempts.K != 2 || r.Attempts.N != 7 || r.Steps.K != 1 || r.Steps.N != 6 || r.Episodes.K != 1 || r.Episodes.N != 2 || r.Onsets != 2 {
		t.Errorf("%+v", r)
	}
	if s := g.Share(patcherr.First, patcherr.Syntax); s.K != 2 || s.N != 3 {
		t.Errorf("share %d of %d", s.K, s.N)
	}
	if a := g.Totals(); a.Retries != 1 || a.RetryTokens != 10 || a.Tokens != 70 {
		t.Errorf("%+v", a)
	}
}

func TestModelsAreComparedSeedBySeed(t *testing.T) {
	t.Parallel()
	var all []patcherr.Episode
	for seed := range uint64(10) {
		all = append(all, episode("worse", seed, append(repeat(3+int(seed%2), patcherr.Overwrite), repeat(6-int(seed%2), patcherr.None)...)...), episode("better", seed, repeat(9, patcherr.None)...))
	}
	r := patcherr.NewReport(all)
	for _, c := range r.Comparisons {
		if c.What != "any" && c.What != string(patcherr.Overwrote) {
			if c.Adjusted.OK {
				t.Errorf("%s: p %v where neither has any", c.What, c.Adjusted)
			}
			continue
		}
		// 10 differences of one sign: 2 of 1024 patterns; Holm doubles for the two tests.
		if p := c.Paired.Permutation.P.V; p != 2.0/1024 || c.Adjusted.V != 4.0/1024 || c.Paired.Difference.V < 0.3 {
			t.Errorf("%s: p %v, adjusted %v, difference %v", c.What, p, c.Adjusted.V, c.Paired.Difference.V)
		}
	}
	if len(r.Comparisons) != 5 {
		t.Errorf("%d comparisons, want any and four kinds", len(r.Comparisons))
	}
	if other := patcherr.NewReport(append(all, episode("better", 3, patcherr.None))); len(other.Comparisons) != 0 {
		t.Errorf("%d comparisons of unlike horizons", len(other.Comparisons))
	}
}

func TestCostIsTeacherAgainstClosed(t *testing.T) {
	t.Parallel()
	var all []patcherr.Episode
	for seed := range uint64(6) {
		closed := episode("m", seed, patcherr.Overwrite, patcherr.None, patcherr.None, patcherr.None)
		closed.Correct = 2
		teacher := episode("m", seed, patcherr.Overwrite, patcherr.None, patcherr.None, patcherr.None)
		teacher.Cell.World = record.Teacher
		all = append(all, closed, teacher)
	}
	costs := patcherr.NewReport(all).Costs
	if len(costs) != 1 || costs[0].Score.Difference.V != 0.5 || costs[0].PerError.V != 2 {
		t.Errorf("%+v", costs)
	}
}

func TestHostileNamesStayInTheirCells(t *testing.T) {
	t.Parallel()
	e := episode("m\x1b[31m|\n`<script>`", 1, patcherr.Overwrite)
	e.Attempts[0].Findings[0].Hint = "a,\"b\"\nc"
	r := patcherr.NewReport([]patcherr.Episode{e})
	var text, md, table, findings bytes.Buffer
	for _, err := range []error{r.Text(&text), r.Markdown(&md), r.CSV(&table), r.Findings(&findings)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"\x1b", "<script", "[31m|"} {
		if strings.Contains(md.String(), bad) {
			t.Errorf("errors.md holds %q", bad)
		}
	}
	if strings.Contains(text.String(), "\x1b") || strings.Contains(text.String(), "|\n`") {
		t.Errorf("the text holds control characters:\n%s", text.String())
	}
	for _, b := range []*bytes.Buffer{&table, &findings} {
		if _, err := csv.NewReader(b).ReadAll(); err != nil {
			t.Error(err)
		}
	}
	for _, format := range []string{"png", "svg"} {
		if _, err := r.Shares().Render(format); err != nil {
			t.Error(err)
		}
		if _, err := r.Rates().Render(format); err != nil {
			t.Error(err)
		}
	}
}

func TestManyGroupsFitTheCharts(t *testing.T) {
	t.Parallel()
	var all []patcherr.Episode
	for i := range 70 {
		all = append(all, episode(fmt.Sprint("m", i), 1, patcherr.Overwrite, patcherr.None))
	}
	if _, err := patcherr.NewReport(all).Shares().Render("svg"); err != nil {
		t.Error(err)
	}
}
