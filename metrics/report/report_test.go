package report_test

import (
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/report"
)

var (
	update = flag.Bool("update", false, "write the golden report anew")
	rerun  = flag.Bool("rerun", false, "play the run that it is made from anew, too")
)

// The journals are kept, so that only a change of the report, or of how it
// reads them, changes the golden page.
func TestGoldenReport(t *testing.T) {
	t.Parallel()
	stored := filepath.Join("testdata", "tiny")
	if *rerun {
		if err := errors.Join(os.RemoveAll(stored), os.CopyFS(stored, os.DirFS(play(t, tiny, sometimesWrong)))); err != nil {
			t.Fatal(err)
		}
	}
	r, err := report.Build(stored)
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "tiny.md")
	if *update {
		if err := os.WriteFile(golden, r.Markdown(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(read(t, golden), string(r.Markdown())); diff != "" {
		t.Errorf("run with -update and read what changed:\n%s", diff)
	}
}

func TestSameJournalsGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	dir := play(t, strings.NewReplacer("[10]", "[20]\ndrifts: [none, secret_move]\nnoise: [0, 5]", "react, memory, stateful, skillstate", "react, skillstate").Replace(tiny), nil)
	a, b := written(t, dir), written(t, dir)
	files := 0
	err := filepath.WalkDir(a, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		name, _ := filepath.Rel(a, path)
		if read(t, path) != read(t, b, name) {
			t.Errorf("%s differs", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 50 {
		t.Errorf("only %d files were written", files)
	}
	for _, want := range []string{"plots/score_by_noise_T20_no_drift.svg", "plots/recovery_timeline_noise0_drift_secret_move.png", "tables/scores_noise5_no_drift.tex"} {
		if !exists(a, want) {
			t.Errorf("want %s", want)
		}
	}
}

// The tables of the report against a plain computation from cells.csv.
func TestTablesFollowFromCells(t *testing.T) {
	t.Parallel()
	dir := play(t, strings.Replace(tiny, "[10]", "[10, 20]", 1), sometimesWrong)
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := metrics.Rows(dir, m)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := metrics.WriteCells(&b, rows); err != nil {
		t.Fatal(err)
	}
	cells := filepath.Join(t.TempDir(), "cells.csv")
	if err := os.WriteFile(cells, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	out := written(t, dir)
	varied := 0
	for _, c := range []struct{ table, column, cells string }{
		{"scores", "score", "score"}, {"scores", "belief", "belief"},
		{"prompt_sizes", "prompt_chars", "prompt_chars_mean"}, {"prompt_sizes", "prompt_tokens", "prompt_tokens_mean"},
		{"total_tokens", "total_tokens", "total_tokens"}, {"total_tokens", "calls", "calls"},
	} {
		for _, got := range table(t, out, "tables", c.table+".csv") {
			var values []float64
			for _, cell := range table(t, cells) {
				if cell["horizon"] == got["horizon"] && cell["agent"] == got["agent"] && cell[c.cells] != "" {
					v, err := strconv.ParseFloat(cell[c.cells], 64)
					if err != nil {
						t.Fatal(err)
					}
					values = append(values, v)
				}
			}
			if len(values) == 0 {
				if got[c.column] != "" {
					t.Errorf("%s of %s: want no value, got %s", c.column, got["agent"], got[c.column])
				}
				continue
			}
			mean := (values[0] + values[1]) / 2
			sd := math.Abs(values[0]-values[1]) / math.Sqrt2
			if sd > 0 {
				varied++
			}
			near(t, c.column+" of "+got["agent"], got[c.column], mean)
			near(t, c.column+"_sd of "+got["agent"], got[c.column+"_sd"], sd)
		}
	}
	if varied == 0 {
		t.Error("want some spread to test")
	}
}

// near compares a field with six decimals with a value made from such fields.
func near(t *testing.T, what, field string, want float64) {
	t.Helper()
	got, err := strconv.ParseFloat(field, 64)
	if err != nil || math.Abs(got-want) > 2e-6*math.Max(1, math.Abs(want)) {
		t.Errorf("%s: want %f, got %q", what, want, field)
	}
}

// sometimesWrong spoils every seventh step of seed 1 and refuses to answer
// once.
func sometimesWrong(r model.Request, reply record.Reply) (record.Reply, error) {
	switch {
	case r.Purpose == record.ForStep && r.Seed == 1 && r.Step%7 == 3:
		reply.Text = "nothing to say"
	case r.Purpose == record.ForRetry && r.Step == 3 && r.Attempt == 1:
		reply.Text = "Action: Wait"
	}
	return reply, nil
}

func TestBuildRefusesWhatIsNoRun(t *testing.T) {
	t.Parallel()
	if _, err := report.Build(t.TempDir()); err == nil || !strings.Contains(err.Error(), "manifest.json") {
		t.Errorf("want an error about manifest.json, got %v", err)
	}
}

func TestPublishedFiguresStandBeside(t *testing.T) {
	t.Parallel()
	out := written(t, play(t, tiny, nil))
	for _, c := range []struct{ table, column, want, sd string }{
		{"scores", "paper_table1_score", "0.900000", "0.020000"},
		{"prompt_sizes", "paper_table1_prompt", "3249.000000", "94.000000"},
		{"total_tokens", "paper_table1_tokens", "9438.000000", "371.000000"},
	} {
		got := row(t, table(t, out, "tables", c.table+".csv"), "agent", "react", "horizon", "10")
		if got[c.column] != c.want || got[c.column+"_sd"] != c.sd {
			t.Errorf("%s: want %s ± %s, got %s ± %s", c.column, c.want, c.sd, got[c.column], got[c.column+"_sd"])
		}
	}
	if page := read(t, out, "report.md"); !strings.Contains(page, "(gemini-3-flash, table1)") {
		t.Error("want the model named beside published figures")
	}
}
