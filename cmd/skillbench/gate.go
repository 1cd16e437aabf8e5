package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"skillbench/harness/journal"
	"skillbench/metrics/report"
	"skillbench/metrics/routing"
)

const gateUsage = "hold results on routing to this routing.json of an earlier run: exit with 1 where one is worse"

var errGate = errors.New("--gate: want one run, got a collection: hold its parts, each to a baseline of its own")

// openGate reads a baseline before anything is played; it is nil where none was
// asked for.
func openGate(path string) (*routing.Gate, error) {
	if path == "" {
		return nil, nil
	}
	g, err := routing.OpenGate(path)
	if err != nil {
		return nil, fmt.Errorf("--gate: %w", err)
	}
	return g, nil
}

// hold says what a gate finds in a run.
func hold(s system, g *routing.Gate, r *report.Report) error {
	if g == nil || r == nil {
		return nil
	}
	f, err := g.Hold(r.Routing())
	if err != nil {
		return fmt.Errorf("--gate: %w", err)
	}
	for _, line := range f.Remarks {
		fmt.Fprintln(s.stdout, "gate: not alike: "+plain(line))
	}
	for _, line := range f.Chance {
		fmt.Fprintln(s.stdout, "gate: passes: "+plain(line))
	}
	for _, line := range f.Failures {
		fmt.Fprintln(s.stdout, "gate: "+plain(line))
	}
	if len(f.Failures) > 0 {
		return errFound
	}
	fmt.Fprintf(s.stdout, "gate: no worse than chance explains in %s\n", numbered(f.Groups, "group"))
	return nil
}

// worst is an error of the call before what was found.
func worst(found, held error) error {
	if held != nil && !errors.Is(held, errFound) {
		return held
	}
	if found != nil {
		return found
	}
	return held
}

// writeRouting writes routing.json, or removes one where there is nothing to say
// any more.
func writeRouting(dir string, r *routing.Result) error {
	path := filepath.Join(dir, routing.File)
	if r == nil {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	data, err := r.JSON()
	if err != nil {
		return err
	}
	return journal.WriteFile(path, data)
}
