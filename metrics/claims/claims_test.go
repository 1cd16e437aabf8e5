package claims_test

import (
	"strings"
	"testing"

	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/claims"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// published is evidence that is the paper's own tables, as one seed's rows.
func published(kind string) claims.Evidence {
	e := claims.Evidence{Kind: kind, Tasks: map[string]string{"warehouse": "warehouse", "repo": "repo"}, Agents: map[string]string{}}
	for _, name := range []string{"table1", "table6"} {
		t := paper.Tables()[name]
		e.Paper = append(e.Paper, name)
		for i := range t.Rows {
			agent := t.Cell(i, "runtime").Text
			e.Agents[agent] = agent
			horizon := int(t.Cell(i, "horizon").Number)
			e.Rows = append(e.Rows, metrics.Row{
				Cell:   record.Cell{Task: t.Task, Agent: agent, World: record.Closed, Horizon: horizon, Seed: 1},
				Status: record.Done, Actionable: 1000, Correct: stats.Of(1000 * t.Cell(i, "score").Number),
				PromptCharsMean: stats.Of(t.Cell(i, "prompt").Number), PromptTokens: int(t.Cell(i, "tokens").Number),
			})
		}
	}
	return e
}

func test(t *testing.T, e claims.Evidence) map[string]claims.Result {
	t.Helper()
	out := map[string]claims.Result{}
	for _, c := range claims.Shipped() {
		out[c.ID] = c.Test(e)
	}
	return out
}

// The paper's own figures bear out what it says of them, but for what its
// oddities contradict.
func TestThePaperOnItself(t *testing.T) {
	t.Parallel()
	got := test(t, published(record.Real))
	if n := len(got); n < 38 || n > 60 {
		t.Errorf("%d claims", n)
	}
	for id, want := range map[string]claims.Verdict{
		"t1_skillstate_score": claims.Reproduced, "t1_scores": claims.Reproduced, "t1_prompts": claims.Reproduced, "t1_totals": claims.Reproduced,
		"t1_flat": claims.Reproduced, "t1_linear_total": claims.Reproduced, "t1_quadratic_total": claims.NotReproduced, "t1_cheapest": claims.Reproduced,
		"t1_ratio": claims.Reproduced, "t1_ratio_printed": claims.Reproduced, "t1_best": claims.Reproduced, "t1_react_falls": claims.Reproduced,
		"t6_scores": claims.Reproduced, "t6_flat": claims.Reproduced, "t6_best": claims.Reproduced,
		"significance": claims.NotRun, "significance_printed": claims.NotReproduced, "t2_printed": claims.NotReproduced, "t6_printed": claims.NotReproduced,
		"t2_scores": claims.NotRun, "t4_ctf": claims.NotRun, "t3_at_once": claims.NotRun, "errors_schema": claims.NotRun,
	} {
		if r := got[id]; r.Verdict != want {
			t.Errorf("%s: got %q with %v at %s, want %q", id, r.Verdict, r.Number, r.At, want)
		}
	}
	if r := got["t1_skillstate_score"]; r.Number.V != 0.94 || r.At != "skillstate, T=100" || r.Wanted != "≥ 0.94" || r.Cells != 5 {
		t.Errorf("got %+v", r)
	}
	if r := got["significance_printed"]; r.Number.V != 0.0625 {
		t.Errorf("got %v, want 0.0625", r.Number)
	}
}

func TestSimulatedModelsDecideNoScore(t *testing.T) {
	t.Parallel()
	got := test(t, published(record.Simulated))
	for id, want := range map[string]claims.Verdict{
		"t1_scores": claims.NotTestable, "t1_flat": claims.Reproduced, "t1_ratio_printed": claims.Reproduced, "significance_printed": claims.NotReproduced,
	} {
		if got[id].Verdict != want {
			t.Errorf("%s: got %q, want %q", id, got[id].Verdict, want)
		}
	}
	if r := got["t1_ratio"]; r.Verdict != claims.NotTestable || !r.Number.OK {
		t.Errorf("t1_ratio: want a number all the same, got %+v", r)
	}
}

// Part of the cells decides against a claim, not for it.
func TestPartsOfATable(t *testing.T) {
	t.Parallel()
	e := published(record.Real)
	e.Rows = e.Rows[:8] // T = 10 and 25
	got := test(t, e)
	if r := got["t1_scores"]; r.Verdict != claims.NotRun || r.Tested != 8 || r.Cells != 20 {
		t.Errorf("got %+v", r)
	}
	e.Rows[0].Correct = stats.Of(100)
	if r := test(t, e)["t1_scores"]; r.Verdict != claims.NotReproduced || r.Number.V != 0.1 || r.At != "react, T=10, published 0.9" {
		t.Errorf("got %+v", r)
	}
	e.Paper = []string{"table6"}
	if r := test(t, e)["t1_scores"]; r.Verdict != claims.NotRun || r.Tested != 0 {
		t.Errorf("an experiment on another table: got %+v", r)
	}
}

// Six seeds whose differences all have one sign reach 2/2⁶.
func TestPermutation(t *testing.T) {
	t.Parallel()
	list, err := claims.Parse("c.yaml", []byte(`claims: [{id: x, says: y, where: table1, decides: any, of: {measure: score, task: warehouse, agents: react, horizons: 50}, over: {agents: skillstate}, as: p, at_most: 0.04}]`))
	if err != nil {
		t.Fatal(err)
	}
	e := claims.Evidence{Paper: []string{"table1"}, Tasks: map[string]string{"w": "warehouse"}, Agents: map[string]string{"react": "react", "skillstate": "skillstate", "variant": "react"}}
	for seed := range 6 {
		for agent, correct := range map[string]float64{"react": 40 + float64(seed), "skillstate": 49, "variant": 0} {
			e.Rows = append(e.Rows, metrics.Row{Cell: record.Cell{Task: "w", Agent: agent, World: record.Closed, Horizon: 50, Seed: uint64(seed)}, Status: record.Done, Actionable: 50, Correct: stats.Of(correct)})
		}
	}
	if r := list[0].Test(e); r.Verdict != claims.Reproduced || r.Number.V != 0.03125 {
		t.Errorf("got %+v", r)
	}
}

func TestRecoveryAndShares(t *testing.T) {
	t.Parallel()
	row := func(agent, drift string, r metrics.Recovery) metrics.Row {
		return metrics.Row{Cell: record.Cell{Task: "warehouse", Agent: agent, World: record.Closed, Horizon: 50, Drift: drift, Seed: 1}, Status: record.Done, Actionable: 50, Recovery: r}
	}
	e := claims.Evidence{Kind: record.Real, Paper: []string{"table3", "table7"}, Tasks: map[string]string{"warehouse": "warehouse"}, Agents: map[string]string{}}
	for _, a := range []string{"react", "memory", "stateful", "skillstate"} {
		e.Agents[a] = a
		e.Rows = append(e.Rows, row(a, "canceled_order", metrics.Recovery{Drifts: 5}))
		for _, d := range []string{"secret_audit", "secret_barcode", "secret_move"} {
			steps := 6.0
			if a == "skillstate" {
				steps = 0
			}
			e.Rows = append(e.Rows, row(a, d, metrics.Recovery{Drifts: 5, Recovered: stats.Of(5), Steps: stats.Of(steps)}))
		}
	}
	e.Rows = append(e.Rows, metrics.Row{Cell: record.Cell{Task: "warehouse", Agent: "skillstate", World: record.Closed, Horizon: 100, Seed: 1}, Status: record.Done, Actionable: 100})
	e.Share = func(cells []record.Cell, bucket string) stats.Value {
		return stats.Of(map[string]float64{"overwrite_deletion": 0.7, "schema": 0.5, "syntax": 0.1}[bucket])
	}
	got := test(t, e)
	for id, want := range map[string]claims.Verdict{
		"t3_at_once": claims.Reproduced, "t3_history": claims.Reproduced, "t3_all": claims.Reproduced, "t3_none": claims.Reproduced,
		"errors_overwrite": claims.Reproduced, "errors_schema": claims.NotReproduced, "errors_syntax": claims.Reproduced,
	} {
		if got[id].Verdict != want {
			t.Errorf("%s: got %+v, want %q", id, got[id], want)
		}
	}
}

const goodClaim = `claims:
  - id: x
    says: y
    where: table1
    decides: any
    of: {measure: score, task: warehouse, agents: react, horizons: 50}
    near: {published: true, within: 0.1}
`

func TestHostileClaims(t *testing.T) {
	t.Parallel()
	if _, err := claims.Parse("c.yaml", []byte(goodClaim)); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string][2]string{
		"c.yaml:4: where: want a table of the paper":               {"table1", "table99"},
		"c.yaml:5: decides: want any or real, got \"me\"":          {"any", "me"},
		"c.yaml:6: of.measure: want one of":                        {"score", "luck"},
		"c.yaml:6: of.horizons: want positive numbers":             {"horizons: 50", "horizons: -50"},
		"c.yaml:6: of.task: want task, agents and horizons":        {", horizons: 50", ""},
		"c.yaml:6: horizons: want a whole number":                  {"horizons: 50", "horizons: many"},
		"c.yaml:7: near: want a tolerance above 0":                 {"within: 0.1", "within: 0"},
		"c.yaml:7: near: want either published or a value":         {"published: true", "published: false"},
		"c.yaml:7: near.published: table1 has no score for nobody": {"agents: react", "agents: nobody"},
		"c.yaml:8: at_least: want a number":                        {"within: 0.1}\n", "within: 0.1}\n    at_least: NaN\n"},
		"c.yaml:7: near: it stands alone":                          {"within: 0.1}\n", "within: 0.1}\n    at_least: 1\n"},
		"c.yaml:8: as: p needs over":                               {"within: 0.1}\n", "within: 0.1}\n    as: p\n"},
		"c.yaml:8: as: want ratio, difference":                     {"within: 0.1}\n", "within: 0.1}\n    as: magic\n"},
		"c.yaml:8: over.agents: want one of each":                  {"within: 0.1}\n", "within: 0.1}\n    over: {agents: [a, b]}\n"},
		"c.yaml:8: formula: unknown key":                           {"within: 0.1}\n", "within: 0.1}\n    formula: 1+1\n"},
		"c.yaml:6: of: want either cells or audit":                 {"within: 0.1}\n", "within: 0.1}\n    audit: headline\n"},
		"c.yaml:8: id: x stands twice":                             {"within: 0.1}\n", "within: 0.1}\n" + strings.TrimPrefix(goodClaim, "claims:\n")},
		"c.yaml:2: at_least: want at_least, at_most or near":       {"    near: {published: true, within: 0.1}\n", ""},
		"c.yaml:6: audit: the arithmetic on the published tables":  {"    of: {measure: score, task: warehouse, agents: react, horizons: 50}\n    near: {published: true, within: 0.1}", "    audit: nothing\n    at_most: 1"},
	} {
		text := strings.Replace(goodClaim, change[0], change[1], 1)
		if _, err := claims.Parse("c.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s…\n%s", err, want, text)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(goodClaim)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := claims.Parse("c.yaml", []byte(text))
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of more than one line: %q", err)
		}
		for _, c := range list {
			c.Test(claims.Evidence{})
		}
	})
}
