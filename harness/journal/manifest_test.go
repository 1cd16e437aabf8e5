package journal_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

func manifest() journal.Manifest {
	return journal.Manifest{
		Version: journal.Version, Name: "table1", Title: "Table 1", Tokenizer: "o200k_base", Templates: "t", Lag: 1, Patience: 15, Summarizer: "sim",
		Tasks:  []journal.Definition{{Name: "warehouse", Base: "warehouse", Hash: "h", Keys: json.RawMessage(`{"warm_start":0,"weights":{"receive":1}}`)}},
		Agents: []journal.Definition{{Name: "react", Base: "react", Keys: json.RawMessage(`{"retry":2}`)}},
		Models: []journal.Definition{{Name: "sim:perfect", Base: "simulated", Keys: json.RawMessage(`{"sim":"perfect"}`)}},
		Cells:  cells("a", "b"),
	}
}

func cells(ids ...string) []record.Cell {
	var list []record.Cell
	for _, id := range ids {
		list = append(list, record.Cell{ID: id})
	}
	return list
}

// stored is a manifest as it comes back from a run directory.
func stored(t *testing.T, m journal.Manifest) journal.Manifest {
	t.Helper()
	dir := t.TempDir()
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestJoinTakesAdditions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*journal.Manifest)
		cells  string
	}{
		"nothing":      {func(*journal.Manifest) {}, "a b"},
		"another name": {func(m *journal.Manifest) { m.Title, m.Paper, m.Made = "T", []string{"table2"}, journal.Made{Go: "go2"} }, "a b"},
		"cells":        {func(m *journal.Manifest) { m.Cells = cells("a", "c", "b") }, "a c b"},
		"other cells":  {func(m *journal.Manifest) { m.Cells = cells("c", "b") }, "a b c"},
		"fewer cells":  {func(m *journal.Manifest) { m.Cells = cells("b") }, "a b"},
		"an agent": {func(m *journal.Manifest) {
			m.Agents = append([]journal.Definition{{Name: "memory", Base: "memory"}}, m.Agents...)
		}, "a b"},
		"another agent": {func(m *journal.Manifest) { m.Agents = []journal.Definition{{Name: "memory", Base: "memory"}} }, "a b"},
	} {
		next := manifest()
		c.change(&next)
		joined, err := next.Join(stored(t, manifest()))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var ids []string
		for _, cell := range joined.Cells {
			ids = append(ids, cell.ID)
		}
		if got := strings.Join(ids, " "); got != c.cells {
			t.Errorf("%s: cells %s, want %s", name, got, c.cells)
		}
		for _, want := range append(manifest().Agents, next.Agents...) {
			found := false
			for _, d := range joined.Agents {
				found = found || d.Name == want.Name
			}
			if !found {
				t.Errorf("%s: agent %s is gone", name, want.Name)
			}
		}
	}
}

func TestJoinRefusesAndNamesEverythingElse(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*journal.Manifest){
		`name was "table1", is now "x"`:          func(m *journal.Manifest) { m.Name = "x" },
		`tokenizer was "o200k_base", is now "x"`: func(m *journal.Manifest) { m.Tokenizer = "x" },
		`templates was "t", is now "x"`:          func(m *journal.Manifest) { m.Templates = "x" },
		`lag was "1", is now "2"`:                func(m *journal.Manifest) { m.Lag = 2 },
		`patience was "15", is now "2"`:          func(m *journal.Manifest) { m.Patience = 2 },
		`summarizer was "sim", is now ""`:        func(m *journal.Manifest) { m.Summarizer = "" },
		`task warehouse was warehouse h {"warm_start":0,"weights":{"receive":1}}, is now warehouse h {"warm_start":9}`: func(m *journal.Manifest) {
			m.Tasks[0].Keys = json.RawMessage(`{"warm_start":9}`)
		},
		`task warehouse was warehouse h {"warm_start":0,"weights":{"receive":1}}, is now warehouse i {"warm_start":0,"weights":{"receive":1}}`: func(m *journal.Manifest) {
			m.Tasks[0].Hash = "i"
		},
		`agent react was react {"retry":2}, is now memory {"retry":2}`:                         func(m *journal.Manifest) { m.Agents[0].Base = "memory" },
		`model sim:perfect was simulated {"sim":"perfect"}, is now simulated {"sim":"clumsy"}`: func(m *journal.Manifest) { m.Models[0].Keys = json.RawMessage(`{"sim":"clumsy"}`) },
	} {
		next := manifest()
		change(&next)
		if _, err := next.Join(stored(t, manifest())); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

func TestManifestRoundTrip(t *testing.T) {
	t.Parallel()
	want := manifest()
	got := stored(t, want)
	for _, list := range [][]journal.Definition{got.Tasks, got.Agents, got.Models} {
		for i := range list {
			list[i].Keys = json.RawMessage(strings.Join(strings.Fields(string(list[i].Keys)), ""))
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestManifestsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "manifest.json")
	if _, err := journal.ReadManifest(dir); err == nil || err.Error() != dir+": want a run directory, found no manifest.json" {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"":               path + ": damaged: ",
		`{"version":1`:   path + ": damaged: ",
		`{"version":0}`:  path + ": version 0 of the format; this program reads 1 to 1",
		`{"version":99}`: path + ": version 99 of the format; this program reads 1 to 1",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := journal.ReadManifest(dir); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

func TestWriteFileLeavesOldOrNew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "cells.csv")
	for _, text := range []string{"old", "new"} {
		if err := journal.WriteFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("got %q, %v", got, err)
		}
	}
	taken := filepath.Join(dir, "taken")
	if err := os.MkdirAll(filepath.Join(taken, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := journal.WriteFile(taken, nil); err == nil {
		t.Error("a folder was replaced by a file")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestOneWriterPerFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "run")
	unlock, err := journal.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Lock(dir); err == nil || !strings.Contains(err.Error(), "another process is running here") {
		t.Error(err)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	unlock, err = journal.Lock(dir)
	if err != nil {
		t.Fatal("a freed lock is still held:", err)
	}
	if err := unlock(); err != nil {
		t.Error(err)
	}
}

func TestEndOf(t *testing.T) {
	t.Parallel()
	const act = `{"act":{"action":"Wait"}}` + "\n"
	end := `{"end":{"status":"limit:calls","why":"enough"}}` + "\n"
	long := `{"act":{"action":"` + strings.Repeat("x", 100_000) + `"}}` + "\n"
	for text, want := range map[string]record.Status{
		"":                                       record.Interrupted,
		act:                                      record.Interrupted,
		act + end:                                "limit:calls",
		end:                                      "limit:calls",
		long + end:                               "limit:calls",
		long:                                     record.Interrupted,
		act + end[:len(end)-1]:                   record.Interrupted, // torn
		end + act:                                record.Interrupted,
		act + `{"end":{"status":"done"}}` + "\n": record.Done,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "events.jsonl"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := journal.EndOf(dir)
		if err != nil || journal.StatusOf(got) != want {
			t.Errorf("%.60q: got %+v, %v, want %s", text, got, err, want)
		}
		if finished, err := journal.Finished(dir); err != nil || finished != (want == record.Done) {
			t.Errorf("%.60q: finished %v, %v", text, finished, err)
		}
	}
	if got, err := journal.EndOf(t.TempDir()); got != nil || err != nil {
		t.Errorf("no journal: %v, %v", got, err)
	}
}
