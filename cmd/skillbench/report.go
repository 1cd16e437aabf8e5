package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/metrics/report"
)

func reportCommand(s system) *cobra.Command {
	var baseline string
	c := &cobra.Command{
		Use:   "report DIR",
		Short: "Derive cells.csv, report, tables and plots again from the journals of a run",
		Long: `Report derives everything that is shown of a run from its journals again, and calls
no model: cells.csv, report.md, report.html, tables/, plots/, and routing.json where
the run has anything on routing.

With --gate, results on routing are held to those of an earlier run, the routing.json
in its folder, dialogue by dialogue. Accuracy, calls when wanted, wrong-tool calls,
first-contact resolution and false triggers fail where the exact McNemar test has p < 0.05
and more dialogues got worse than better, so six at the least; a skill fails by the same
test on the messages that want it, with Holm's correction over skills. Parameter faults,
and all where no dialogue is in both, fail where the 95 % interval of the difference lies
on the bad side of 0. A group that is missing, or has fewer dialogues than the baseline or
cells without a result, fails. What got worse within chance is told and passes; that the
library changed is told. A changed suite is refused.

Exit code: 0 done, 1 journals are damaged or a --gate failed, 2 the call or a file was
wrong, or the baseline is of another suite or kind of model.`,
		Example: `  skillbench report out/table1
  skillbench report out/skills-routing --gate baseline/routing.json`,
		Args: oneArg("DIR, the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			gate, err := openGate(baseline)
			if err != nil {
				return err
			}
			if ok, err := renderCollection(s, args[0], gate != nil); ok || err != nil {
				return err
			}
			r, err := render(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintln(s.stdout, filepath.Join(args[0], "report.md"))
			return worst(conclude(s, harness.Result{Failed: r.Damaged()}), hold(s, gate, r))
		},
	}
	c.Flags().StringVar(&baseline, "gate", "", gateUsage)
	return c
}

func plotCommand(s system) *cobra.Command {
	return &cobra.Command{
		Use:   "plot DIR",
		Short: "Draw the plots of a run again from its journals",
		Args:  oneArg("DIR, the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := report.Build(args[0])
			if err != nil {
				return err
			}
			if err := r.Write(args[0]); err != nil {
				return err
			}
			for _, name := range r.Plots() {
				fmt.Fprintln(s.stdout, filepath.Join(args[0], filepath.FromSlash(name)))
			}
			return nil
		},
	}
}
