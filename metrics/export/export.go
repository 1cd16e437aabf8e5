// Package export gives what the journals of a run hold to other programs: cells
// and steps as tables, calls as chat messages. It derives everything anew, a
// cell at a time, so that its memory does not grow with the run.
//
// The fields of Cell, Step and Call are a public, versioned schema. Version
// names it and stands in every row; a later version may add fields behind the
// others, and changes or removes none without a new number.
package export

import (
	"errors"
	"io"
	"io/fs"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/stats"
)

// Version of the schema.
const Version = 1

// each calls f with the journal of every cell that has begun, and without one
// for the others.
func each(dir string, f func(record.Cell, *journal.Reader) error) error {
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return err
	}
	for _, c := range m.Cells {
		r, err := journal.Read(journal.CellDir(dir, c.ID))
		if errors.Is(err, fs.ErrNotExist) {
			r, err = nil, nil
		}
		if err == nil {
			err = f(c, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Cells writes a row for every cell of a run directory.
func Cells(dir string, w io.Writer, f Format) error {
	s, err := newSink[Cell](w, f)
	if err != nil {
		return err
	}
	err = each(dir, func(c record.Cell, r *journal.Reader) error {
		row := metrics.Row{Cell: c, Actionable: c.Horizon, Status: record.Interrupted}
		if r != nil {
			var err error
			if row, err = metrics.Measure(c, r); err != nil {
				return err
			}
		}
		return s.write(cellOf(row))
	})
	return errors.Join(err, s.close())
}

// Steps writes a row for every finished step of a run directory.
func Steps(dir string, w io.Writer, f Format) error {
	s, err := newSink[Step](w, f)
	if err != nil {
		return err
	}
	err = each(dir, func(c record.Cell, r *journal.Reader) error {
		if r == nil {
			return nil
		}
		_, err := metrics.Walk(r, func(step metrics.Step) error { return s.write(stepOf(c, step)) })
		return err
	})
	return errors.Join(err, s.close())
}

// number is nil for an absent value.
func number(v stats.Value) *float64 {
	if !v.OK {
		return nil
	}
	return &v.V
}

// whole is a count that may be absent.
func whole(v stats.Value) *int64 {
	if !v.OK {
		return nil
	}
	n := int64(v.V)
	return &n
}
