package journal

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"skillbench/harness/record"
)

// A Merger puts the parts of a run together.
type Merger struct {
	Manifest Manifest          // of the whole run
	From     map[string]string // the folder whose journal of a cell is taken
	Gaps     []Gap             // cells without a result, in the order of the manifest
	Doubles  []Double          // cells that have equal results in more than one folder
}

// A Gap is a cell without a result. It can be played in the merged folder.
type Gap struct {
	Cell record.Cell
	Why  string
}

// A Double is a cell with its result in two folders; the first is taken.
type Double struct {
	Cell          record.Cell
	First, Second string
}

// part is one folder to merge.
type part struct {
	dir      string
	manifest Manifest
}

// NewMerger reads the manifests of folders, and refuses those that are no parts
// of one run. It also refuses a cell with different results in two folders.
func NewMerger(dirs ...string) (*Merger, error) {
	m := &Merger{From: map[string]string{}}
	var parts []part
	for i, dir := range dirs {
		manifest, err := ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part{dir, manifest})
		if i == 0 {
			m.Manifest = manifest.whole()
		} else if m.Manifest, err = manifest.whole().Join(m.Manifest); err != nil {
			return nil, fmt.Errorf("%s is part of another run than %s: %w", partName(dir, manifest), partName(dirs[0], parts[0].manifest), err)
		}
	}
	holds := map[string][]string{}
	for _, p := range parts {
		for _, c := range p.manifest.Cells {
			holds[c.ID] = append(holds[c.ID], p.dir)
		}
	}
	for _, c := range m.Manifest.Cells {
		if err := m.choose(c, holds[c.ID]); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// choose takes the first result of a cell, or else the journal that got
// furthest.
func (m *Merger) choose(c record.Cell, dirs []string) error {
	why, longest, finished := "it is in none of the folders", int64(-1), ""
	for _, dir := range dirs {
		cellDir := CellDir(dir, c.ID)
		end, err := EndOf(cellDir)
		if err != nil {
			return err
		}
		if StatusOf(end).Final() {
			if finished == "" {
				finished, m.From[c.ID] = dir, dir
				continue
			}
			if err := equal(CellDir(finished, c.ID), cellDir); err != nil {
				return fmt.Errorf("cell %s has different results in %s and %s; leave one of them out: %w", c.ID, finished, dir, err)
			}
			m.Doubles = append(m.Doubles, Double{c, finished, dir})
			continue
		}
		if longest < 0 {
			why = "not begun"
		}
		info, err := os.Stat(filepath.Join(cellDir, "events.jsonl"))
		if err == nil && finished == "" && info.Size() > longest {
			longest, m.From[c.ID], why = info.Size(), dir, string(StatusOf(end))
		}
	}
	if finished == "" {
		m.Gaps = append(m.Gaps, Gap{c, why})
	}
	return nil
}

func equal(a, b string) error {
	for _, name := range []string{"events.jsonl", "segments.jsonl"} {
		one, err := os.ReadFile(filepath.Join(a, name))
		if err != nil {
			return err
		}
		other, err := os.ReadFile(filepath.Join(b, name))
		if err != nil {
			return err
		}
		if !bytes.Equal(one, other) {
			return fmt.Errorf("%s differs", name)
		}
	}
	return nil
}

// Write puts manifest and journals into out, whose lock the caller holds. What
// is there already stays.
func (m *Merger) Write(out string) error {
	if err := m.Manifest.Write(out); err != nil {
		return err
	}
	gaps := map[string]bool{}
	for _, g := range m.Gaps {
		gaps[g.Cell.ID] = true
	}
	for _, c := range m.Manifest.Cells {
		from, ok := m.From[c.ID]
		if !ok || from == out {
			continue
		}
		if err := place(CellDir(from, c.ID), CellDir(out, c.ID), !gaps[c.ID]); err != nil {
			return err
		}
	}
	return nil
}

// place links a journal that has ended, or copies it where that cannot be. One
// that has not ended is always copied: both would be written on.
func place(from, to string, ended bool) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	names := []string{"events.jsonl", "segments.jsonl"} // events first: they may grow, and refer to the texts
	for _, name := range names {
		fresh := filepath.Join(to, leftover+name)
		if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if ended && os.Link(filepath.Join(from, name), fresh) == nil {
			continue
		}
		if err := copyFile(filepath.Join(from, name), fresh); err != nil {
			return err
		}
	}
	for i := range names {
		name := names[len(names)-1-i] // texts first: events must find them
		if err := os.Rename(filepath.Join(to, leftover+name), filepath.Join(to, name)); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() // only read from
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
