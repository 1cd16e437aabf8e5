package report_test

import (
	"context"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// play runs an experiment into a new folder and returns it.
func play(t testing.TB, experiment string, change func(*harness.Runner)) string {
	t.Helper()
	dir := t.TempDir()
	playInto(t, dir, experiment, change)
	return dir
}

func playInto(t testing.TB, dir, experiment string, change func(*harness.Runner)) {
	t.Helper()
	kit := harness.Kit{Tasks: []harness.Task{warehouse.Task(), repo.Task()}, Strategies: agents.List(), Files: configs.FS}
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
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	r := &harness.Runner{Plan: plan, Dir: dir, Workers: 2}
	if change != nil {
		change(r)
	}
	if _, err := r.Run(context.Background(), plan.Cells); err != nil {
		t.Fatal(err)
	}
}

// replying puts f in place of every model.
func replying(f func(inner model.Model) model.Model) func(*harness.Runner) {
	return func(r *harness.Runner) {
		r.Wrap = func(_ harness.Model, m model.Model) (model.Model, error) { return f(m), nil }
	}
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
