package routing_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/metrics"
	"skillbench/tasks/routing"
)

// run plays an experiment on the small suite into a folder.
func run(t *testing.T, text string) (string, *harness.Plan) {
	t.Helper()
	kit := harness.Kit{Tasks: []harness.Task{routing.Task()}, Strategies: append(agents.List(), routing.Strategies()...), Files: configs.FS}
	x, node, err := harness.ParseExperiment("test.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kit.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	result, err := (&harness.Runner{Plan: plan, Dir: dir}).Run(context.Background(), plan.Cells)
	if err != nil || result.Done != len(plan.Cells) {
		t.Fatalf("%+v, %v", result, err)
	}
	return dir, plan
}

// The catalogue is in every prompt and in a journal once, whatever the strategy,
// and each step but those of a search of the record says where its message went.
func TestJournals(t *testing.T) {
	t.Parallel()
	dir, plan := run(t, `
name: small
tasks: [{name: shop, task: routing, options: {suite: testdata/shop.yaml, skills: 60}}]
agents: [react, stateful, skillstate, hybrid, memory, ledger, bm25, random]
models: ["sim:keyword"]
horizons: [6]
seeds: 1
`)
	for _, c := range plan.Cells {
		cell := journal.CellDir(dir, c.ID)
		texts, err := os.ReadFile(filepath.Join(cell, "segments.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		want := 1
		if c.Model == "" {
			want = 0
		}
		if n := bytes.Count(texts, []byte("60 skills.")); n != want {
			t.Errorf("%s: the catalogue is stored %d times", c.Agent, n)
		}
		r, err := journal.Read(cell)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		_, err = metrics.Walk(r, func(s metrics.Step) error {
			for _, a := range s.Attempts {
				if a.Parts[prompt.Catalogue] < 10_000 {
					t.Errorf("%s: step %d: %d characters of catalogue", c.Agent, s.Act.Observation.Step, a.Parts[prompt.Catalogue])
				}
			}
			if o := s.Act.Outcome; (o.Routing == nil) != (s.Act.Verdict != nil && s.Act.Verdict.Answers()) {
				t.Errorf("%s: %s: %+v", c.Agent, s.Act.Action, o)
			} else if o.Routing != nil && o.Routing.Last && o.Routing.Ended {
				last++
			}
			return nil
		})
		if err != nil || last != 6 {
			t.Errorf("%s: %d dialogues, %v", c.Agent, last, err)
		}
	}
}

// Another suite makes another cell.
func TestSuitesMakeCells(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/shop.yaml")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "shop"), os.DirFS("testdata/shop")); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "shop.yaml")
	name, _ := json.Marshal(file) // a path is text
	ids := map[string]bool{}
	for _, version := range [][]byte{text, bytes.ReplaceAll(text, []byte("Where is my parcel"), []byte("Where may it be, my parcel"))} {
		if err := os.WriteFile(file, version, 0o644); err != nil {
			t.Fatal(err)
		}
		_, plan := run(t, `{name: x, tasks: [{name: shop, task: routing, options: {suite: `+string(name)+`}}], agents: [oracle], models: ["sim:keyword"], horizons: 6, seeds: 1}`)
		ids[plan.Cells[0].ID] = true
	}
	if len(ids) != 2 {
		t.Errorf("the cells are %v", ids)
	}
}
