package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/config"
	"skillbench/harness/trial"
)

// checkFlags are the flags of `skillbench check`.
type checkFlags struct {
	agents, tasks []string
	horizon       int
	verbose       bool
	keep          string
	defaults      bool // the strategies have the settings they are registered with
}

func checkCommand(s system) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Hold strategies to the invariants they promise",
		Long: `Check plays short episodes with a scripted model, plants canaries, gives bad
replies of every class, kills the run at every call, and judges four invariants
by what was written down:

  no_history_leak         of the past only Σ is in a prompt
  invalid_patch_rollback  a refused reply changes nothing and runs nothing
  resume_round_trip       a killed and resumed run ends as an undisturbed one
  bounded_prompt_growth   a prompt without Σ, observation and feedback is constant

It fails if a strategy breaks what it promises, or if a negative control (react)
passes what it must break. With FILE, an experiment, it checks the strategies of
that file with their settings. Your own strategy and task are checked the same
way from go test: see agenttest and tasktest in README.`,
		Example: "  skillbench check\n  skillbench check --agent skillstate --task repo --verbose",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.defaults = len(args) == 0
			plan, err := checkPlan(args, f, s)
			if err != nil {
				return err
			}
			return checkAll(c.Context(), s, plan, f)
		},
	}
	c.Flags().StringSliceVar(&f.agents, "agent", nil, "only these strategies (default: all that call a model)")
	c.Flags().StringSliceVar(&f.tasks, "task", nil, "only these tasks (default: all)")
	c.Flags().IntVar(&f.horizon, "horizon", 24, "base events of an episode")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "show the evidence of what passed too")
	c.Flags().StringVar(&f.keep, "keep", "", "leave the journals in this folder")
	return c
}

// checkPlan resolves what is to be checked as an experiment would name it.
func checkPlan(args []string, f checkFlags, s system) (*harness.Plan, error) {
	open := newModels(s, "", "")
	k := kit(open.endpoint)
	source, data := "check", []byte("{name: check, models: [sim:perfect], horizons: 1, seeds: 1}")
	set := []string{"tasks=" + list(f.tasks), "agents=" + list(f.agents)}
	if len(args) == 1 {
		var err error
		if data, err = config.ReadFile(args[0]); err != nil {
			return nil, fmt.Errorf("%s: cannot read the experiment: %w", args[0], pathless(err))
		}
		source, set = args[0], nil
	} else {
		if len(f.tasks) == 0 {
			set[0] = "tasks=" + list(names(k.Tasks, func(t harness.Task) string { return t.Name }))
		}
		if len(f.agents) == 0 {
			called := slices.DeleteFunc(slices.Clone(k.Strategies), func(a harness.Strategy) bool { return a.Player })
			set[1] = "agents=" + list(names(called, func(a harness.Strategy) string { return a.Name }))
		}
	}
	x, node, err := harness.ParseExperiment(source, data, set)
	if err != nil {
		return nil, err
	}
	return k.Plan(x, node)
}

func names[T any](all []T, name func(T) string) []string {
	var out []string
	for _, v := range all {
		out = append(out, name(v))
	}
	return out
}

func checkAll(ctx context.Context, s system, plan *harness.Plan, f checkFlags) (err error) {
	dir := f.keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "skillbench-check-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "task\tagent\tinvariant\tpromised\tfound\tverdict")
	broken := 0
	var evidence []string
	for _, variant := range plan.Variants {
		for _, column := range plan.Columns {
			if column.Strategy.Player {
				continue
			}
			results, err := trial.Run(ctx, harness.Kit{Files: kit(nil).Files}, column, variant, f.horizon, filepath.Join(dir, variant.Name, column.Name))
			if errors.Is(err, harness.ErrBudget) && f.defaults {
				fmt.Fprintf(w, "%s\t%s\t-\t-\tits default budget is too small here\t%s\n", variant.Name, column.Name, verdictNone)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s on %s: %w", column.Name, variant.Name, err)
			}
			for _, r := range results {
				v := judged(column.Strategy, r)
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", variant.Name, column.Name, r.Invariant, v.promised, v.found, v.verdict)
				if v.verdict == verdictBroken {
					broken++
				}
				if v.verdict == verdictBroken || f.verbose {
					for _, line := range r.Evidence {
						evidence = append(evidence, fmt.Sprintf("%s %s %s: %s", variant.Name, column.Name, r.Invariant, plain(line)))
					}
				}
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range evidence {
		fmt.Fprintln(s.stdout, line)
	}
	if broken > 0 {
		fmt.Fprintf(s.stdout, "%s broken\n", numbered(broken, "promise"))
		return errFound
	}
	return nil
}

const (
	verdictKept   = "ok"
	verdictBroken = "BROKEN"
	verdictNone   = "-"
)

// A judgement is what a result means for a strategy.
type judgement struct{ promised, found, verdict string }

func judged(s harness.Strategy, r check.Result) judgement {
	j := judgement{promised: "no", found: "broken", verdict: verdictNone}
	if r.Pass {
		j.found = "holds"
	}
	switch {
	case slices.Contains(s.Promises, r.Invariant):
		j.promised, j.verdict = "yes", verdictKept
		if !r.Pass {
			j.verdict = verdictBroken
		}
	case slices.Contains(s.Breaks, r.Invariant):
		j.promised, j.verdict = "must break", verdictKept
		if r.Pass {
			j.verdict = verdictBroken
		}
	}
	return j
}
