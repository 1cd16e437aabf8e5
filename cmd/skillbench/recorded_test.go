package main

import (
	"context"
	"io"
	"path/filepath"
	"testing"
)

// TestRecordedReplies plays the recorded replies of a real model again: the same
// cells and the same report, to the byte, with nothing sent.
func TestRecordedReplies(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	wd, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	s := process()
	s.stdout, s.stderr = io.Discard, io.Discard
	code := run(context.Background(), []string{
		"run", filepath.Join(wd, "configs/local.yaml"), "--model", filepath.Join(wd, "configs/models/smollm2-local.yaml"),
		"--replay", filepath.Join(wd, "results/local/tapes"), "--out", out,
	}, s)
	if code != exitDone {
		t.Fatalf("exit %d", code)
	}
	for _, name := range []string{"cells.csv", "report.md"} {
		if got, want := fileText(t, filepath.Join(out, name)), read(t, "results/local/"+name); got != want {
			t.Errorf("%s is not the recorded run's: if the change is meant, derive results/local again", name)
		}
	}
}
