package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"skillbench/harness/record"
)

// A Manifest says what a run directory holds: everything that decides its
// results, and the cells in the order in which results show them.
type Manifest struct {
	Version    int           `json:"version"`
	Name       string        `json:"name"`
	Title      string        `json:"title,omitempty"`
	Paper      []string      `json:"paper,omitempty"` // published tables to set beside
	Tokenizer  string        `json:"tokenizer"`
	Templates  string        `json:"templates"`               // hash
	Own        string        `json:"own_templates,omitempty"` // hash of those that replace shipped ones; journals of before do not tell
	Lag        int           `json:"lag"`
	Patience   int           `json:"patience"`
	Summarizer string        `json:"summarizer,omitempty"`
	Tasks      []Definition  `json:"tasks"`
	Agents     []Definition  `json:"agents"`
	Models     []Definition  `json:"models"`
	Cells      []record.Cell `json:"cells"`
	Shard      *Shard        `json:"shard,omitempty"` // nil for a whole run
	Made       Made          `json:"made"`
}

// A Definition is what a name in the results stands for.
type Definition struct {
	Name string          `json:"name"`
	Base string          `json:"base,omitempty"` // the task, or the strategy, or the kind of model
	Hash string          `json:"hash,omitempty"` // of the skill's files
	Keys json.RawMessage `json:"keys,omitempty"` // options, settings, or what shapes a model's replies
}

// Made says by what a run was made. It decides nothing.
type Made struct {
	Skillbench string `json:"skillbench,omitempty"` // version or revision
	Go         string `json:"go,omitempty"`
}

const manifestFile = "manifest.json"

// IsRun reports whether dir has a manifest, readable or not.
func IsRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestFile))
	return err == nil
}

// ReadManifest reads the manifest of a run directory.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	path := filepath.Join(dir, manifestFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("%s: want a run directory, found no %s", dir, manifestFile)
	}
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%s: damaged: %w", path, err)
	}
	if m.Version < 1 || m.Version > Version {
		return m, fmt.Errorf("%s: version %d of the format; this program reads 1 to %d", path, m.Version, Version)
	}
	seen := map[string]bool{}
	for i, c := range m.Cells {
		if !isCellID(c.ID) || seen[c.ID] {
			return m, fmt.Errorf("%s: damaged: cell %d has the id %.80q, which is no cell's or stands twice", path, i+1, c.ID)
		}
		seen[c.ID] = true
	}
	for noun, list := range map[string][]Definition{"task": m.Tasks, "agent": m.Agents, "model": m.Models} {
		if name, ok := doubled(list); ok {
			return m, fmt.Errorf("%s: damaged: %s %.80q is defined twice", path, noun, name)
		}
	}
	return m, nil
}

// doubled returns the first name that stands twice.
func doubled(list []Definition) (string, bool) {
	seen := map[string]bool{}
	for _, d := range list {
		if seen[d.Name] {
			return d.Name, true
		}
		seen[d.Name] = true
	}
	return "", false
}

// isCellID reports whether a text can be a cell's id, which names a folder.
func isCellID(id string) bool {
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' {
			return false
		}
	}
	return id != "" && len(id) <= 200
}

// Join returns the manifest of a run that adds m to what old holds. It refuses
// whatever is not an addition, and says what differs.
func (m Manifest) Join(old Manifest) (Manifest, error) {
	for _, d := range []struct{ key, old, new string }{
		{"name", old.Name, m.Name},
		{"tokenizer", old.Tokenizer, m.Tokenizer},
		{"templates", old.Templates, m.Templates},
		{"lag", fmt.Sprint(old.Lag), fmt.Sprint(m.Lag)},
		{"patience", fmt.Sprint(old.Patience), fmt.Sprint(m.Patience)},
		{"summarizer", old.Summarizer, m.Summarizer},
		{"shard", old.Shard.name(), m.Shard.name()},
	} {
		if d.old != d.new {
			return m, fmt.Errorf("%s was %q, is now %q", d.key, d.old, d.new)
		}
	}
	var err error
	if m.Tasks, err = joinDefinitions("task", old.Tasks, m.Tasks); err != nil {
		return m, err
	}
	if m.Agents, err = joinDefinitions("agent", old.Agents, m.Agents); err != nil {
		return m, err
	}
	if m.Models, err = joinDefinitions("model", old.Models, m.Models); err != nil {
		return m, err
	}
	m.Cells, m.Shard = joinCells(old.Cells, m.Cells), m.Shard.join(old.Shard)
	return m, nil
}

func joinDefinitions(noun string, old, new []Definition) ([]Definition, error) {
	known := map[string]Definition{}
	for _, d := range new {
		known[d.Name] = d
	}
	joined := new
	for _, o := range old {
		n, ok := known[o.Name]
		if !ok {
			joined = append(joined, o)
			continue
		}
		if o.Base != n.Base || o.Hash != n.Hash || !sameJSON(o.Keys, n.Keys) {
			return nil, fmt.Errorf("%s %s was %s, is now %s", noun, o.Name, o, n)
		}
	}
	return joined, nil
}

// String is the definition on one line.
func (d Definition) String() string {
	var keys bytes.Buffer
	if json.Compact(&keys, d.Keys) != nil {
		keys.Reset()
	}
	return strings.Join(strings.Fields(d.Base+" "+d.Hash+" "+keys.String()), " ")
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}

// joinCells keeps the order of the new plan where it holds all old cells, and
// else lists the old ones first.
func joinCells(old, new []record.Cell) []record.Cell {
	has := map[string]bool{}
	for _, c := range new {
		has[c.ID] = true
	}
	all := true
	for _, c := range old {
		all = all && has[c.ID]
	}
	if all {
		return new
	}
	first, second := old, new
	seen := map[string]bool{}
	var joined []record.Cell
	for _, c := range append(append([]record.Cell{}, first...), second...) {
		if !seen[c.ID] {
			seen[c.ID] = true
			joined = append(joined, c)
		}
	}
	return joined
}

// leftover begins the names of files that are to replace others.
const leftover = ".new-"

// Leftover reports whether a file of this name is what a crash left of one
// that was to replace another.
func Leftover(name string) bool { return strings.HasPrefix(name, leftover) }

// Sweep removes such files from a run directory. Only the holder of its lock
// may call it.
func Sweep(dir string) error {
	var err error
	for _, sub := range []string{"", "tables", "plots"} {
		entries, listing := os.ReadDir(filepath.Join(dir, sub))
		if listing != nil && !errors.Is(listing, fs.ErrNotExist) {
			err = errors.Join(err, listing)
		}
		for _, e := range entries {
			if Leftover(e.Name()) {
				err = errors.Join(err, os.Remove(filepath.Join(dir, sub, e.Name())))
			}
		}
	}
	return err
}

// WriteFile replaces a file of a run directory as a whole: a crash leaves the
// old one or the new one.
func WriteFile(path string, data []byte) error {
	return Replace(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// Replace is WriteFile for what is written bit by bit.
func Replace(path string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), leftover+"*")
	if err != nil {
		return err
	}
	err = write(temp)
	err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}

// Write puts the manifest into dir.
func (m Manifest) Write(dir string) error {
	data, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		return err
	}
	return WriteFile(filepath.Join(dir, manifestFile), append(data, '\n'))
}

// CellDir is where the journal of a cell lives.
func CellDir(dir, cell string) string { return filepath.Join(dir, "cells", cell) }
