package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/gofrs/flock"

	"skillbench/harness/journal"
	"skillbench/tasks/skills/rank"
)

// A vectorFile is a file of vectors in the making. Lines are added whole, so that
// what is there when its process ends can be gone on with.
type vectorFile struct {
	path     string
	embedder string
	size     int         // numbers of each vector; 0: there is none yet
	lines    []rank.Line // in the order of the file
	read     []byte      // the file as it was found
	file     *os.File    // to add to; nil: it is only read
}

// readVectorFile reads what is there of the inputs, and of others, by the embedder.
// No file is the same as an empty one. The vector of a skill in a version that now
// has another text is left out.
func readVectorFile(path, embedder string, inputs []rank.Input) (*vectorFile, error) {
	v := &vectorFile{path: path, embedder: embedder}
	data, err := rank.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return v, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the vectors: %w", path, err)
	}
	lines, of, size, err := rank.ReadLines(path, data)
	switch {
	case err != nil:
		return nil, err
	case of != "" && of != embedder:
		return nil, fmt.Errorf("%s: has vectors of %q, the model file's name is %q: use another --out, or give the model file that name if it is the same embedder", path, of, embedder)
	}
	v.read, v.size, v.lines = data, size, current(lines, inputs)
	return v, nil
}

// current leaves out lines of skills whose text is another one by now.
func current(lines []rank.Line, inputs []rank.Input) []rank.Line {
	now := map[[2]string]string{} // hash by skill and version
	for _, in := range inputs {
		now[[2]string{in.Skill, in.Version}] = in.Hash
	}
	return slices.DeleteFunc(lines, func(l rank.Line) bool {
		hash, wanted := now[[2]string{l.Skill, l.Version}]
		return l.Skill != "" && wanted && hash != l.Hash
	})
}

// missing lists the inputs that have no vector.
func (v *vectorFile) missing(inputs []rank.Input) []rank.Input {
	there := map[rank.Subject]bool{}
	for _, l := range v.lines {
		there[l.Subject] = true
	}
	return slices.DeleteFunc(slices.Clone(inputs), func(in rank.Input) bool { return there[in.Subject] })
}

// open makes the file one that can be added to.
func (v *vectorFile) open() error {
	if text := v.text(); !bytes.Equal(text, v.read) {
		if err := journal.WriteFile(v.path, text); err != nil {
			return v.unwritable(err)
		}
	}
	var err error
	if v.file, err = os.OpenFile(v.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return v.unwritable(err)
	}
	return nil
}

func (v *vectorFile) unwritable(err error) error {
	return fmt.Errorf("%s: cannot write the vectors: %w", v.path, pathless(err))
}

func (v *vectorFile) text() []byte {
	var text []byte
	for _, l := range v.lines {
		text = append(text, l.Text...)
	}
	return text
}

// add appends the vectors of inputs and has them on the disk when it returns.
func (v *vectorFile) add(inputs []rank.Input, vectors [][]float32) error {
	if v.size == 0 {
		v.size = len(vectors[0])
	}
	if n := len(vectors[0]); n != v.size {
		return fmt.Errorf("%s: has vectors of %s, the endpoint now makes some of %d: use another --out, and give another embedder another name", v.path, numbered(v.size, "number"), n)
	}
	var text []byte
	for i, in := range inputs {
		line, err := rank.NewLine(v.embedder, in.Subject, vectors[i])
		if err != nil {
			return err
		}
		v.lines, text = append(v.lines, line), append(text, line.Text...)
	}
	if _, err := v.file.Write(text); err != nil {
		return v.unwritable(err)
	}
	return v.file.Sync()
}

// close ends the making, and puts the lines in order where they are not, so that
// the file does not tell how often it was gone on with. Where nothing came of it,
// no file is left.
func (v *vectorFile) close() error {
	if err := v.file.Close(); err != nil {
		return v.unwritable(err)
	}
	if v.read == nil && len(v.lines) == 0 {
		return os.Remove(v.path)
	}
	compare := func(a, b rank.Line) int { return a.Compare(b.Subject) }
	if slices.IsSortedFunc(v.lines, compare) {
		return nil
	}
	slices.SortFunc(v.lines, compare)
	if err := journal.WriteFile(v.path, v.text()); err != nil {
		return v.unwritable(err)
	}
	return nil
}

// lockFile makes this process the only one that adds to a file. The system frees
// the lock when the process ends, however it ends.
func lockFile(path string) (unlock func() error, err error) {
	name := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
	lock := flock.New(name)
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be written: %w", path, pathless(err))
	}
	if got && stands(lock) {
		return func() error { return errors.Join(os.Remove(name), lock.Unlock()) }, nil
	}
	if err := lock.Close(); err != nil {
		return nil, fmt.Errorf("%s: cannot be unlocked: %w", name, pathless(err))
	}
	return nil, fmt.Errorf("%s: another process is writing it; wait for it or use another --out", path)
}

// stands reports whether the file of a lock is still the one of its name: who had
// the lock before takes the file away, and a third may have made it anew.
func stands(lock *flock.Flock) bool {
	ours, err := lock.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(lock.Path())
	return err == nil && os.SameFile(ours, now)
}
