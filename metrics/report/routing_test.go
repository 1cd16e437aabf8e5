package report_test

import (
	"fmt"
	"os"
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
	never := row(t, decisions, "agent", "always_none")
	near(t, "kappa of one constant decision", never["kappa"], 0)
	if never["called_when_wanted"] != "0.000000" || never["macro_f1"] >= "0.1" || never["accuracy"] <= "0.05" {
		t.Errorf("always_none does not look bad beside its accuracy: %v", never)
	}
	if oracle := row(t, decisions, "agent", "oracle"); oracle["kappa"] != "1.000000" || oracle["score"] != "1.000000" {
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

// Published figures stand in a table of their own.
func TestPublishedFiguresOfRoutingStandApart(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, strings.Replace(desk, "seeds: 10", "seeds: 2", 1), nil))
	tables, err := filepath.Glob(filepath.Join(out, "tables", "routing_*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	with := 0
	for _, path := range tables {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "18.6") {
			with++
			if filepath.Base(path) != "routing_published.csv" {
				t.Errorf("%s has published figures", filepath.Base(path))
			}
		}
	}
	if with != 1 || len(tables) < 10 {
		t.Errorf("%d of %d tables have published figures", with, len(tables))
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
