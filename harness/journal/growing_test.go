package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// TestReadWhileItGrows: what an episode writes after the reader was opened is
// not read, so that no event refers to a text that the reader has not seen.
func TestReadWhileItGrows(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	call := func(step int, text string) {
		n, err := log.Number(text)
		if err != nil {
			t.Fatal(err)
		}
		c := journal.Call{Purpose: record.ForStep, Step: step, Splice: prompt.Splice{{Add: []prompt.Ref{{Kind: prompt.Observation, Text: n}}}}}
		if err := log.Call(&c, record.Reply{Text: "reply to " + text}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Write(journal.Event{Start: &journal.Start{Version: journal.Version}}); err != nil {
		t.Fatal(err)
	}
	call(0, "first")
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	call(1, "second")
	seen := 0
	err = r.Each(func(e journal.Event) error {
		seen++
		if e.Call == nil {
			return nil
		}
		_, err := r.Prompt(*e.Call)
		return err
	})
	if err != nil || seen != 2 {
		t.Errorf("%d events, %v; want 2", seen, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSweep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{".new-1", "cells.csv", "tables/.new-2", "tables/scores.csv"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := journal.Sweep(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{".new-1": false, "cells.csv": true, "tables/.new-2": false, "tables/scores.csv": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
