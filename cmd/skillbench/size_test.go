package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"skillbench/harness/journal"
)

// TestMemoryDoesNotGrowWithTheRun derives everything from a run and from one of
// ten times its journals. Decoded and kept, these would take some four times
// their size.
func TestMemoryDoesNotGrowWithTheRun(t *testing.T) {
	t.Parallel()
	one := filepath.Join(t.TempDir(), "one")
	program(t, exitDone, "run", "../../configs/table1.yaml", "--set", "horizons=[150]", "--set", "seeds=1", "--set", "agents=[skillstate]", "--out", one)
	few, many := multiplied(t, one, 3), multiplied(t, one, 30)
	grown := size(many) - size(few)
	for _, args := range [][]string{
		{"report", "DIR"},
		{"export", "DIR", "--what", "steps", "--format", "parquet", "--out", filepath.Join(t.TempDir(), "steps.parquet")},
		{"trace", "DIR", "warehouse-skillstate-2", "--step", "149"},
	} {
		more := peak(t, args, many) - peak(t, args, few)
		if more > grown {
			t.Errorf("%s: %d bytes more memory for %d bytes more of journals", args[0], more, grown)
		}
	}
}

// multiplied is a run of n cells with the journal of the only cell of another.
func multiplied(t *testing.T, run string, n int) string {
	t.Helper()
	m, err := journal.ReadManifest(run)
	if err != nil {
		t.Fatal(err)
	}
	dir, only := t.TempDir(), m.Cells[0]
	m.Cells = nil
	for i := range n {
		c := only
		c.ID, c.Seed = fmt.Sprintf("warehouse-skillstate-%d", i), uint64(i)
		m.Cells = append(m.Cells, c)
		from, to := journal.CellDir(run, only.ID), journal.CellDir(dir, c.ID)
		write(t, filepath.Join(to, "segments.jsonl"), fileText(t, filepath.Join(from, "segments.jsonl")))
		start, rest, _ := strings.Cut(fileText(t, filepath.Join(from, "events.jsonl")), "\n")
		var e journal.Event
		if err := json.Unmarshal([]byte(start), &e); err != nil {
			t.Fatal(err)
		}
		e.Start.Cell = c
		own, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(to, "events.jsonl"), string(own)+"\n"+rest)
	}
	if err := m.Write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// peak is the most memory that a process of the program held, in bytes, as its
// garbage collector tells after each mark.
func peak(t *testing.T, args []string, dir string) int {
	t.Helper()
	c := command(t, strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), "DIR", dir), "\x00")...)
	c.Env = append(os.Environ(), "GOGC=20", "GODEBUG=gctrace=1")
	most := 0
	for _, found := range live.FindAllStringSubmatch(exits(t, exitDone, c), -1) {
		n, err := strconv.Atoi(found[1])
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, n)
	}
	if most == 0 {
		t.Fatal("the garbage collector says nothing")
	}
	return most << 20
}

// live is the heap behind a mark in a line of GODEBUG=gctrace=1.
var live = regexp.MustCompile(`(?m)^gc \d+ .*\d+->\d+->(\d+) MB`)
