package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// asking writes an experiment in which react plays, and llmlingua once by the
// built-in trigrams and once by the informer of a model file.
func asking(t testing.TB, file string, more ...string) string {
	t.Helper()
	lines := append([]string{"name: asking", "tasks: [warehouse]", `models: ["sim:perfect"]`, "horizons: [12]", "seeds: 2",
		"agents: [react, llmlingua, {base: llmlingua, name: asking, informer: " + file + "}]"}, more...)
	path := filepath.Join(t.TempDir(), "asking.yaml")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// scored are the calls of a run that ask for scores.
func scored(t testing.TB, dir string) (n int) {
	all, _ := calls(t, dir)
	for _, c := range all {
		if c.Purpose == record.ForScores {
			n++
		}
	}
	return n
}

// perCell are the calls for scores of one cell: one to try the informer, one for
// each turn but the last.
const perCell = 12

func TestAnInformerThroughTheServer(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	dir, x := t.TempDir(), asking(t, modelFile(t, s.url))
	out, tapes := filepath.Join(dir, "out"), filepath.Join(dir, "tapes")
	program(t, exitDone, "run", x, "--out", out, "--record", tapes)
	if l, n := s.Ledger(), scored(t, out); n != 2*perCell || l.Calls != n || l.Replies != n {
		t.Errorf("%d calls for scores recorded, ledger %+v", n, l)
	}
	program(t, exitDone, "verify", out)
	// The recording answers for the endpoint.
	again := filepath.Join(dir, "again")
	program(t, exitDone, "run", x, "--out", again, "--replay", tapes)
	if n := s.Ledger().Calls; n != 2*perCell {
		t.Errorf("replaying has sent %d calls", n-2*perCell)
	}
	for _, name := range []string{"cells.csv", "report.md"} {
		if d := cmp.Diff(fileText(t, filepath.Join(out, name)), fileText(t, filepath.Join(again, name))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	text := program(t, exitDone, "trace", out, "asking-T12-s1", "--step", "3").out.String()
	if !strings.Contains(text, "scores call: prompt of") || !strings.Contains(text, "what its last section tells:") {
		t.Error(text)
	}
}

func TestAnInformerThatFailsInPassing(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	program(t, exitDone, "run", asking(t, modelFile(t, serve(t, "", nil).url)), "--out", whole)
	s := serve(t, transient, nil)
	out := filepath.Join(t.TempDir(), "out")
	program(t, exitDone, "run", asking(t, modelFile(t, s.url, "retries: 9")), "--out", out)
	if d := cmp.Diff(results(t, whole), results(t, out)); d != "" {
		t.Error(d)
	}
	all, _ := calls(t, out)
	if failed := waste(all); failed.attempts == 0 || failed.attempts != s.Ledger().Calls-s.Ledger().Replies {
		t.Errorf("%d failed attempts recorded, ledger %+v", failed.attempts, s.Ledger())
	}
}

// TestAnInformerThatCannot fails the cells that ask it, with a way out, and no
// others.
func TestAnInformerThatCannot(t *testing.T) {
	t.Parallel()
	s := serve(t, "", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/v1/completions" {
				http.NotFound(w, r)
				return
			}
			next.ServeHTTP(w, r)
		})
	})
	out := filepath.Join(t.TempDir(), "out")
	c := program(t, exitFound, "run", asking(t, modelFile(t, s.url)), "--out", out)
	for _, want := range []string{"4 cells done", "2 cells without a result", "failed:deterministic: informer: HTTP 404: no such model or address", "or informer: ngrams"} {
		if !strings.Contains(c.out.String(), want) {
			t.Errorf("no %q in %s", want, &c.out)
		}
	}
	if n := scored(t, out); n != 0 {
		t.Errorf("%d calls for scores recorded", n)
	}
}

// TestLimitsHoldInformers: a run stops at its limit among calls for scores, and
// goes on where it stopped.
func TestLimitsHoldInformers(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	x, out := asking(t, modelFile(t, s.url), "workers: 1"), filepath.Join(t.TempDir(), "out")
	const enough = 2*12 + 2*12 + 7 // react and the trigrams play to the end
	c := program(t, exitFound, "run", x, "--out", out, "--set", "limits.calls="+strconv.Itoa(enough))
	if all, _ := calls(t, out); len(all) != enough || !strings.Contains(c.out.String(), "limit:calls") {
		t.Errorf("%d calls, want %d: %s", len(all), enough, &c.out)
	}
	sent := s.Ledger().Calls
	program(t, exitDone, "run", x, "--out", out, "--set", "limits.calls=1000")
	if n := scored(t, out); n != 2*perCell || s.Ledger().Calls != n || sent == 0 {
		t.Errorf("%d calls for scores recorded, %d before and %d in all sent", n, sent, s.Ledger().Calls)
	}
	program(t, exitDone, "verify", out)
}

// TestGivenUpAttemptsCount: attempts that came to nothing are sent, and count in
// every later session. React and the trigrams take the other 48 calls.
func TestGivenUpAttemptsCount(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	s := serve(t, "", func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			sent.Add(1)
			http.Error(w, `{"error":{"message":"loading"}}`, http.StatusServiceUnavailable)
		})
	})
	x, out := asking(t, modelFile(t, s.url, "retries: 2"), "workers: 1", "limits: {calls: 53}"), filepath.Join(t.TempDir(), "out")
	c := program(t, exitFound, "run", x, "--out", out)
	if n := sent.Load(); n != 6 || !strings.Contains(c.out.String(), "failed:transient") {
		t.Fatalf("%d requests, want three for each of two cells: %s", n, &c.out)
	}
	for range 3 {
		c := program(t, exitFound, "run", x, "--out", out)
		if n := sent.Load(); n != 6 || !strings.Contains(c.out.String(), "limit:calls") {
			t.Fatalf("%d requests after another session: %s", n, &c.out)
		}
	}
	if _, ends := calls(t, out); len(ends) != 6 || len(ends[4].Failed)+len(ends[5].Failed) != 6 {
		t.Errorf("%+v", ends)
	}
	program(t, exitDone, "verify", out)
}

func TestInformersCostMoney(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	x, out := asking(t, modelFile(t, s.url)), filepath.Join(t.TempDir(), "out")
	c := program(t, exitWrong, "run", x, "--out", out, "--set", "limits.money=1")
	if !strings.Contains(c.err.String(), "limits.money: model served has no price") {
		t.Error(c.err.String())
	}
	priced := asking(t, modelFile(t, s.url, "price: gpt-5-mini"), "workers: 1")
	for range 2 { // the second time the journals tell what was paid
		c = program(t, exitFound, "run", priced, "--out", out, "--set", "limits.money=0.000001")
		if !strings.Contains(c.out.String(), "limit:money") || s.Ledger().Calls != 1 {
			t.Errorf("%+v: %s", s.Ledger(), &c.out)
		}
	}
}

// TestEstimatesAskNoInformer: nobody listens at its address.
func TestEstimatesAskNoInformer(t *testing.T) {
	t.Parallel()
	out := program(t, exitDone, "estimate", asking(t, modelFile(t, "http://127.0.0.1:1"))).out.String()
	if !strings.Contains(out, "6 episodes") || !strings.Contains(out, "Calls for scores are counted as if sim:perfect answered them") {
		t.Error(out)
	}
}

// TestTwoFilesOfOneName cannot be told apart in a run's records.
func TestTwoFilesOfOneName(t *testing.T) {
	t.Parallel()
	one, two := modelFile(t, "http://127.0.0.1:1"), modelFile(t, "http://127.0.0.1:2")
	c := program(t, exitWrong, "run", asking(t, one), "--model", two, "--out", filepath.Join(t.TempDir(), "out"))
	if got := c.err.String(); !strings.Contains(got, ":1: name: served is the name of the model in "+two+" too") && !strings.Contains(got, ":1: name: served is the name of the model in "+one+" too") {
		t.Error(got)
	}
}

// TestInterruptedAmongScores stops a run at once while it waits for scores. What
// comes of it, taken up again, is the undisturbed run.
func TestInterruptedAmongScores(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "whole")
	program(t, exitDone, "run", asking(t, modelFile(t, serve(t, "", nil).url)), "--out", whole)
	for at := 1; at <= perCell; at += 4 {
		ctx, cancel := context.WithCancel(t.Context())
		var n atomic.Int32
		s := serve(t, "", func(next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if n.Add(1) == int32(at) {
					cancel()
				}
				next.ServeHTTP(w, r)
			})
		})
		x, out := asking(t, modelFile(t, s.url), "workers: 1"), filepath.Join(t.TempDir(), "out")
		c := newConsole(nil, nil)
		if code := run(ctx, []string{"run", x, "--out", out}, c.system); code != exitFound {
			t.Fatalf("exit %d: %s%s", code, &c.out, &c.err)
		}
		cancel()
		program(t, exitDone, "run", x, "--out", out)
		if d := cmp.Diff(fileText(t, filepath.Join(whole, "cells.csv")), fileText(t, filepath.Join(out, "cells.csv"))); d != "" {
			t.Errorf("stopped at call %d: %s", at, d)
		}
		m, err := journal.ReadManifest(whole)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range m.Cells {
			name := filepath.Join("cells", cell.ID, "events.jsonl")
			if fileText(t, filepath.Join(whole, name)) != fileText(t, filepath.Join(out, name)) {
				t.Errorf("stopped at call %d: %s differs", at, name)
			}
		}
	}
}
