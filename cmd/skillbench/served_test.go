package main

import (
	"bytes"
	"encoding/csv"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/model/simserver"
	"skillbench/harness/record"
	"skillbench/tasks/skills/rank"
)

// A served is a simulated server on loopback.
type served struct {
	*simserver.Server
	url string
}

// serve starts one with a fault script; around may change what arrives and
// what is answered.
func serve(t testing.TB, script string, around func(http.Handler) http.Handler) served {
	t.Helper()
	o := simserver.Options{Languages: map[string]sim.Language{}, Embedder: rank.Trigrams{}, Clock: model.Wall()}
	for _, task := range kit(nil).Tasks {
		o.Languages[task.Name] = task.Language
	}
	if script != "" {
		var err error
		if o.Faults, err = simserver.ParseScript("faults.yaml", []byte(script)); err != nil {
			t.Fatal(err)
		}
	}
	s, err := simserver.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var h http.Handler = s
	if around != nil {
		h = around(s)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return served{s, server.URL}
}

// modelFile writes a model file; more are further lines of it.
func modelFile(t testing.TB, url string, more ...string) string {
	t.Helper()
	lines := append([]string{"name: served", "base_url: " + url + "/v1", "model: sim:perfect/warehouse?verbosity=300", "max_wait: 1ms"}, more...)
	path := filepath.Join(t.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A console is the outside world of one call of the program.
type console struct {
	system
	out, err output
}

// An output may be read while it is written.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func newConsole(env map[string]string, interrupts <-chan os.Signal) *console {
	c := &console{}
	c.system = system{stdout: &c.out, stderr: &c.err, env: func(k string) string { return env[k] }, now: time.Now, interrupts: interrupts}
	return c
}

// program runs it and demands an exit code.
func program(t testing.TB, want int, args ...string) *console {
	t.Helper()
	c := newConsole(nil, nil)
	if code := run(t.Context(), args, c.system); code != want {
		t.Fatalf("%q: exit %d, want %d\n%s%s", args, code, want, &c.out, &c.err)
	}
	return c
}

// small is table 1, cut to what a test has time for.
func small(args ...string) []string {
	return append([]string{"run", "../../configs/table1.yaml", "--set", "horizons=[5,10]", "--set", "seeds=2"}, args...)
}

// results are the lines of cells.csv without the columns that name the model or
// say what was billed.
func results(t testing.TB, dir string) [][]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var kept [][]string
	for _, line := range lines {
		var cells []string
		for i, name := range lines[0] {
			if name != "cell" && name != "model" && name != "model_kind" && !strings.HasPrefix(name, "billed_") {
				cells = append(cells, line[i])
			}
		}
		kept = append(kept, cells)
	}
	return kept
}

// calls lists every call of a run, and the attempts that were given up.
func calls(t testing.TB, dir string) (all []journal.Call, ends []journal.End) {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = r.Each(func(e journal.Event) error {
				if e.Call != nil {
					all = append(all, *e.Call)
				}
				if e.End != nil {
					ends = append(ends, *e.End)
				}
				return nil
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all, ends
}

// embedded is the folder of the small table 1 on the embedded model.
func embedded(t testing.TB, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	program(t, exitDone, small(append(args, "--out", out)...)...)
	return out
}

func TestTableOneThroughTheServer(t *testing.T) {
	t.Parallel()
	want := results(t, embedded(t))
	for name, more := range map[string][]string{
		"whole":    nil,
		"streamed": {"stream: true", "layout: system_user"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "", nil)
			out := filepath.Join(t.TempDir(), "out")
			program(t, exitDone, small("--out", out, "--workers", "4", "--model", modelFile(t, s.url, more...))...)
			if d := cmp.Diff(want, results(t, out)); d != "" {
				t.Error(d)
			}
			all, _ := calls(t, out)
			if l := s.Ledger(); len(all) != l.Calls || l.Calls != l.Replies {
				t.Errorf("%d calls in the journals, ledger %+v", len(all), l)
			}
			for _, c := range all {
				if usage := (record.Usage{Prompt: &c.Tokens, Completion: &c.Completion}); !cmp.Equal(&usage, c.Usage) {
					t.Fatalf("usage differs from the local count: %s", cmp.Diff(&usage, c.Usage))
				}
				if !strings.HasSuffix(c.Served, " "+sim.Served) {
					t.Fatalf("the record does not say that it is simulated: %q", c.Served)
				}
			}
			program(t, exitDone, "verify", out)
		})
	}
}
