package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/export"
)

// version1 is a run that was made when the format of journals had version 1,
// with a torn end. It must stay as it is.
const version1 = "testdata/v1"

// TestVersionOne: journals of version 1 give what they gave then. Later columns
// may stand behind those of that day.
func TestVersionOne(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]func(string, io.Writer, export.Format) error{"cells": export.Cells, "steps": export.Steps} {
		golden, err := os.Open(version1 + "." + name + ".csv")
		if err != nil {
			t.Fatal(err)
		}
		defer golden.Close()
		want := lines(t, golden)
		got := lines(t, bytes.NewReader(written(t, table, export.CSV)))
		for i := range got {
			got[i] = got[i][:min(len(got[i]), len(want[0]))]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-then +now):\n%s", name, d)
		}
	}
}

func written(t *testing.T, table func(string, io.Writer, export.Format) error, f export.Format) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := table(version1, &b, f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func lines(t *testing.T, r io.Reader) [][]string {
	t.Helper()
	all, err := csv.NewReader(r).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestFormatsAgree reads all three formats back.
func TestFormatsAgree(t *testing.T) {
	t.Parallel()
	t.Run("cells", func(t *testing.T) { t.Parallel(); agree[export.Cell](t, export.Cells, 4) })
	t.Run("steps", func(t *testing.T) { t.Parallel(); agree[export.Step](t, export.Steps, 21) })
}

func agree[T any](t *testing.T, table func(string, io.Writer, export.Format) error, rows int) {
	data := written(t, table, export.Parquet)
	file, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := file.Lookup("skillbench_schema"); !ok || v != "1" {
		t.Errorf("schema %q, %v", v, ok)
	}
	var names []string
	for _, f := range file.Schema().Fields() {
		names = append(names, f.Name())
	}
	if d := cmp.Diff(export.Columns[T](), names); d != "" {
		t.Error(d)
	}
	fromParquet, err := parquet.Read[T](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var fromJSON []T
	d := json.NewDecoder(bytes.NewReader(written(t, table, export.JSONL)))
	for d.More() {
		var row T
		if err := d.Decode(&row); err != nil {
			t.Fatal(err)
		}
		fromJSON = append(fromJSON, row)
	}
	if d := cmp.Diff(fromJSON, fromParquet); d != "" || len(fromJSON) != rows {
		t.Errorf("%d rows, want %d (-json +parquet):\n%s", len(fromJSON), rows, d)
	}
	text := lines(t, bytes.NewReader(written(t, table, export.CSV)))
	if d := cmp.Diff(names, text[0]); d != "" || len(text) != rows+1 {
		t.Errorf("csv has %d lines: %s", len(text), d)
	}
}

// TestCellsAreThoseOfTheTable: the columns of cells.csv, and their values.
func TestCellsAreThoseOfTheTable(t *testing.T) {
	t.Parallel()
	m, err := journal.ReadManifest(version1)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := metrics.Rows(version1, m)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := metrics.WriteCells(&table, rows); err != nil {
		t.Fatal(err)
	}
	want, got := lines(t, &table), lines(t, bytes.NewReader(written(t, export.Cells, export.CSV)))
	for i := range got {
		got[i] = got[i][1:] // the version
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("a column of cells.csv that is not exported, or differs (-cells.csv +export):\n%s", d)
	}
}

// TestChat: the messages before the assistant's are the prompt, byte for byte,
// and the assistant's is the reply.
func TestChat(t *testing.T) {
	t.Parallel()
	episodes, calls := 0, 0
	err := export.Chats(version1, func(c record.Cell, r *journal.Reader) error {
		episodes++
		var b bytes.Buffer
		if err := export.Chat(c, r, &b); err != nil {
			return err
		}
		again, err := journal.Read(filepath.Join(version1, "cells", c.ID))
		if err != nil {
			return err
		}
		out := json.NewDecoder(&b)
		err = again.Each(func(e journal.Event) error {
			if e.Call == nil {
				return nil
			}
			calls++
			var got export.Call
			if err := out.Decode(&got); err != nil {
				return err
			}
			p, err := again.Prompt(*e.Call)
			if err != nil {
				return err
			}
			reply, err := again.Reply(*e.Call)
			if err != nil {
				return err
			}
			checkCall(t, got, *e.Call, p, reply)
			return nil
		})
		if err == nil && out.More() {
			t.Errorf("%s: more lines than calls", c.ID)
		}
		return err
	})
	if err != nil || episodes != 4 || calls < 15 {
		t.Errorf("%d episodes, %d calls, %v", episodes, calls, err)
	}
}

func checkCall(t *testing.T, got export.Call, c journal.Call, p prompt.Prompt, reply record.Reply) {
	t.Helper()
	last := len(got.Messages) - 1
	var sent strings.Builder
	for _, m := range got.Messages[:last] {
		sent.WriteString(m.Content)
	}
	if sent.String() != p.Text() || got.Messages[last].Role != "assistant" || got.Messages[last].Content != reply.Text {
		t.Errorf("step %d: the messages are not the call", c.Step)
	}
	if last == 2 && (got.Messages[0].Role != "system" || got.Messages[0].Content != p.Only(prompt.Instructions)) || got.Messages[last-1].Role != "user" {
		t.Errorf("step %d: system %q", c.Step, got.Messages[0].Content)
	}
	if got.Schema != export.Version || got.Step != c.Step || got.Attempt != c.Attempt || got.Purpose != c.Purpose {
		t.Errorf("got %+v", got)
	}
}
