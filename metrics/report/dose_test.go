package report_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/metrics/report"
)

// tableNamed finds a table of a document.
func tableNamed(t *testing.T, r *report.Report, name string) *report.Table {
	t.Helper()
	var names []string
	for _, b := range r.Blocks {
		if table, ok := b.(*report.Table); ok {
			if table.Name == name {
				return table
			}
			names = append(names, table.Name)
		}
	}
	t.Fatalf("no table %s among %q", name, names)
	return nil
}

// column lists the values of a column, as readers and files have them.
func column(t *testing.T, table *report.Table, key string) []report.Cell {
	t.Helper()
	i := slices.IndexFunc(table.Columns, func(c report.Column) bool { return c.Key == key })
	if i < 0 {
		t.Fatalf("%s has no column %s", table.Name, key)
	}
	var cells []report.Cell
	for _, row := range table.Rows {
		cells = append(cells, row[i])
	}
	return cells
}

func numbersOf(cells []report.Cell) (all []float64) {
	for _, c := range cells {
		all = append(all, c.Value.V)
	}
	return all
}

func build(t *testing.T, experiment string) *report.Report {
	t.Helper()
	r, err := report.Build(play(t, experiment, nil))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDosesJoinWhatDiffersInStrengthAlone(t *testing.T) {
	t.Parallel()
	r := build(t, `
name: dose
paper: [table3]
tasks: [warehouse]
agents: [react, skillstate]
models:
  - {sim: perfect, restates: true}
  - {name: strong, sim: anchored, strength: 0.9, restates: true}
  - {name: weak, sim: anchored, strength: 0, restates: true}
  - {name: silent, sim: anchored, strength: 0.5}
horizons: [50]
drifts: [secret_move, canceled_order]
seeds: 1
`)
	dose := tableNamed(t, r, "dose_anchored_warehouse_secret_move")
	if diff := cmp.Diff([]float64{0, 0.9}, numbersOf(column(t, dose, "strength"))); diff != "" {
		t.Errorf("strengths: %s", diff)
	}
	if lag := numbersOf(column(t, dose, "react")); lag[0] != 0 || lag[1] <= 0 {
		t.Errorf("react: want no lag at strength 0 and some at 0.9, got %v", lag)
	}
	if diff := cmp.Diff([]float64{0, 0}, numbersOf(column(t, dose, "skillstate"))); diff != "" {
		t.Errorf("skillstate: %s", diff)
	}
	if !slices.Contains(r.Plots(), "plots/dose_anchored_warehouse_secret_move.png") {
		t.Errorf("no curve among %q", r.Plots())
	}
	for _, name := range r.Plots() {
		if strings.Contains(name, "dose") && strings.Contains(name, "canceled") {
			t.Errorf("%s draws what has no steps", name)
		}
	}
	if text := string(r.Markdown()); !strings.Contains(text, "are no evidence of how long a language model takes") {
		t.Error("the report does not say whose the lag is")
	}
	for name, want := range map[string][]string{"secret_move": {"5–8", ""}, "canceled_order": {"not recovered", "not recovered"}} {
		var said []string
		cells := column(t, tableNamed(t, r, "recovery_drift_"+name+"_strong"), "paper_table3_steps")
		for _, c := range cells {
			said = append(said, c.Text)
		}
		if diff := cmp.Diff(want, said); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if name == "secret_move" && (!cells[1].Value.OK || cells[1].Value.V != 0) {
			t.Errorf("skillstate: want the published 0, got %+v", cells[1])
		}
	}
}

func TestProbesAreCountedByDelay(t *testing.T) {
	t.Parallel()
	r := build(t, `
name: probes
tasks:
  - {name: none, task: warehouse, options: {probe: {kind: deferred, condition: no_place, after: [2, 7]}}}
  - {name: field, task: warehouse, options: {probe: {kind: deferred, condition: field, after: [2, 7]}}}
  - {name: void, task: warehouse, options: {probe: {kind: invalidation, after: [3]}}}
agents: [react, skillstate]
models: [sim:perfect]
horizons: [25]
seeds: 2
repeats: 2
`)
	table := tableNamed(t, r, "probes_sim_perfect")
	texts := func(key string) (all []string) {
		for _, c := range column(t, table, key) {
			all = append(all, c.Text)
		}
		return all
	}
	tasks, agents := texts("task"), texts("agent")
	delays, n := numbersOf(column(t, table, "delay")), numbersOf(column(t, table, "n"))
	share, low, high := numbersOf(column(t, table, "share")), numbersOf(column(t, table, "low")), numbersOf(column(t, table, "high"))
	if len(tasks) != 10 {
		t.Fatalf("want 4 rows for each deferred condition and 2 for the other, got %d", len(tasks))
	}
	for i, task := range tasks {
		trials, right := 4.0, 1.0 // 2 seeds, 2 repeats
		if task == "void" {
			trials *= 6
		}
		if task == "none" && agents[i] == "skillstate" {
			right = 0
		}
		if n[i] != trials || share[i] != right || low[i] < 0 || high[i] > 1 || high[i]-low[i] < 0.1 {
			t.Errorf("%s, %s after %g steps: %g of %g, %g to %g; want %g of %g", task, agents[i], delays[i], share[i], n[i], low[i], high[i], right, trials)
		}
	}
	for _, name := range []string{"deferred_react", "deferred_skillstate", "invalidation"} {
		if file := "plots/probe_" + name + "_sim_perfect.png"; !slices.Contains(r.Plots(), file) {
			t.Errorf("no %s among %q", file, r.Plots())
		}
	}
}
