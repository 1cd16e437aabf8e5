// Package trial puts a strategy to the test on a task: it plays the episodes
// that package check judges. A script stands in for the model and the world is
// wrapped, so that canaries are planted, bad replies of every class are given
// and the run is killed at chosen places. Nothing random is in it but the task's
// own script, and no real model is called.
package trial

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// MinHorizon is the smallest number of base events that leaves room for a
// disturbed step between undisturbed ones.
const MinHorizon = 4

// A Trial is one strategy on one task.
type Trial struct {
	column    harness.Column
	variant   harness.Variant
	horizon   int
	templates harness.Templates
	encoding  *tokens.Encoding
	classes   []string // of bad replies that can be given
}

// New prepares a trial of horizon base events; of the kit it takes the templates.
func New(kit harness.Kit, column harness.Column, variant harness.Variant, horizon int) (*Trial, error) {
	t := &Trial{column: column, variant: variant, horizon: horizon}
	if column.Strategy.Player {
		return nil, fmt.Errorf("agent %s calls no model: there is nothing to check", column.Name)
	}
	if horizon < MinHorizon {
		return nil, fmt.Errorf("horizon: want at least %d, got %d", MinHorizon, horizon)
	}
	files, err := fs.Sub(kit.Files, "templates")
	if err != nil {
		return nil, err
	}
	if t.templates, err = harness.LoadTemplates(files, nil, ""); err != nil {
		return nil, err
	}
	if t.encoding, err = tokens.Load(tokens.Default); err != nil {
		return nil, err
	}
	t.classes, err = t.possible()
	return t, err
}

// Run holds a strategy on a task to all invariants, with episodes of horizon
// base events below dir, which it fills with their journals. An error means that
// they could not be judged.
func Run(ctx context.Context, kit harness.Kit, column harness.Column, variant harness.Variant, horizon int, dir string) ([]check.Result, error) {
	t, err := New(kit, column, variant, horizon)
	if err != nil {
		return nil, err
	}
	leak, err := t.interference()
	if err != nil {
		return nil, err
	}
	results := map[string]check.Result{check.NoHistoryLeak: leak}
	for _, first := range t.starts() {
		played, err := t.Play(ctx, filepath.Join(dir, fmt.Sprintf("bad-%d", first)), first)
		if err != nil {
			return nil, err
		}
		if err := judge(results, played); err != nil {
			return nil, err
		}
		if first == 0 {
			if results[check.ResumeRoundTrip], err = t.resume(ctx, dir, played); err != nil {
				return nil, err
			}
		}
	}
	var list []check.Result
	for _, name := range check.Names() {
		list = append(list, results[name])
	}
	return list, nil
}

// judge adds what the journal of one episode says to the results.
func judge(results map[string]check.Result, p Played) error {
	for name, of := range map[string]func(*journal.Reader, check.Facts) (check.Result, error){
		check.NoHistoryLeak:        check.HistoryLeak,
		check.InvalidPatchRollback: check.PatchRollback,
		check.BoundedPromptGrowth:  check.PromptGrowth,
	} {
		r, err := journal.Read(p.Dir)
		if err != nil {
			return err
		}
		result, err := of(r, p.Facts)
		if err != nil {
			return err
		}
		if before, ok := results[name]; ok {
			result = check.Join(before, result)
		}
		results[name] = result
	}
	return nil
}

// Setup is what the trial's agents are built from.
func (t *Trial) Setup() harness.Setup {
	return harness.Setup{
		Skill: t.variant.Skill, Settings: t.column.Settings, Templates: t.templates,
		Encoding: t.encoding, Task: t.variant.Task, Spec: t.spec(),
	}
}

// seed of every script.
const seed = 1

func (t *Trial) spec() harness.Spec {
	return harness.Spec{Horizon: t.horizon, Seed: seed, Lag: 1, Patience: 15, Options: t.variant.Options}
}

func (t *Trial) cell() record.Cell {
	return record.Cell{
		ID: "trial", Task: t.variant.Name, Agent: t.column.Name, Model: "script", ModelKind: record.Simulated,
		World: record.Closed, Horizon: t.horizon, Seed: seed,
	}
}
