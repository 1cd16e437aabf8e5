package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"skillbench/harness"
	"skillbench/harness/config"
	"skillbench/harness/journal"
	"skillbench/metrics/report"
)

// A collection is a file that names experiments instead of being one. They run
// one after another, each into a folder of its own, and share a report.
type collection struct {
	Name        string   `yaml:"name" json:"name"`
	Title       string   `yaml:"title" json:"title"`
	Experiments []string `yaml:"experiments" json:"-"` // files, seen from the collection's folder
	Parts       []string `yaml:"-" json:"parts"`       // folders of the runs
}

// collectionFile lists the parts in the folder of a collection.
const collectionFile = "collection.json"

// readCollection reads a file that has experiments; ok is false for others.
func readCollection(file string) (c collection, ok bool, err error) {
	data, err := config.ReadFile(file)
	if err != nil {
		return c, false, nil // said better by who reads an experiment
	}
	node, err := config.Parse(file, data)
	if err != nil {
		return c, false, err
	}
	if _, ok := node.Member("experiments"); !ok {
		return c, false, nil
	}
	if err := node.Decode(&c); err != nil {
		return c, true, err
	}
	if c.Name == "" || strings.ContainsAny(c.Name, "/\\ \t\n") || strings.HasPrefix(c.Name, ".") {
		return c, true, node.At(fmt.Errorf("name: want a name that can be a file name, got %q", c.Name))
	}
	seen := map[string]bool{}
	for i, e := range c.Experiments {
		part := strings.TrimSuffix(filepath.Base(e), filepath.Ext(e))
		if seen[part] || part == "" || strings.HasPrefix(part, ".") {
			return c, true, node.At(fmt.Errorf("experiments: want files of different names, got %q twice or none", e))
		}
		seen[part] = true
		c.Parts = append(c.Parts, part)
		c.Experiments[i] = filepath.Join(filepath.Dir(file), e)
	}
	if len(c.Parts) == 0 {
		return c, true, node.At(errors.New("experiments: want at least one"))
	}
	return c, true, nil
}

// runCollection runs every experiment that has not been stopped, and writes the
// one report.
func runCollection(ctx context.Context, s system, c collection, f runFlags) error {
	dir := f.out
	if dir == "" {
		dir = filepath.Join("out", c.Name)
	}
	if err := c.prepare(dir); err != nil {
		return err
	}
	stopped, release := relay(&s)
	defer release()
	var found error
	for i, file := range c.Experiments {
		part := f
		part.out = filepath.Join(dir, c.Parts[i])
		part.resume = f.resume && exists(part.out)
		for _, tapes := range []*string{&part.record, &part.replay} {
			if *tapes != "" {
				*tapes = filepath.Join(*tapes, c.Parts[i])
			}
		}
		fmt.Fprintf(s.stderr, "%s (%d of %d)\n", plain(file), i+1, len(c.Experiments))
		if err := runFile(ctx, s, file, part); errors.Is(err, errFound) {
			found = err
		} else if err != nil {
			return err
		}
		if stopped() {
			fmt.Fprintln(s.stdout, "stopped: run the same command again to go on")
			return found
		}
	}
	if err := c.render(s, dir); err != nil {
		return err
	}
	return found
}

func exists(dir string) bool {
	_, err := journal.ReadManifest(dir)
	return err == nil
}

// prepare makes the folder and refuses one that holds something else.
func (c collection) prepare(dir string) error {
	if _, err := os.Stat(filepath.Join(dir, collectionFile)); err != nil {
		if err := unused(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	data, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		return err
	}
	return journal.WriteFile(filepath.Join(dir, collectionFile), append(data, '\n'))
}

// render writes the one report from the folders that have a run.
func (c collection) render(s system, dir string) error {
	r, err := report.Collect(dir, c.Title, c.Parts)
	if err != nil {
		return err
	}
	if err := r.Write(dir); err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.stdout, "%s: %s\n", numbered(len(c.Parts), "experiment"), filepath.Join(dir, "report.md"))
	return err
}

// renderCollection derives all reports of a collection again; ok is false where
// the folder is none. It cannot be held to a baseline.
func renderCollection(s system, dir string, gated bool) (ok bool, err error) {
	path := filepath.Join(dir, collectionFile)
	data, err := config.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	if gated {
		return true, errGate
	}
	var c collection
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&c); err != nil {
		return true, fmt.Errorf("%s: damaged: %w", path, err)
	}
	var all []harness.Failure
	for _, p := range c.Parts {
		if !filepath.IsLocal(p) {
			return true, fmt.Errorf("%s: damaged: want folders within it, got %q", path, p)
		}
		r, err := render(filepath.Join(dir, p))
		if err != nil {
			return true, err
		}
		all = append(all, r.Damaged()...)
	}
	if err := c.render(s, dir); err != nil {
		return true, err
	}
	return true, conclude(s, harness.Result{Failed: all})
}

// relay passes interrupts on to whoever listens now and remembers that there
// was one.
func relay(s *system) (stopped func() bool, release func()) {
	var seen atomic.Bool
	from, to, done := s.interrupts, make(chan os.Signal, 2), make(chan struct{})
	go func() {
		for {
			select {
			case sig := <-from:
				seen.Store(true)
				to <- sig
			case <-done:
				return
			}
		}
	}()
	s.interrupts = to
	return seen.Load, func() { close(done) }
}
