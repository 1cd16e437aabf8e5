package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/metrics/compare"
	"skillbench/metrics/stats"
)

func compareCommand(s system) *cobra.Command {
	return &cobra.Command{
		Use:   "compare A B",
		Short: "Which differences between two runs, or two models, are real",
		Long: `Compare pairs what two runs both played, on task, agent, horizon, world, noise, drift
and seed; repeats of a seed are averaged. A and B are folders of runs, or DIR:MODEL
for one model of a run, so that two models of one run can be compared.

For score and total tokens it prints the mean difference A - B with its 95 % interval,
the paired t-test, the exact permutation test with the smallest p that it can reach,
that p after Holm's correction over all lines, and the least true difference that the
pairs would show with power 0.8. It says what is not alike between the runs. Tokens
counted by different tokenizers are not compared, and a simulated model is never set
beside a real one.

Exit code: 0 compared, 2 the call was wrong or the two cannot be compared.`,
		Example: `  skillbench compare out/before out/after
  skillbench compare out/table1:sim:perfect 'out/table1:sim:anchored'`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("want two runs, DIR or DIR:MODEL, got %s", numbered(len(args), "argument"))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			a, err := compare.Read(args[0])
			if err != nil {
				return err
			}
			b, err := compare.Read(args[1])
			if err != nil {
				return err
			}
			pairs, err := compare.Match(a, b)
			if err != nil {
				return err
			}
			for _, p := range pairs {
				r, err := compare.Sides(p[0], p[1])
				if err != nil {
					return err
				}
				if err := printComparison(s.stdout, r); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func printComparison(out io.Writer, r compare.Result) error {
	fmt.Fprintf(out, "A is %s (%s), B is %s (%s)\n", plain(r.A.Name), r.A.Kind, plain(r.B.Name), r.B.Kind)
	for _, u := range r.Unlike {
		fmt.Fprintln(out, "not alike: "+plain(u))
	}
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "cells\tof\tpairs\tA\tB\tA-B\t95 %\tt-test p\texact p\tsmallest\tHolm\tdetectable\tverdict")
	tests, dropped := 0, 0
	for _, l := range r.Lines {
		places := 3
		if l.Quantity == compare.Tokens {
			places = 0
		}
		t := l.Test
		if t.Permutation.P.OK {
			tests++
		}
		dropped += l.Dropped
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", plain(l.Group.String()), l.Quantity, t.Pairs,
			shownValue(l.A, places), shownValue(l.B, places), shownValue(t.Difference, places), shownInterval(t.Interval, places),
			shownValue(t.P, 4), shownValue(t.Permutation.P, 4), shownValue(t.Permutation.Smallest, 4), shownValue(l.Adjusted, 4), shownValue(t.MinimumDetectable, places), l.Verdict)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if dropped > 0 {
		fmt.Fprintf(out, "%s without a result left out, counted once for each quantity\n", numbered(dropped, "cell"))
	}
	_, err := fmt.Fprintf(out, "%s read together; a difference is real where Holm's p is 0.05 or less\n", numbered(tests, "test"))
	return err
}

func shownValue(v stats.Value, places int) string {
	if !v.OK {
		return "–"
	}
	return v.Format(places)
}

func shownInterval(i stats.Interval, places int) string {
	if !i.OK() {
		return "–"
	}
	return i.Low.Format(places) + " to " + i.High.Format(places)
}
