package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics/export"
)

// exportFlags are the flags of `skillbench export`.
type exportFlags struct {
	format string
	what   string
	out    string
}

func exportCommand(s system) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use:   "export DIR",
		Short: "Give cells, steps or calls of a run to other programs",
		Long: `Export derives tables from the journals of a run:

  --what cells   a row per cell: the columns of cells.csv
  --what steps   a row per finished step: event, action, oracle, tokens, sizes
  --what chat    a file per episode, <cell>.jsonl, a line per call: the prompt as
                 system and user message, the reply as assistant message

Cells and steps are CSV, JSONL (null: not known) or Parquet. Every row says the
version of the schema (now 1); a later one only adds columns behind these.
Journals of older versions are read as well.`,
		Example: `  skillbench export out/table1 --what steps --format parquet --out steps.parquet
  skillbench export out/table1 --what chat --out chats`,
		Args: oneArg("DIR, the folder of a run"),
		RunE: func(_ *cobra.Command, args []string) error { return exportRun(s, args[0], f) },
	}
	c.Flags().StringVar(&f.format, "format", "", "csv, jsonl or parquet (default csv; chat is always jsonl)")
	c.Flags().StringVar(&f.what, "what", "cells", "cells, steps or chat")
	c.Flags().StringVarP(&f.out, "out", "o", "", "file to write, or folder for chat (default for csv and jsonl: standard output)")
	return c
}

func exportRun(s system, dir string, f exportFlags) error {
	if f.out != "" && (journal.IsRun(filepath.Dir(f.out)) || journal.IsRun(f.out)) {
		return fmt.Errorf("--out %s: want a place outside of the folder of a run, whose files are all derived", f.out)
	}
	if f.what == "chat" {
		return exportChat(s, dir, f)
	}
	tables := map[string]func(string, io.Writer, export.Format) error{"cells": export.Cells, "steps": export.Steps}
	table, ok := tables[f.what]
	if !ok {
		return fmt.Errorf("--what: want cells, steps or chat, got %q", f.what)
	}
	format := export.Format(f.format)
	switch format {
	case "":
		format = export.CSV
	case export.CSV, export.JSONL, export.Parquet:
	default:
		return fmt.Errorf("--format: want csv, jsonl or parquet, got %q", f.format)
	}
	if f.out != "" {
		return journal.Replace(f.out, func(w io.Writer) error { return table(dir, w, format) })
	}
	if format == export.Parquet {
		return errors.New("--format parquet: want --out FILE")
	}
	return table(dir, s.stdout, format)
}

func exportChat(s system, dir string, f exportFlags) error {
	if f.format != "" && f.format != string(export.JSONL) {
		return fmt.Errorf("--format: chat is always jsonl, got %q", f.format)
	}
	if f.out == "" {
		return errors.New("--what chat: want --out DIR")
	}
	if err := os.MkdirAll(f.out, 0o755); err != nil {
		return err
	}
	files := 0
	err := export.Chats(dir, func(c record.Cell, r *journal.Reader) error {
		files++
		return journal.Replace(filepath.Join(f.out, c.ID+".jsonl"), func(w io.Writer) error { return export.Chat(c, r, w) })
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.stdout, "%s: %s\n", numbered(files, "episode"), f.out)
	return nil
}
