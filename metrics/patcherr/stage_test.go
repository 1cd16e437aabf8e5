package patcherr_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/metrics/patcherr"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// planned resolves an experiment.
func planned(t testing.TB, text string) *harness.Plan {
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
	return p
}

// run plays an experiment and returns its plan and folder.
func run(t testing.TB, text string) (*harness.Plan, string) {
	t.Helper()
	p := planned(t, text)
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

// cut keeps a part of a journal's events, in whole lines and without the last.
func cut(t testing.TB, cell string, keep float64) {
	t.Helper()
	path := filepath.Join(cell, "events.jsonl")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	n := int(keep * float64(len(lines)-2)) // the last line ends the episode, and nothing follows it
	if err := os.WriteFile(path, bytes.Join(lines[:n], nil), 0o644); err != nil {
		t.Fatal(err)
	}
}

func sameEpisodes(t testing.TB, want, got []patcherr.Episode) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(want, got)\n%s", diff)
	}
}
