package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/metrics/report"
)

func reportCommand(s system) *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Derive cells.csv, report, tables and plots again from the journals of a run",
		Args:  oneArg("DIR, the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error {
			if ok, err := renderCollection(s, args[0]); ok || err != nil {
				return err
			}
			damaged, err := render(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintln(s.stdout, filepath.Join(args[0], "report.md"))
			return conclude(s, harness.Result{Failed: damaged})
		},
	}
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
