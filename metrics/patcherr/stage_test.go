package patcherr_test

import (
	"context"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/metrics/patcherr"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// run plays an experiment and returns its plan and folder.
func run(t testing.TB, text string) (*harness.Plan, string) {
	t.Helper()
	x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\n"+text), nil)
	if err != nil {
		t.Fatal(err)
	}
	k := harness.Kit{Tasks: []harness.Task{warehouse.Task(), repo.Task()}, Strategies: agents.List(), Files: configs.FS}
	p, err := k.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	r := harness.Runner{Plan: p, Dir: dir, Workers: 2}
	result, err := r.Run(context.Background(), p.Cells)
	if err != nil || len(result.Failed) > 0 || result.Done != len(p.Cells) {
		t.Fatalf("%+v, %v", result, err)
	}
	return p, dir
}

// classify reads all episodes of a run.
func classify(t testing.TB, p *harness.Plan, dir string) []patcherr.Episode {
	t.Helper()
	var all []patcherr.Episode
	for _, c := range p.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if err != nil {
			t.Fatal(err)
		}
		e, err := patcherr.Read(r)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// played is run and classify.
func played(t testing.TB, text string) []patcherr.Episode {
	t.Helper()
	p, dir := run(t, text)
	return classify(t, p, dir)
}
