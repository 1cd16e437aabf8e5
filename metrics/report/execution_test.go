package report_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// Every mechanism stands beside its absence, with what each count is a part of.
func TestRuntimesOfSkills(t *testing.T) {
	t.Parallel()
	dir := play(t, `
name: runtimes
tasks:
  - {name: "all <on>", task: execution}
  - {name: no ids, task: execution, options: {request_ids: false}}
  - {name: no hygiene, task: execution, options: {hygiene: false}}
agents: [react, oracle]
models: [sim:perfect]
horizons: [40]
seeds: 2
`, nil)
	out := written(t, dir)
	for _, r := range table(t, out, "tables", "execution_base_sim_perfect.csv") {
		if r["harms"] != "0" && r["harm"] != "call run again" || r["cases"] == "0" {
			t.Errorf("with all mechanisms: %v", r)
		}
	}
	rows := table(t, out, "tables", "execution_prevented_sim_perfect.csv")
	for _, want := range [][3]string{{"no ids", "react", "duplicate effect"}, {"no ids", "oracle", "duplicate effect"}, {"no hygiene", "react", "drop value in a prompt"}, {"no hygiene", "react", "now value in later prompts"}} {
		r := row(t, rows, "arm", want[0], "agent", want[1], "harm", want[2])
		n, _ := strconv.Atoi(r["harms"])
		of, _ := strconv.Atoi(r["cases"])
		share, _ := strconv.ParseFloat(r["share"], 64)
		if n < 1 || n > of || math.Abs(share-float64(n)/float64(of)) > 1e-6 || r["base_harms"] != "0" {
			t.Errorf("%v", r)
		}
	}
	for _, r := range rows {
		if r["agent"] == "oracle" && strings.Contains(r["harm"], "prompt") {
			t.Errorf("a player has no prompts: %v", r)
		}
	}
	costs := row(t, table(t, out, "tables", "execution_costs_sim_perfect.csv"), "arm", "all <on>", "agent", "react")
	if costs["n"] != "2" || costs["score"] != "1.000000" || costs["seconds"] == "" {
		t.Errorf("%v", costs)
	}
	if costs := row(t, table(t, out, "tables", "execution_costs_sim_perfect.csv"), "arm", "all <on>", "agent", "oracle"); costs["tokens"] != "" {
		t.Errorf("the oracle has no prompts: %v", costs)
	}
	if page := read(t, out, "report.html"); !strings.Contains(page, "all &lt;on&gt;") || strings.Contains(page, "all <on>") {
		t.Error("the name of a task is not escaped")
	}
	if !exists(out, "plots", "execution_react_sim_perfect.svg") {
		t.Error("no picture")
	}
}

// Strategies alike in what they let through share rows and pictures, whose bars have
// their counts; what the script decides, and what is harmless, is said.
func TestRuntimesAreSaidPlainly(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, `
name: runtimes
tasks:
  - {name: all on, task: execution}
  - {name: no result check, task: execution, options: {result_check: false}}
  - {name: no retry by class, task: execution, options: {retry_by_class: false}}
agents: [react, oracle]
models: [sim:perfect]
horizons: [60]
seeds: 2
`, nil))
	page := read(t, out, "report.md")
	for _, want := range []string{"| react, oracle | ", "Call run again: a crash", "say nothing more (no result check: false success).", "harms/cases", "execution_react_oracle_sim_perfect.png"} {
		if !strings.Contains(page, want) {
			t.Errorf("want %q in the report", want)
		}
	}
	rows := table(t, out, "tables", "execution_prevented_sim_perfect.csv")
	wasted := row(t, rows, "arm", "no retry by class", "agent", "oracle", "harm", "wasted retry")
	if picture := read(t, out, "plots", "execution_react_oracle_sim_perfect.svg"); !strings.Contains(picture, "("+wasted["harms"]+"/"+wasted["cases"]+")") {
		t.Errorf("no bar has the counts of %v", wasted)
	}
	if exists(out, "plots", "execution_oracle_sim_perfect.svg") {
		t.Error("the same picture twice")
	}
}

// The first arm's harms are shown as they are, where it has not all mechanisms, and
// so is what runs cost.
func TestFirstArmThatDoesHarm(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, `
name: runtimes
tasks: [{name: no ids, task: execution, options: {request_ids: false}}]
agents: [react]
models: [sim:perfect]
horizons: [60]
seeds: 2
`, nil))
	r := row(t, table(t, out, "tables", "execution_base_sim_perfect.csv"), "harm", "duplicate effect")
	if n, _ := strconv.Atoi(r["harms"]); n == 0 {
		t.Errorf("%v", r)
	}
	costs := table(t, out, "tables", "execution_costs_sim_perfect.csv")[0]
	for _, name := range []string{"seconds", "settled", "latency", "canceled", "replaced", "plans"} {
		if v, err := strconv.ParseFloat(costs[name], 64); err != nil || v <= 0 {
			t.Errorf("%s: %v", name, costs)
		}
	}
}

// An experiment without a runtime has no such section.
func TestNoRuntimeOfSkills(t *testing.T) {
	t.Parallel()
	if page := read(t, written(t, play(t, tiny, nil)), "report.md"); strings.Contains(page, "runtime of skills") {
		t.Error("a section about nothing")
	}
}
