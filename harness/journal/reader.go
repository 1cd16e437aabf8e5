package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A Reader streams the journal of one episode. Only the texts are held in
// memory.
type Reader struct {
	path  string
	dir   string
	size  int64 // of the events, when it was opened
	texts []string
	lanes map[string]prompt.Prompt
}

// Read opens the journal in a cell's directory. A torn last line is passed
// over; any other damage is an error with file and line. The episode may be
// running: what is written after this is not read.
func Read(cellDir string) (*Reader, error) {
	r := &Reader{dir: cellDir, path: filepath.Join(cellDir, "events.jsonl"), lanes: map[string]prompt.Prompt{}}
	info, err := os.Stat(r.path) // before the texts, which are written before the events that refer to them
	if err != nil {
		return nil, err
	}
	r.size = info.Size()
	path := filepath.Join(cellDir, "segments.jsonl")
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() // only read from
	_, err = eachLine(file, path, func(line []byte) error {
		var text string
		if err := json.Unmarshal(line, &text); err != nil {
			return errors.New("damaged: want a JSON string")
		}
		r.texts = append(r.texts, text)
		return nil
	})
	return r, err
}

// Text returns a stored text by its number.
func (r *Reader) Text(n int) (string, error) {
	if n < 1 || n > len(r.texts) {
		return "", fmt.Errorf("%s: text %d is missing: %d are stored", filepath.Join(r.dir, "segments.jsonl"), n, len(r.texts))
	}
	return r.texts[n-1], nil
}

// Reply is the reply of a call.
func (r *Reader) Reply(c Call) (record.Reply, error) { return c.reply(r.Text) }

// Each calls f with every event in order. A journal that breaks the order in
// which an episode writes is damaged. An error of f ends it; it comes back with
// file and line in front.
func (r *Reader) Each(f func(Event) error) error {
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close() // only read from
	var o order
	_, err = eachLine(io.LimitReader(file, r.size), r.path, func(line []byte) error {
		var e Event
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("damaged: %w", err)
		}
		if err := o.event(e); err != nil {
			return err
		}
		return f(e)
	})
	return err
}

// Prompt rebuilds the prompt of a call. Calls must be given in the order of the
// journal, each once, because a prompt is stored as its difference from the one
// before.
func (r *Reader) Prompt(c Call) (prompt.Prompt, error) {
	p, err := c.Splice.Apply(r.lanes[c.Lane()], r.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: prompt of step %d: %w", r.path, c.Step, err)
	}
	r.lanes[c.Lane()] = p
	return p, nil
}
