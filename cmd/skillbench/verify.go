package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/metrics"
	"skillbench/metrics/report"
	"skillbench/metrics/routing"
)

func verifyCommand(s system) *cobra.Command {
	var experiment string
	c := &cobra.Command{
		Use:   "verify DIR",
		Short: "Derive everything in a run from its journals and compare",
		Long: `Verify holds each cell's name to what the manifest says of it; rebuilds every
prompt from its journal and compares hash, characters and tokens; folds every Σ from
the patches alone and compares its hash; plays every episode again with the recorded
replies in the place of the model and compares what the world did and what was right;
and derives cells.csv, routing.json, report, tables and plots again and compares their
bytes. It asks no endpoint. Simulated models, which are part of this program, have to
say again what is recorded.

An episode of a skill or of templates that this program does not ship is played
again only with the experiment file that names them (--experiment).

What an endpoint said is recorded once, and nothing else tells: its replies as far as
nothing follows from them, finish, choices, usage, served, failed and notes of a call;
why a cell was given up (limit:…, failed:…); and that a cell without an end once had
one, which is why such cells are counted. In the manifest, name, title, paper and made
decide no result; lag and patience none without a drift. timings.csv is not compared.

Exit code: 0 all equal, 1 something differs, 2 the folder is no run.`,
		Args: oneArg("DIR, the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := journal.ReadManifest(args[0])
			if err != nil {
				return err
			}
			again, err := playedAgain(s, experiment, m)
			if err != nil {
				return err
			}
			return verify(s, args[0], m, again)
		},
	}
	c.Flags().StringVar(&experiment, "experiment", "", "experiment file of the run, where it has a skill or templates of its own")
	return c
}

// playedAgain is the plan of a run: the file's, or else what its manifest tells.
func playedAgain(s system, experiment string, m journal.Manifest) (harness.Again, error) {
	if experiment == "" {
		return kit(nil).Again(m)
	}
	plan, err := load(experiment, runFlags{}, newModels(s, "", ""))
	if err != nil {
		return harness.Again{}, err
	}
	return plan.Again(m), nil
}

func verify(s system, dir string, m journal.Manifest, again harness.Again) error {
	encoding, err := tokens.Load(m.Tokenizer)
	if err != nil {
		return err
	}
	v := newVerified()
	for _, one := range verifyCells(dir, m, again, encoding) {
		v.add(one)
	}
	if err := v.others(dir, m); err != nil {
		return err
	}
	if m.Shard != nil {
		v.rest(dir, m, again)
	}
	files, err := v.derived(dir)
	if err != nil {
		return err
	}
	for _, f := range v.faults {
		fmt.Fprintln(s.stdout, oneLine(f))
	}
	if len(v.faults) > 0 {
		fmt.Fprintln(s.stdout, numbered(len(v.faults), "fault"))
		return errFound
	}
	fmt.Fprintf(s.stdout, "verified: %s, %s, %s, %s played again, cells.csv, %s of the report\n",
		numbered(len(m.Cells)-v.absent, "cell"), numbered(v.prompts, "prompt"), numbered(v.states, "state"), numbered(v.played, "episode"), numbered(files, "file"))
	for _, status := range slices.Sorted(maps.Keys(v.unended)) {
		fmt.Fprintf(s.stdout, "without a result: %s: %s\n", numbered(v.unended[status], "cell"), plain(string(status)))
	}
	for _, why := range slices.Sorted(maps.Keys(v.unplayed)) {
		fmt.Fprintf(s.stdout, "not played again: %s: %s\n", numbered(v.unplayed[why], "cell"), plain(why))
	}
	return nil
}

// verified counts what was compared.
type verified struct {
	prompts, states, absent, played int
	unplayed                        map[string]int        // cells, by what is missing
	unended                         map[record.Status]int // cells without a result
	faults                          []error
}

func newVerified() *verified {
	return &verified{unplayed: map[string]int{}, unended: map[record.Status]int{}}
}

// verifyCells compares what each cell has, as many at once as there are
// processors.
func verifyCells(dir string, m journal.Manifest, again harness.Again, encoding *tokens.Encoding) []*verified {
	each := make([]*verified, len(m.Cells))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range m.Cells {
		group.Go(func() error {
			each[i] = newVerified()
			if err := each[i].cell(c, journal.CellDir(dir, c.ID), again, encoding); err != nil {
				each[i].faults = []error{err}
			}
			return nil
		})
	}
	_ = group.Wait() // faults are in each
	return each
}

// add takes what another has counted.
func (v *verified) add(o *verified) {
	v.prompts, v.states, v.absent, v.played = v.prompts+o.prompts, v.states+o.states, v.absent+o.absent, v.played+o.played
	for why, n := range o.unplayed {
		v.unplayed[why] += n
	}
	for status, n := range o.unended {
		v.unended[status] += n
	}
	v.faults = append(v.faults, o.faults...)
}

func (v *verified) cell(c record.Cell, dir string, again harness.Again, encoding *tokens.Encoding) error {
	if err := again.Named(c); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "events.jsonl")); os.IsNotExist(err) {
		v.absent++
		v.unended["not begun"]++
		return nil
	}
	r, err := journal.Read(dir)
	if err != nil {
		return err
	}
	calls := harness.NewVerifier(r, encoding)
	err = r.Each(func(e journal.Event) error {
		if e.Call == nil {
			return nil
		}
		v.prompts++
		return calls.Call(*e.Call)
	})
	if err != nil {
		return err
	}
	episode, err := metrics.Walk(r, func(step metrics.Step) error {
		if step.Act.State == "" {
			return nil
		}
		v.states++
		if got := step.After.Hash(); got != step.Act.State {
			return fmt.Errorf("step %d: Σ: recorded hash %s, from patches %s", step.Act.Observation.Step, step.Act.State, got)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if status := journal.StatusOf(episode.End); !status.Final() {
		v.unended[status]++
	}
	if why := again.Why[c.ID]; why != nil {
		v.unplayed[why.Error()]++
		return nil
	}
	v.played++
	return again.Play(c, r)
}

// others finds journals that the manifest does not list.
func (v *verified) others(dir string, m journal.Manifest) error {
	listed := map[string]bool{}
	for _, c := range m.Cells {
		listed[c.ID] = true
	}
	found, err := fs.Glob(os.DirFS(dir), "cells/*/events.jsonl")
	for _, name := range found {
		if cell := path.Dir(name); !listed[path.Base(cell)] {
			v.faults = append(v.faults, fmt.Errorf("%s: the manifest has no such cell", filepath.Join(dir, filepath.FromSlash(cell))))
		}
	}
	return err
}

// rest holds the names of cells to the manifest that other parts of the run have.
func (v *verified) rest(dir string, m journal.Manifest, again harness.Again) {
	for _, c := range m.Shard.Plan {
		if err := again.Named(c); err != nil && !m.Shard.Holds(c.ID) {
			v.faults = append(v.faults, fmt.Errorf("%s: %w", journal.CellDir(dir, c.ID), err))
		}
	}
}

// derived compares what stands beside the journals with what they give, and
// counts the files of the report.
func (v *verified) derived(dir string) (int, error) {
	r, err := report.Build(dir)
	if err != nil {
		return 0, err
	}
	cells, err := cellsCSV(r)
	if err != nil {
		return 0, err
	}
	files, err := r.Files()
	if err != nil {
		return 0, err
	}
	files = append(files, report.File{Name: "cells.csv", Data: cells})
	if result := r.Routing(); result != nil {
		data, err := result.JSON()
		if err != nil {
			return 0, err
		}
		files = append(files, report.File{Name: routing.File, Data: data})
	} else if _, err := os.Lstat(filepath.Join(dir, routing.File)); err == nil {
		v.faults = append(v.faults, fmt.Errorf("%s: the journals give none", filepath.Join(dir, routing.File)))
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		recorded, err := os.ReadFile(name)
		switch {
		case err != nil:
			v.faults = append(v.faults, fmt.Errorf("%s: %w", name, pathless(err)))
		case !bytes.Equal(recorded, f.Data):
			v.faults = append(v.faults, fmt.Errorf("%s differs from what the journals give", name))
		}
	}
	return len(files) - 1, nil
}
