package main

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/metrics/report"
)

func mergeCommand(s system) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "merge DIR… --out DIR",
		Short: "Put the parts of a run together",
		Long: `Merge puts folders that were made by run --shard i/n, or by runs of the same
experiment with other seeds, horizons or agents, into one folder and derives
cells.csv and the report there: the same bytes as those of one run of all cells.

Folders of unlike runs are refused with what differs. A cell that is finished
nowhere is a gap: it is listed, and run plays it in the merged folder. A cell
that is finished in two folders is listed; unless both journals are equal, the
folders are refused. The folder given by --out may be one that merge wrote
before; it keeps what it has.

Exit code: 0 every cell has a result, 1 there are gaps, 2 the folders do not
belong together.`,
		Example: `  skillbench run configs/table1.yaml --shard 0/2 --out parts/0
  skillbench run configs/table1.yaml --shard 1/2 --out parts/1
  skillbench merge parts/0 parts/1 --out out/table1`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want DIR…, the folders to put together, got none")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if out == "" {
				return errors.New("want --out DIR, the folder of the whole run")
			}
			return merge(s, args, out)
		},
	}
	c.Flags().StringVarP(&out, "out", "o", "", "folder of the whole run")
	return c
}

func merge(s system, dirs []string, out string) error {
	for _, dir := range dirs {
		if filepath.Clean(dir) == filepath.Clean(out) {
			return fmt.Errorf("--out %s: want a folder beside those that are put together, got one of them", out)
		}
	}
	if journal.IsRun(out) {
		dirs = append([]string{out}, dirs...)
	} else if err := unused(out); err != nil {
		return err
	}
	m, err := journal.NewMerger(dirs...)
	if err != nil {
		return err
	}
	unlock, err := journal.Lock(out)
	if err != nil {
		return err
	}
	err = errors.Join(journal.Sweep(out), m.Write(out))
	var damaged []harness.Failure
	if err == nil {
		var r *report.Report
		if r, err = render(out); r != nil {
			damaged = r.Damaged()
		}
	}
	if err := errors.Join(err, unlock()); err != nil {
		return err
	}
	cells := len(m.Manifest.Cells)
	fmt.Fprintf(s.stdout, "%d of %d cells have a result: %s\n", cells-len(m.Gaps), cells, filepath.Join(out, "report.md"))
	tellDoubles(s, m.Doubles)
	tellGaps(s, m.Gaps)
	if err := conclude(s, harness.Result{Failed: damaged}); err != nil || len(m.Gaps) == 0 {
		return err
	}
	return errFound
}

func tellDoubles(s system, doubles []journal.Double) {
	if len(doubles) == 0 {
		return
	}
	fmt.Fprintf(s.stdout, "%s in two folders, with equal journals:\n", numbered(len(doubles), "cell"))
	for i, d := range doubles {
		if i == listed {
			fmt.Fprintf(s.stdout, "  and %d more\n", len(doubles)-i)
			break
		}
		fmt.Fprintf(s.stdout, "  %s: %s and %s\n", d.Cell.ID, d.First, d.Second)
	}
}

func tellGaps(s system, gaps []journal.Gap) {
	if len(gaps) == 0 {
		return
	}
	fmt.Fprintf(s.stdout, "%s without a result; run the experiment in this folder to play what is missing:\n", numbered(len(gaps), "cell"))
	for i, g := range gaps {
		if i == listed {
			fmt.Fprintf(s.stdout, "  and %d more\n", len(gaps)-i)
			break
		}
		fmt.Fprintf(s.stdout, "  %s: %s\n", g.Cell.ID, plain(g.Why))
	}
}

// listed is how many cells a list names before it only counts.
const listed = 10
