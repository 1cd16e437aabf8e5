package main

import (
	"path/filepath"
	"testing"
)

// TestAtOnce plays tasks of skills in several cells at once, whose suites,
// libraries and rankings they share, and again alone: the results are the same.
// It is one of those that run under the race detector.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "at_once.yaml")
	write(t, file, `name: at_once
tasks:
  - {name: desk, task: routing}
  - {name: recall, task: routing, options: {arm: recall_k, skills: 40}}
agents: [skillstate, bm25, embed_threshold]
models: ["sim:keyword"]
horizons: [2]
seeds: 2
`)
	execution := filepath.Join(t.TempDir(), "runtime.yaml")
	write(t, execution, `name: runtime
tasks: [execution]
agents: [react, skillstate]
models: ["sim:perfect"]
horizons: [6]
seeds: 2
`)
	for _, file := range []string{file, execution} {
		together, alone := filepath.Join(t.TempDir(), "together"), filepath.Join(t.TempDir(), "alone")
		program(t, exitDone, "run", file, "--out", together, "--workers", "4")
		program(t, exitDone, "run", file, "--out", alone, "--workers", "1")
		if a, b := fileText(t, filepath.Join(together, "cells.csv")), fileText(t, filepath.Join(alone, "cells.csv")); a != b {
			t.Errorf("%s: cells.csv with four workers\n%s\nwith one\n%s", file, a, b)
		}
	}
}
