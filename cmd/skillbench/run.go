package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skillbench/harness"
	"skillbench/harness/config"
	"skillbench/harness/journal"
	"skillbench/metrics"
	"skillbench/metrics/report"
)

// runFlags are the flags of `skillbench run`.
type runFlags struct {
	out      string
	models   []string
	set      []string
	workers  int
	limit    int
	steps    int
	shard    string
	sharded  bool // --shard was given, if only as an empty word
	progress string
	resume   bool
	record   string
	replay   string
	gate     string
}

func runCommand(s system) *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run FILE",
		Short: "Run an experiment and write its report",
		Long: `Run plays every cell of the experiment in FILE that has no result yet, then
writes cells.csv, report.md, report.html, tables/ and plots/ beside the journals.

The same run again in the same folder only renders again; more seeds, horizons,
agents or repeats extend it; any other change is refused with what changed.
An interrupted run (Ctrl-C, crash) goes on where it stopped: run it again.
Ctrl-C once finishes the calls in flight; twice stops at once.

A FILE that lists experiments, such as configs/paper.yaml, runs them all, each into a
folder of its own, and writes one report beside them.

With --gate, results on routing are held to those of an earlier run, the routing.json
in its folder: each group that is worse than chance explains is a line.

Exit code: 0 done, 1 cells failed or are not finished, or a --gate failed, 2 the call
or a file was wrong.`,
		Example: `  skillbench run configs/table1.yaml
  skillbench run configs/table1.yaml --limit 1 --steps 5 --out /tmp/try
  skillbench run configs/table1.yaml --set seeds=20 --set horizons=[10,25]`,
		Args: oneArg("FILE, an experiment such as configs/table1.yaml"),
		RunE: func(c *cobra.Command, args []string) error {
			f.sharded = c.Flags().Changed("shard")
			return runFile(c.Context(), s, args[0], f)
		},
	}
	c.Flags().StringVarP(&f.out, "out", "o", "", "folder of the run (default out/<name of the experiment>)")
	c.Flags().StringArrayVar(&f.models, "model", nil, "model instead of the experiment's: sim:<name> or a model file; may be repeated")
	c.Flags().StringArrayVar(&f.set, "set", nil, "change a key of the experiment: key=value, value as in YAML; may be repeated")
	c.Flags().IntVarP(&f.workers, "workers", "w", 0, "cells at once (default: as many as processors)")
	c.Flags().IntVar(&f.limit, "limit", 0, "run only the first N cells")
	c.Flags().IntVar(&f.steps, "steps", 0, "stop every episode after N steps, for a first try")
	c.Flags().StringVar(&f.shard, "shard", "", "run only part i of n, such as 0/8, to be put together by merge")
	c.Flags().StringVar(&f.progress, "progress", "", "bar, plain or json: how progress is shown (default: a bar on a terminal, plain lines elsewhere)")
	c.Flags().BoolVar(&f.resume, "resume", false, "go on with a run that exists; an error where there is none")
	c.Flags().StringVar(&f.record, "record", "", "keep every exchange with a model in this folder")
	c.Flags().StringVar(&f.replay, "replay", "", "answer from the exchanges kept in this folder, and send nothing")
	c.Flags().StringVar(&f.gate, "gate", "", gateUsage)
	c.MarkFlagsMutuallyExclusive("record", "replay")
	return c
}

func oneArg(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("want %s, got %s", what, numbered(len(args), "argument"))
		}
		return nil
	}
}

func runFile(ctx context.Context, s system, file string, f runFlags) error {
	if c, ok, err := readCollection(file); err != nil {
		return err
	} else if ok {
		if f.gate != "" {
			return errGate
		}
		return runCollection(ctx, s, c, f)
	}
	gate, err := openGate(f.gate)
	if err != nil {
		return err
	}
	open := newModels(s, f.record, f.replay)
	plan, err := load(file, f, open)
	if err != nil {
		return err
	}
	dir := f.out
	if dir == "" {
		dir = filepath.Join("out", plan.Experiment.Name)
	}
	unlock, err := prepare(dir, plan, f)
	if err != nil {
		return err
	}
	result, err := play(ctx, s, plan, dir, f, open)
	r, rendering := render(dir)
	if r != nil {
		add(&result, dir, r.Damaged())
	}
	if rendering == nil {
		fmt.Fprintf(s.stdout, "%s done: %s\n", numbered(result.Done, "cell"), filepath.Join(dir, "report.md"))
	}
	if f.steps > 0 && result.Unended > 0 && ctx.Err() == nil {
		fmt.Fprintf(s.stdout, "%s stopped after %s, as --steps says\n", numbered(result.Unended, "cell"), numbered(f.steps, "step"))
		result.Unended = 0
	}
	failed := conclude(s, result)
	if err := errors.Join(err, rendering, unlock()); err != nil {
		return err
	}
	return worst(failed, hold(s, gate, r))
}

// add counts cells whose journal cannot be read as failed, each once.
func add(result *harness.Result, dir string, damaged []harness.Failure) {
	for _, d := range damaged {
		if slices.ContainsFunc(result.Failed, func(f harness.Failure) bool { return f.Cell.ID == d.Cell.ID }) {
			continue
		}
		if finished, err := journal.Finished(journal.CellDir(dir, d.Cell.ID)); err == nil && finished && result.Done > 0 {
			result.Done--
		}
		result.Failed = append(result.Failed, d)
	}
}

// load reads an experiment and resolves it.
func load(file string, f runFlags, open *models) (*harness.Plan, error) {
	data, err := config.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the experiment: %w", file, pathless(err))
	}
	set := f.set
	if len(f.models) > 0 {
		set = append(set, "models="+list(f.models))
	}
	x, node, err := harness.ParseExperiment(file, data, set)
	if err != nil {
		return nil, err
	}
	if f.workers < 0 || f.limit < 0 || f.steps < 0 {
		return nil, errors.New("--workers, --limit and --steps want numbers that are not negative")
	}
	if err := checkProgress(f.progress); err != nil {
		return nil, err
	}
	if _, err := os.Stat(f.replay); f.replay != "" && err != nil {
		return nil, fmt.Errorf("--replay %s: want a folder that --record made: %w", f.replay, pathless(err))
	}
	if f.workers > 0 {
		x.Workers = f.workers
	}
	plan, err := resolvePlan(x, node, f.limit, open)
	if err != nil || !f.sharded {
		return plan, err
	}
	shard, err := journal.ParseShard(f.shard)
	if err != nil {
		return nil, fmt.Errorf("--shard: %w", err)
	}
	shard.Plan = plan.Cells
	plan.Cells, plan.Shard = shard.Take(plan.Cells), &shard
	return plan, nil
}

func resolvePlan(x harness.Experiment, node config.Node, limit int, open *models) (*harness.Plan, error) {
	k := kit(open.endpoint)
	if err := k.Validate(); err != nil {
		return nil, err
	}
	plan, err := k.Plan(x, node)
	if err != nil {
		return nil, err
	}
	if limit > 0 {
		plan.Cells = plan.Cells[:min(limit, len(plan.Cells))]
	}
	return plan, nil
}

func pathless(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// list writes names as a YAML list.
func list(names []string) string {
	var b bytes.Buffer
	for i, n := range names {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return "[" + b.String() + "]"
}

// prepare locks the folder and writes what it is to hold. It overwrites nothing
// of another experiment.
func prepare(dir string, plan *harness.Plan, f runFlags) (unlock func() error, err error) {
	exists := journal.IsRun(dir)
	if f.resume && !exists {
		return nil, fmt.Errorf("--resume: %s holds no run", dir)
	}
	if !exists {
		if err := unused(dir); err != nil {
			return nil, err
		}
	}
	if unlock, err = journal.Lock(dir); err != nil {
		return nil, err
	}
	if err := errors.Join(journal.Sweep(dir), declare(dir, plan)); err != nil {
		return nil, errors.Join(err, unlock())
	}
	return unlock, nil
}

// declare writes the manifest: the plan's, joined with what is there.
func declare(dir string, plan *harness.Plan) error {
	manifest, err := plan.Manifest(made())
	if err != nil {
		return err
	}
	if journal.IsRun(dir) {
		old, err := journal.ReadManifest(dir)
		if err != nil {
			return err
		}
		if manifest, err = manifest.Join(old); err != nil {
			return fmt.Errorf("%s holds another experiment: %w; use another --out", dir, err)
		}
	}
	return manifest.Write(dir)
}

// unused refuses a folder that holds something else. What a crash left of a
// run that had not begun is nothing.
func unused(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: cannot be the folder of a run: %w", dir, pathless(err))
	}
	for _, e := range entries {
		if e.Name() != "lock" && !journal.Leftover(e.Name()) {
			return fmt.Errorf("%s holds %s and no manifest.json, so it is not a run; use another --out", dir, e.Name())
		}
	}
	return nil
}

// play runs the cells with progress and with Ctrl-C.
func play(ctx context.Context, s system, plan *harness.Plan, dir string, f runFlags, open *models) (result harness.Result, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	progress := newProgress(s, f.progress, plan.Cells, open.paid)
	defer progress.close()
	if err := open.begin(dir, plan, progress.say); err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, open.close()) }()
	stop := make(chan struct{})
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-s.interrupts:
			progress.say("stopping: calls in flight are finished first; Ctrl-C again stops at once")
			close(stop)
		case <-over:
			return
		}
		select {
		case <-s.interrupts:
			cancel()
		case <-over:
		}
	}()
	r := harness.Runner{Plan: plan, Dir: dir, Workers: plan.Experiment.Workers, Steps: f.steps, Stop: stop, Events: progress.event, Wrap: open.wrap}
	return r.Run(ctx, plan.Cells)
}

// render writes what is derived from the journals. The report is nil where there
// is none.
func render(dir string) (*report.Report, error) {
	r, err := report.Build(dir)
	if err != nil {
		return nil, err
	}
	cells, err := cellsCSV(r)
	if err != nil {
		return nil, err
	}
	if err := journal.WriteFile(filepath.Join(dir, "cells.csv"), cells); err != nil {
		return r, err
	}
	return r, errors.Join(writeRouting(dir, r.Routing()), r.Write(dir))
}

func cellsCSV(r *report.Report) ([]byte, error) {
	var b bytes.Buffer
	err := metrics.WriteCells(&b, r.Rows())
	return b.Bytes(), err
}

// conclude says what is missing from the results.
func conclude(s system, result harness.Result) error {
	if result.Unended > 0 {
		fmt.Fprintf(s.stdout, "%s not finished: run the same command again to go on\n", numbered(result.Unended, "cell"))
	}
	if len(result.Failed) == 0 && result.Unended == 0 {
		return nil
	}
	if len(result.Failed) > 0 {
		fmt.Fprintf(s.stdout, "%s without a result:\n", numbered(len(result.Failed), "cell"))
	}
	limited := false
	for i, f := range result.Failed {
		limited = limited || strings.HasPrefix(f.Why, "limit:")
		if i < 10 {
			fmt.Fprintf(s.stdout, "  %s: %s\n", f.Cell.ID, plain(f.Why))
		}
	}
	if more := len(result.Failed) - 10; more > 0 {
		fmt.Fprintf(s.stdout, "  and %d more; see the report\n", more)
	}
	if limited {
		fmt.Fprintln(s.stdout, "a limit of the run was reached: raise it to go on, in the file or with --set limits.<name>=…")
	}
	return errFound
}

// numbered is a number of things. The noun is singular, its plural regular.
func numbered(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
