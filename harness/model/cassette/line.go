// Package cassette records the exchanges with a model in a file and replays
// them: the same run again, without an endpoint or a key.
//
// A cassette is JSON lines, one exchange a line, in the order in which they
// ended. Every text is stored once, in the first line that needs it, and named
// by its number in the file from then on; a prompt is stored as what changed
// since the prompt before it in the same cell. The file therefore grows with
// the transcript, not with the sum of the prompts, also for strategies that
// show the whole history at every step. A last line that a crash tore is not
// part of the recording.
package cassette

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Version of the format, in every line.
const Version = 1

// A line is one exchange.
type line struct {
	Version  int            `json:"v"`
	Key      string         `json:"key"` // of the request, see keyOf
	Cell     string         `json:"cell"`
	Agent    string         `json:"agent,omitempty"`
	Purpose  record.Purpose `json:"purpose"`
	Step     int            `json:"step"`
	Attempt  int            `json:"attempt,omitempty"`
	Repeat   int            `json:"repeat,omitempty"`
	Texts    []string       `json:"texts,omitempty"` // the texts that are new, numbered on from the line before
	Settings int            `json:"settings"`        // number of the text that says how the model was called
	Prompt   string         `json:"prompt"`          // SHA-256 of the prompt
	Base     bool           `json:"base,omitempty"`  // the splice starts from nothing, as for the first in a cell, not from the cell's last prompt
	Splice   prompt.Splice  `json:"splice"`

	// One of the two.
	Reply *record.Reply `json:"reply,omitempty"`
	Error *model.Error  `json:"error,omitempty"`
}

func parseLine(data []byte) (*line, error) {
	var l line
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var version struct {
		V int `json:"v"`
	}
	if json.Unmarshal(data, &version) == nil && version.V != Version {
		return nil, fmt.Errorf("want version %d of the format, got %d", Version, version.V)
	}
	if err := dec.Decode(&l); err != nil {
		return nil, fmt.Errorf("want one recorded exchange, got %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("want one exchange a line, got more")
	}
	return &l, nil
}

// check looks at a line that follows so many texts.
func (l *line) check(texts int) error {
	texts += len(l.Texts)
	switch {
	case !isHash(l.Key):
		return fmt.Errorf("key: want 64 hexadecimal digits, got %.80q", l.Key)
	case !isHash(l.Prompt):
		return fmt.Errorf("prompt: want 64 hexadecimal digits, got %.80q", l.Prompt)
	case (l.Reply == nil) == (l.Error == nil):
		return errors.New("want a reply or an error")
	case l.Settings < 0 || l.Settings >= texts:
		return fmt.Errorf("settings: want a text below %d, got %d", texts, l.Settings)
	}
	for _, e := range l.Splice {
		for _, r := range e.Add {
			if r.Text < 0 || r.Text >= texts {
				return fmt.Errorf("splice: want texts below %d, got %d", texts, r.Text)
			}
		}
	}
	return nil
}

func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32
}
