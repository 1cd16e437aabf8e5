package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestOneProcessPerFolder: a second one is refused while the first runs, and
// the lock of a killed one holds nobody up.
func TestOneProcessPerFolder(t *testing.T) {
	t.Parallel()
	g := newGate(5)
	s := serve(t, "", g.around)
	out := filepath.Join(t.TempDir(), "out")
	args := small("--out", out, "--workers", "2", "--model", modelFile(t, s.url))
	first := command(t, args...)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	<-g.reached
	want := "skillbench: " + out + ": another process is running here; wait for it or use another --out\n"
	if said := exits(t, exitWrong, command(t, args...)); said != want {
		t.Errorf("got %q, want %q", said, want)
	}
	program(t, exitDone, "report", out) // may be read while it grows
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil {
		t.Error("the first was over before it was killed")
	}
	close(g.opened)
	resumed(t, out, args)
}

// TestClockJumps: the clock decides nothing but what progress says.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	want := embedded(t)
	out := filepath.Join(t.TempDir(), "out")
	c := newConsole(nil, nil)
	var looks atomic.Int64
	jumps := []time.Duration{0, 400 * 24 * time.Hour, -400 * 24 * time.Hour, time.Hour, -time.Hour}
	c.now = func() time.Time {
		n := looks.Add(1)
		return time.Unix(2e9, 0).Add(jumps[n%int64(len(jumps))])
	}
	if code := run(t.Context(), small("--out", out, "--workers", "2"), c.system); code != exitDone {
		t.Fatalf("exit %d: %s", code, &c.err)
	}
	if c.err.String() == "" || strings.Contains(c.err.String(), " -") {
		t.Errorf("progress: %q", c.err.String())
	}
	for _, name := range []string{"cells.csv", "report.md"} {
		if d := cmp.Diff(fileText(t, filepath.Join(want, name)), fileText(t, filepath.Join(out, name))); d != "" {
			t.Error(d)
		}
	}
}

// TestFailedCellsAlone: a failure is a record, does not stop the others, is
// named, and is all that the next run plays again.
func TestFailedCellsAlone(t *testing.T) {
	t.Parallel()
	var healthy atomic.Bool
	var calls atomic.Int64
	s := serve(t, "", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if n := calls.Add(1); !healthy.Load() && n%17 == 0 {
				http.Error(w, `{"error":{"message":"this prompt is not liked"}}`, http.StatusBadRequest)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	out := filepath.Join(t.TempDir(), "out")
	args := small("--out", out, "--workers", "3", "--model", modelFile(t, s.url))
	said := program(t, exitFound, args...).out.String()
	kept, ends := recorded(t, out), 0
	finished := map[string]os.FileInfo{}
	for path, text := range journals(t, out) {
		if !strings.HasSuffix(path, "events.jsonl") {
			continue
		}
		if strings.Contains(text, `{"end":{"status":"done"}}`) {
			finished[path] = info(t, filepath.Join(out, "cells", path))
		} else {
			ends++
		}
	}
	if ends < 4 || len(finished)+ends != 16 {
		t.Fatalf("%d cells failed, %d finished, want at least 4, and 16 together", ends, len(finished))
	}
	for _, want := range []string{strconv.Itoa(len(finished)) + " cells done", strconv.Itoa(ends) + " cells without a result:\n", "this prompt is not liked"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if !strings.Contains(fileText(t, filepath.Join(out, "report.md")), "this prompt is not liked") {
		t.Error("the report does not say why")
	}
	before := calls.Load()
	healthy.Store(true)
	resumed(t, out, args)
	if made := int(calls.Load() - before); made != sum(recorded(t, out))-sum(kept) {
		t.Errorf("%d calls made, %d were missing", made, sum(recorded(t, out))-sum(kept))
	}
	for path, was := range finished {
		if is := info(t, filepath.Join(out, "cells", path)); !os.SameFile(was, is) || is.ModTime() != was.ModTime() || is.Size() != was.Size() {
			t.Errorf("%s had a result and was touched", path)
		}
	}
}

func info(t *testing.T, path string) os.FileInfo {
	t.Helper()
	i, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return i
}
