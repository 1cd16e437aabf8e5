package report_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/metrics/report"
	"skillbench/metrics/routing"
)

const desk = `
name: desk
tasks:
  - {name: bare, task: routing, options: {arm: bare_tools}}
  - {name: lazy, task: routing, options: {arm: lazy_catalogue}}
  - {name: lazy_40, task: routing, options: {arm: lazy_catalogue, skills: 40}}
agents: [react, always_none, bm25, oracle]
models: [{name: picker, sim: keyword}]
horizons: [3]
seeds: 10
`

// Calls of a poisoned skill stand in a table of their own, where there is one.
func TestPoisonedSkillIsCounted(t *testing.T) {
	t.Parallel()
	dir := play(t, strings.NewReplacer("arm: bare_tools", "arm: bare_tools, poison: true", "seeds: 10", "seeds: 4").Replace(desk), nil)
	r, err := report.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	shown := table(t, out, "tables", "routing_poisoned.csv")
	for _, g := range r.Routing().Groups {
		p := g.Rates[routing.PoisonedCalls]
		if (p.N > 0) != (g.Task == "bare") {
			t.Errorf("%s: %d messages with a poisoned skill", g.Key, p.N)
		}
		if p.N > 0 && row(t, shown, "arm", g.Task, "agent", g.Agent)["poisoned_calls_counts"] != fmt.Sprintf("%d/%d", p.K, p.N) {
			t.Errorf("%s: %d/%d is not shown: %v", g.Key, p.K, p.N, shown)
		}
	}
	if page := read(t, out, "report.md"); strings.Count(page, "Calls of the poisoned skill") != 1 {
		t.Error("the table is not in the report")
	}
}

// The tables of the section show what routing.json has, and that is what
// cells.csv has where both count the same.
func TestRoutingSection(t *testing.T) {
	t.Parallel()
	dir := play(t, desk, nil)
	r, err := report.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	if len(r.Routing().Groups) != 12 {
		t.Fatalf("%d groups, want 3 arms of 4 agents", len(r.Routing().Groups))
	}
	five, decisions := table(t, out, "tables", "routing_five.csv"), table(t, out, "tables", "routing_decisions.csv")
	for _, g := range r.Routing().Groups {
		correct := 0.0
		for _, c := range r.Rows() {
			if c.Cell.Task == g.Task && c.Cell.Agent == g.Agent {
				correct += c.Correct.V
			}
		}
		if got := g.Rates["score"]; got.N != 30 || got.K != int(correct) {
			t.Errorf("%s: score %d of %d, cells.csv has %v of 30", g.Key, got.K, got.N, correct)
		}
		if g.Agent == "react" {
			shown := row(t, five, "arm", g.Task, "agent", g.Agent)
			p := g.Rates[routing.WrongTool]
			near(t, "wrong-tool calls", shown["wrong_tool"], p.Share.V)
			near(t, "context tokens", shown["context_tokens"], g.Means[routing.ContextTokens].Ratio.V)
			if shown["wrong_tool_counts"] != fmt.Sprintf("%d/%d", p.K, p.N) {
				t.Errorf("counts: got %s", shown["wrong_tool_counts"])
			}
		}
	}
	never := row(t, decisions, "arm", "lazy", "agent", "always_none")
	near(t, "kappa of one constant decision", never["kappa"], 0)
	if never["called_when_wanted"] != "0.000000" || never["macro_f1"] >= "0.1" || never["accuracy"] <= "0.05" {
		t.Errorf("always_none does not look bad beside its accuracy: %v", never)
	}
	if oracle := row(t, decisions, "arm", "bare", "agent", "oracle"); oracle["kappa"] != "1.000000" || oracle["score"] != "1.000000" {
		t.Errorf("oracle: %v", oracle)
	}
	page := read(t, out, "report.md")
	for _, want := range []string{"## Routing", "a mechanism and no evidence", "plots/routing_sizes_react.svg", "plots/routing_confusion_bare.png", "not testable with a simulated model", "One author, one system"} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in the report", want)
		}
	}
	if !exists(out, "plots", "routing_fifths_react.svg") || strings.Contains(page, "is not drawn") {
		t.Error("a picture is missing")
	}
}

// Published figures stand in columns of their own, which say so, and nowhere else.
func TestPublishedFiguresOfRoutingStandApart(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, strings.Replace(desk, "seeds: 10", "seeds: 2", 1), nil))
	tables, err := filepath.Glob(filepath.Join(out, "tables", "routing_*.csv"))
	if err != nil || len(tables) < 10 {
		t.Fatal(tables, err)
	}
	with := 0
	for _, path := range tables {
		for _, r := range table(t, path) {
			for key, field := range r {
				if field == "18.600000" {
					with++
					if filepath.Base(path) != "routing_glance.csv" || key != "published_bare" {
						t.Errorf("%s has a published figure under %s", filepath.Base(path), key)
					}
				}
			}
		}
	}
	if with != 1 {
		t.Errorf("%d fields have the published figure", with)
	}
}

// The first table answers for one agent whether the library beats bare tools, with
// the counts of routing.json and the verdicts of its intervals.
func TestGlanceAtRouting(t *testing.T) {
	t.Parallel()
	dir := play(t, strings.Replace(desk, "[react, always", "[stateful, react, always", 1), nil)
	r, err := report.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	rows := table(t, out, "tables", "routing_glance.csv")
	if len(rows) != 5 {
		t.Fatalf("%d rows, want the five measures", len(rows))
	}
	seen := map[string]bool{}
	for i, c := range r.Routing().Published[:5] {
		low, high, lower := c.Interval.Low.V, c.Interval.High.V, c.Measure != routing.FirstContact
		want := "undecided"
		if low > 0 || high < 0 {
			want = map[bool]string{true: "better", false: "worse"}[lower == (high < 0)]
		}
		seen[want] = true
		if c.Bare.Agent != "stateful" || c.Library.Task != "lazy" || rows[i]["here"] != want || rows[i]["verdict"] != string(c.Verdict) {
			t.Errorf("%s: want %s, %s, got %v", c.Measure, want, c.Verdict, rows[i])
		}
		near(t, c.Measure, rows[i]["difference"], c.Difference.V)
		near(t, c.Measure, rows[i]["here_lazy"], c.OursLibrary.V)
	}
	if len(seen) < 2 || rows[4]["here_bare_counts"] == "" {
		t.Errorf("only %v, %v", seen, rows[4])
	}
	page := read(t, out, "report.md")
	if glance, rest := strings.Index(page, "Does a library beat bare tools? The five published measures, stateful, picker"), strings.Index(page, "routing_five"); glance < 0 || rest < glance {
		t.Error("the answer does not stand first")
	}
}

func TestNoRoutingNoSection(t *testing.T) {
	t.Parallel()
	r, err := report.Build(filepath.Join("testdata", "tiny"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Routing() != nil || strings.Contains(string(r.Markdown()), "Routing") {
		t.Error("a section on nothing")
	}
}
