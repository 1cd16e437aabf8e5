package configs_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/report"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// run plays one of the experiments of this folder, with changes that make it
// small, and returns the run's directory and its cells.
func run(t *testing.T, file string, set ...string) (string, []record.Cell) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	kit := harness.Kit{Tasks: []harness.Task{warehouse.Task(), repo.Task()}, Strategies: agents.List(), Files: configs.FS}
	x, node, err := harness.ParseExperiment(file, data, set)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kit.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	m, err := plan.Manifest(journal.Made{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	result, err := (&harness.Runner{Plan: plan, Dir: dir}).Run(context.Background(), plan.Cells)
	if err != nil || result.Done != len(plan.Cells) {
		t.Fatalf("%s: %+v, %v", file, result, err)
	}
	return dir, plan.Cells
}

func acts(t *testing.T, dir string, c record.Cell) []record.Act {
	t.Helper()
	r, err := journal.Read(journal.CellDir(dir, c.ID))
	if err != nil {
		t.Fatal(err)
	}
	var all []record.Act
	if _, err := metrics.Walk(r, func(s metrics.Step) error {
		all = append(all, s.Act)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func rows(t *testing.T, dir string) []metrics.Row {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := metrics.Rows(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const perfectOnly = "models=[{name: 'sim:perfect', sim: perfect, restates: true}]"

// unrecoverable are the scenarios that nothing can recover from.
var unrecoverable = []string{"canceled_order", "pr_closed"}

// TestDriftsAreRecoveredAtOnceByAPerfectReader plays Tables 3 and 10 without
// the mechanism: whatever the strategy, each drift is recovered from at the
// first announcement, or cannot be and then has no figure at all.
func TestDriftsAreRecoveredAtOnceByAPerfectReader(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"table3.yaml", "table10.yaml"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			dir, _ := run(t, file, perfectOnly, "seeds=1")
			for _, r := range rows(t, dir) {
				if r.Recovery.Drifts != 5 {
					t.Errorf("%s: %d drifts, want 5", r.Cell.ID, r.Recovery.Drifts)
				}
				if slices.Contains(unrecoverable, r.Cell.Drift) {
					if r.Recovery.Recovered.OK || r.Recovery.Steps.OK {
						t.Errorf("%s: %s has figures: %+v", r.Cell.ID, r.Cell.Drift, r.Recovery)
					}
					continue
				}
				if r.Recovery.Recovered.V != 5 || !r.Recovery.Steps.OK || r.Recovery.Steps.V != 0 {
					t.Errorf("%s: %s is not recovered from at once: %+v", r.Cell.ID, r.Cell.Drift, r.Recovery)
				}
			}
			var table bytes.Buffer
			if err := metrics.WriteCells(&table, rows(t, dir)); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(table.String()) {
				for _, scenario := range unrecoverable {
					if strings.Contains(line, ","+scenario+",") && !strings.Contains(line, ",5,,,done,") {
						t.Errorf("want empty fields for recovery, got %s", line)
					}
				}
			}
		})
	}
}

// TestPatienceIsCensoring watches a strategy that never answers.
func TestPatienceIsCensoring(t *testing.T) {
	t.Parallel()
	dir, cells := run(t, "table3.yaml", "agents=[wait]", "seeds=1", "drifts=[secret_move]", "patience=4")
	announced := 0
	for _, a := range acts(t, dir, cells[0]) {
		announced = max(announced, a.Observation.Announced)
	}
	if announced != 4 {
		t.Errorf("announced %d times, want patience 4", announced)
	}
	if r := rows(t, dir)[0].Recovery; r.Drifts != 5 || !r.Recovered.OK || r.Recovered.V != 0 || r.Steps.OK {
		t.Errorf("want 0 of 5 recovered and no steps, got %+v", r)
	}
	doc, err := report.Build(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range doc.Blocks {
		if table, ok := b.(*report.Table); ok && table.Name == "recovery" {
			got := map[string]float64{}
			for i, column := range table.Columns {
				got[column.Key] = table.Rows[0][i].Value.V
			}
			if got["censored"] != 5 || got["unrecoverable"] != 0 || got["steps"] != 4 {
				t.Errorf("want 5 censored at 4 steps, got %v", got)
			}
			return
		}
	}
	t.Error("the report has no table of recovery")
}

// TestAMechanismOfNoStrengthIsThePerfectReader compares journals byte by byte.
func TestAMechanismOfNoStrengthIsThePerfectReader(t *testing.T) {
	t.Parallel()
	for file, drift := range map[string]string{"table3.yaml": "secret_audit", "table10.yaml": "force_push"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			dir, cells := run(t, file, "seeds=1", "noise=[3]", "drifts=["+drift+"]", "models=["+
				"{name: M, sim: perfect, restates: true},{name: N, sim: anchored, strength: 0, restates: true},{name: O, sim: distractible, strength: 0, restates: true}]")
			want := map[string][2]string{}
			for _, c := range cells {
				var got [2]string
				for i, name := range []string{"events.jsonl", "segments.jsonl"} {
					data, err := os.ReadFile(filepath.Join(journal.CellDir(dir, c.ID), name))
					if err != nil {
						t.Fatal(err)
					}
					got[i] = strings.NewReplacer(c.ID, "CELL", `"model":"`+c.Model+`"`, `"model":"M"`).Replace(string(data))
				}
				if c.Model == "M" {
					want[c.Agent] = got
				} else if diff := cmp.Diff(want[c.Agent], got); diff != "" {
					t.Errorf("%s, %s: %s", c.Model, c.Agent, diff)
				}
			}
		})
	}
}

// base lists what the base events of an episode were.
func base(all []record.Act) (events [][2]string) {
	for _, a := range all {
		if o := a.Observation; !o.Free && !a.Outcome.Free {
			events = append(events, [2]string{o.Kind, o.Item})
		}
	}
	return events
}

// TestBaseEventsDependOnTheSeedAlone compares journals of all strategies, of
// players that err, and of anchored readers, with and without noise and drift.
func TestBaseEventsDependOnTheSeedAlone(t *testing.T) {
	t.Parallel()
	for file, drifts := range map[string]string{"table3.yaml": "[none, secret_move, secret_audit, secret_barcode, canceled_order]", "table10.yaml": "[none, force_push, flaky_ci, pr_closed]"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			dir, cells := run(t, file, "seeds=1", "drifts="+drifts, "noise=[0, 7]", "patience=3",
				"models=[{sim: anchored, restates: true}]", "agents=[react, memory, stateful, skillstate, wait, random]")
			var want [][2]string
			for _, c := range cells {
				got := base(acts(t, dir, c))
				if len(got) != c.Horizon {
					t.Fatalf("%s: %d base events", c.ID, len(got))
				}
				if want == nil {
					want = got
				} else if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %s, noise %d, drift %q: %s", c.Agent, c.Model, c.Noise, c.Drift, diff)
				}
			}
		})
	}
}

// TestNoiseChangesNoTruth plays the same moves under noise: the journal's acts
// are the same to the byte, the changes of the world and the right actions
// among them.
func TestNoiseChangesNoTruth(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"table2.yaml", "table9.yaml"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			dir, cells := run(t, file, "seeds=1", "models=[sim:perfect]", "noise=[0, 5, 50]", "agents=[wait, random, react, skillstate]")
			type key struct {
				agent string
				seed  uint64
			}
			want := map[key]string{}
			for _, c := range cells {
				data, err := json.Marshal(acts(t, dir, c))
				if err != nil {
					t.Fatal(err)
				}
				k := key{c.Agent, c.Seed}
				if want[k] == "" {
					want[k] = string(data)
				} else if want[k] != string(data) {
					t.Errorf("%s: noise %d changed what happened", c.ID, c.Noise)
				}
			}
		})
	}
}

// TestDeferredProbesTellWhereTheFactIsKept plays the probes with a perfect
// reader: a state without a place for the fact fails at every delay, and every
// other context succeeds at every delay.
func TestDeferredProbesTellWhereTheFactIsKept(t *testing.T) {
	t.Parallel()
	dir, cells := run(t, "probes.yaml", perfectOnly, "seeds=2")
	delays := map[int]bool{}
	for _, c := range cells {
		for _, a := range acts(t, dir, c) {
			if a.Observation.Probe == "" {
				continue
			}
			delays[a.Observation.Delay] = true
			if want := c.Agent != "skillstate" || c.Task != "no place"; a.Outcome.Correct != want {
				t.Errorf("%s, %s after %d steps: right is %v, want %v", c.Task, c.Agent, a.Observation.Delay, a.Outcome.Correct, want)
			}
		}
	}
	if len(delays) != 5 {
		t.Errorf("want five delays, got %v", delays)
	}
}
