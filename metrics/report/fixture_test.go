package report_test

import (
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/metrics/report"
	"skillbench/tasks/execution"
	"skillbench/tasks/routing"
	"skillbench/tasks/warehouse"
)

// A replier changes what a simulated model does with a request.
type replier func(model.Request, record.Reply) (record.Reply, error)

// altered is a model whose replies pass through f.
type altered struct {
	model.Model
	f replier
}

func (a altered) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	reply, err := a.Model.Generate(ctx, r)
	if err != nil {
		return reply, err
	}
	return a.f(r, reply)
}

// play runs an experiment with a perfect reader whose replies pass through f,
// which may be nil, and returns the folder. A model file "real" stands for an
// endpoint.
func play(t testing.TB, experiment string, f replier) string {
	t.Helper()
	kit := harness.Kit{Tasks: []harness.Task{warehouse.Task(), routing.Task(), execution.Task()}, Strategies: append(agents.List(), routing.Strategies()...), Files: configs.FS,
		Endpoint: func(path string) (harness.Model, error) {
			open := func(t harness.Task) (model.Model, error) {
				return sim.New(sim.Config{Mechanism: "perfect"}, t.Language), nil
			}
			return harness.Model{Name: path, Kind: record.Real, Identity: []byte(`{"model":"x"}`), Open: open}, nil
		}}
	x, node, err := harness.ParseExperiment("test.yaml", []byte(experiment), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kit.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	m, err := plan.Manifest(journal.Made{Skillbench: "test", Go: "go"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	r := &harness.Runner{Plan: plan, Dir: dir, Workers: 2}
	if f != nil {
		r.Wrap = func(_ harness.Model, m model.Model) (model.Model, error) { return altered{m, f}, nil }
	}
	if _, err := r.Run(context.Background(), plan.Cells); err != nil {
		t.Fatal(err)
	}
	return dir
}

// written builds the report of a folder and writes it to another.
func written(t testing.TB, dir string) string {
	t.Helper()
	r, err := report.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if err := r.Write(out); err != nil {
		t.Fatal(err)
	}
	return out
}

func read(t testing.TB, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// table reads a CSV as one map per row.
func table(t testing.TB, parts ...string) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(strings.NewReader(read(t, parts...))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, field := range line {
			row[lines[0][i]] = field
		}
		rows = append(rows, row)
	}
	return rows
}

// row finds the one row whose fields are as wanted; pairs are key and value.
func row(t testing.TB, rows []map[string]string, pairs ...string) map[string]string {
	t.Helper()
	var found []map[string]string
	for _, r := range rows {
		fits := true
		for i := 0; i < len(pairs); i += 2 {
			fits = fits && r[pairs[i]] == pairs[i+1]
		}
		if fits {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		t.Fatalf("want one row with %q, found %d", pairs, len(found))
	}
	return found[0]
}

// exists reports whether a file was written.
func exists(parts ...string) bool {
	_, err := os.Stat(filepath.Join(parts...))
	return !errors.Is(err, os.ErrNotExist)
}

const tiny = `
name: tiny
title: A tiny grid
paper: [table1]
tasks: [warehouse]
agents: [react, memory, stateful, skillstate]
models: [sim:perfect]
horizons: [10]
seeds: 2
`
