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

	"github.com/gofrs/flock"

	"skillbench/harness/record"
)

// Lock makes this process the only one that writes to a run directory. The
// system frees the lock when the process ends, however it ends, so none is
// ever stale.
func Lock(dir string) (unlock func() error, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(dir, "lock"))
	got, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("%s: cannot lock: %w", dir, err)
	}
	if !got {
		return nil, fmt.Errorf("%s: another process is running here; wait for it or use another --out", dir)
	}
	return lock.Unlock, nil
}

// EndOf returns how the episode recorded in a cell's directory ended; nil where
// it has not, or has not begun. It reads only the end of the file.
func EndOf(cellDir string) (*End, error) {
	path := filepath.Join(cellDir, "events.jsonl")
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read from
	line, err := lastLine(file)
	if err != nil || line == nil {
		return nil, err
	}
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return nil, fmt.Errorf("%s:%d: damaged: %w", path, linesIn(path), err)
	}
	return e.End, nil
}

// linesIn counts the lines of a file; 0 where it cannot be read.
func linesIn(path string) int {
	file, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer file.Close() // only read from
	n := 0
	if _, err := eachLine(file, path, func([]byte) error { n++; return nil }); err != nil {
		return 0
	}
	return n
}

// lastLine returns the last complete line, or nil where that is longer than a
// closing event can be.
func lastLine(file *os.File) ([]byte, error) {
	const window = 64 << 10
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-window)
	tail, err := io.ReadAll(io.NewSectionReader(file, from, window))
	if err != nil {
		return nil, err
	}
	end := bytes.LastIndexByte(tail, '\n')
	if end < 0 || end != len(tail)-1 {
		return nil, nil // a torn last line is no end
	}
	begin := bytes.LastIndexByte(tail[:end], '\n') + 1
	if begin == 0 && from > 0 {
		return nil, nil
	}
	return tail[begin:end], nil
}

// Finished reports whether the episode has a result.
func Finished(cellDir string) (bool, error) {
	end, err := EndOf(cellDir)
	return end != nil && end.Status.Final(), err
}

// StatusOf is how the episode ended, or Interrupted where it has not.
func StatusOf(end *End) record.Status {
	if end == nil {
		return record.Interrupted
	}
	return end.Status
}
