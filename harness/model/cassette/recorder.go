package cassette

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// What a recorder remembers to store texts once. Past these bounds it forgets,
// and stores a few texts again.
const (
	maxNumbers = 1 << 17
	maxCells   = 1 << 10
)

// A Recorder is a model that writes down its exchanges.
type Recorder struct {
	inner    model.Model
	decoding []byte

	mu      sync.Mutex
	file    *os.File
	end     int64                    // of the last whole line
	texts   int                      // in the file
	numbers map[sum]int              // of texts
	last    map[string]prompt.Prompt // of each cell
}

var _ model.Model = (*Recorder)(nil)

// Record opens a cassette to add to, which need not exist. decoding is what
// shapes the replies of inner, as JSON; it must not hold a key. A last line
// that a crash tore is cut off.
func Record(inner model.Model, path string, decoding []byte) (*Recorder, error) {
	if _, err := settingsOf(decoding, model.Request{}); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	end, texts, err := scan(file, func(int, place, *line) {})
	if err == nil {
		err = file.Truncate(end)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &Recorder{inner: inner, decoding: decoding, file: file, end: end, texts: texts, numbers: map[sum]int{}, last: map[string]prompt.Prompt{}}, nil
}

// Generate asks the inner model and records what came back: a reply, or an
// error that tells of the endpoint. Canceled calls and crossed limits tell of
// this session only and are not recorded.
func (r *Recorder) Generate(ctx context.Context, req model.Request) (record.Reply, error) {
	reply, err := r.inner.Generate(ctx, req)
	var failed *model.Error
	if err != nil && (!errors.As(err, &failed) || failed.Class != model.Deterministic && failed.Class != model.Transient) {
		return reply, err
	}
	l := &line{Error: failed}
	if err == nil {
		l.Reply = &reply
	}
	if writeErr := r.write(l, req); writeErr != nil {
		return reply, &model.Error{Class: model.Deterministic, Message: "the reply could not be recorded: " + writeErr.Error()}
	}
	return reply, err
}

func (r *Recorder) write(l *line, req model.Request) error {
	settings, err := settingsOf(r.decoding, req)
	if err != nil {
		return err
	}
	asked := promptSum(req.Prompt)
	l.Version, l.Key, l.Prompt = Version, keyOf(settings, asked, req).String(), asked.String()
	l.Cell, l.Agent, l.Purpose, l.Step, l.Attempt, l.Repeat = req.Cell, req.Agent, req.Purpose, req.Step, req.Attempt, req.Repeat
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget()
	l.Settings = r.number(l, settings)
	prev, known := r.last[req.Cell]
	l.Base, l.Splice = !known, r.splice(l, prev, req.Prompt)
	if err := r.append(l); err != nil {
		return err
	}
	r.texts += len(l.Texts)
	r.last[req.Cell] = req.Prompt
	return nil
}

func (r *Recorder) forget() {
	if len(r.numbers) > maxNumbers {
		clear(r.numbers)
	}
	if len(r.last) > maxCells {
		clear(r.last)
	}
}

// number is the number of a text, which becomes part of the line if it is new.
func (r *Recorder) number(l *line, text string) int {
	s := sum(sha256.Sum256([]byte(text)))
	if n, ok := r.numbers[s]; ok {
		return n
	}
	n := r.texts + len(l.Texts)
	r.numbers[s] = n
	l.Texts = append(l.Texts, text)
	return n
}

func (r *Recorder) splice(l *line, prev, next prompt.Prompt) prompt.Splice {
	splice := make(prompt.Splice, len(next))
	for i, section := range next {
		var old []prompt.Segment
		if i < len(prev) {
			old = prev[i]
		}
		e := &splice[i]
		e.Skip, e.Keep = prompt.Overlap(old, section)
		for _, s := range section[e.Keep:] {
			e.Add = append(e.Add, prompt.Ref{Kind: s.Kind, From: s.From, To: s.To, Text: r.number(l, s.Text)})
		}
	}
	return splice
}

// append writes a line in one piece, so that a crash tears the last one only.
// Where writing fails nothing of the line stays, nor the numbers that went
// with it.
func (r *Recorder) append(l *line) error {
	var data bytes.Buffer
	enc := json.NewEncoder(&data)
	enc.SetEscapeHTML(false)
	err := enc.Encode(l)
	if err == nil && data.Len() > MaxLine {
		err = fmt.Errorf("%s: the exchange takes %d bytes, a line holds %d", r.file.Name(), data.Len(), MaxLine)
	}
	if err == nil {
		_, err = r.file.WriteAt(data.Bytes(), r.end)
	}
	if err != nil {
		clear(r.numbers)
		return errors.Join(err, r.file.Truncate(r.end))
	}
	r.end += int64(data.Len())
	return nil
}

// Close ends the recording.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.file.Sync(), r.file.Close())
}
