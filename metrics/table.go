package metrics

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"skillbench/harness/journal"
	"skillbench/metrics/stats"
)

// columns of cells.csv with the way each value is written. The order is part
// of the public format: new columns are appended.
var columns = []struct {
	name string
	text func(Row) string
}{
	{"cell", func(r Row) string { return r.Cell.ID }},
	{"task", func(r Row) string { return r.Cell.Task }},
	{"agent", func(r Row) string { return r.Cell.Agent }},
	{"model", func(r Row) string { return r.Cell.Model }},
	{"model_kind", func(r Row) string { return r.Cell.ModelKind }},
	{"horizon", func(r Row) string { return strconv.Itoa(r.Cell.Horizon) }},
	{"seed", func(r Row) string { return strconv.FormatUint(r.Cell.Seed, 10) }},
	{"repeat", func(r Row) string { return strconv.Itoa(r.Cell.Repeat) }},
	{"noise", func(r Row) string { return strconv.Itoa(r.Cell.Noise) }},
	{"drift", func(r Row) string { return r.Cell.Drift }},
	{"steps", func(r Row) string { return strconv.Itoa(r.Steps) }},
	{"actionable", func(r Row) string { return strconv.Itoa(r.Actionable) }},
	{"correct", func(r Row) string { return count(r.Correct) }},
	{"valid", func(r Row) string { return count(r.Valid) }},
	{"score", func(r Row) string { return r.Score().CSV() }},
	{"belief", func(r Row) string { return r.Belief.CSV() }},
	{"calls", func(r Row) string { return strconv.Itoa(r.Calls) }},
	{"retries", func(r Row) string { return strconv.Itoa(r.Retries) }},
	{"prompt_tokens", func(r Row) string { return strconv.Itoa(r.PromptTokens) }},
	{"completion_tokens", func(r Row) string { return strconv.Itoa(r.CompletionTokens) }},
	{"total_tokens", func(r Row) string { return strconv.Itoa(r.PromptTokens + r.CompletionTokens) }},
	{"prompt_tokens_mean", func(r Row) string { return r.PromptTokensMean.CSV() }},
	{"prompt_tokens_max", func(r Row) string { return count(r.PromptTokensMax) }},
	{"prompt_chars_mean", func(r Row) string { return r.PromptCharsMean.CSV() }},
	{"prompt_chars_max", func(r Row) string { return count(r.PromptCharsMax) }},
	{"state_chars_max", func(r Row) string { return count(r.StateCharsMax) }},
	{"drifts", func(r Row) string { return strconv.Itoa(r.Recovery.Drifts) }},
	{"recovered", func(r Row) string { return count(r.Recovery.Recovered) }},
	{"recovery_steps", func(r Row) string { return r.Recovery.Steps.CSV() }},
	{"status", func(r Row) string { return string(r.Status) }},
	{"world", func(r Row) string { return string(r.Cell.World) }},
}

func count(v stats.Value) string {
	if !v.OK {
		return ""
	}
	return fmt.Sprintf("%.0f", v.V)
}

// WriteCells writes cells.csv: one line per cell, in the order of rows.
func WriteCells(w io.Writer, rows []Row) error {
	out := csv.NewWriter(w)
	line := make([]string, len(columns))
	for i, c := range columns {
		line[i] = c.name
	}
	if err := out.Write(line); err != nil {
		return err
	}
	for _, r := range rows {
		for i, c := range columns {
			line[i] = c.text(r)
		}
		if err := out.Write(line); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// Rows measures every cell of a run directory, in the order of its manifest. A
// cell that has not begun has a row with the status interrupted.
func Rows(dir string, m journal.Manifest) ([]Row, error) {
	rows := make([]Row, len(m.Cells))
	for i, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		switch {
		case notBegun(err):
			rows[i] = Row{Cell: c, Actionable: c.Horizon, Status: journal.StatusOf(nil)}
			continue
		case err != nil:
			return nil, err
		}
		if rows[i], err = Measure(c, r); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

func notBegun(err error) bool { return errors.Is(err, fs.ErrNotExist) }
