package cassette

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"sync"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A Player is a model that answers from a cassette and from nothing else.
// What it holds in memory is about a hundred bytes an exchange and sixteen a
// text; replies and texts stay in the file.
type Player struct {
	file     *os.File
	decoding []byte
	found    map[sum]place
	entries  []entry
	texts    []place // of the line that holds the text, by number of the text
	cells    map[string]int32

	mu    sync.Mutex
	cache map[int64][]string // texts by offset of their line, for misses
	held  int                // bytes in cache
}

var _ model.Model = (*Player)(nil)

// An entry is an exchange, for telling what is near a request that is not
// recorded.
type entry struct {
	at            place
	number        int32 // line
	cell          int32
	step, attempt int32
	repeat        int32
	summary       bool
}

// Replay opens a cassette. decoding must be what the recorder was given, else
// no request is found.
func Replay(path string, decoding []byte) (*Player, error) {
	if _, err := settingsOf(decoding, model.Request{}); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	p := &Player{file: file, decoding: decoding, found: map[sum]place{}, cells: map[string]int32{}}
	if _, _, err := scan(file, p.add); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return p, nil
}

// add takes a line in. A request that is recorded twice counts as it was
// recorded last: the first time the run did not get to keep it.
func (p *Player) add(number int, at place, l *line) {
	var key sum
	_, _ = hex.Decode(key[:], []byte(l.Key)) // scan has checked it
	p.found[key] = at
	cell, known := p.cells[l.Cell]
	if !known {
		cell = int32(len(p.cells))
		p.cells[l.Cell] = cell
	}
	p.entries = append(p.entries, entry{
		at: at, number: int32(number), cell: cell,
		step: int32(l.Step), attempt: int32(l.Attempt), repeat: int32(l.Repeat), summary: l.Purpose == record.ForSummary,
	})
	for range l.Texts {
		p.texts = append(p.texts, at)
	}
}

// Generate returns what was recorded for the request. Where nothing was, the
// error is a *model.Error of class replay that shows the nearest request.
func (p *Player) Generate(ctx context.Context, req model.Request) (record.Reply, error) {
	if ctx.Err() != nil {
		return record.Reply{}, &model.Error{Class: model.Canceled, Message: fmt.Sprint(context.Cause(ctx))}
	}
	settings, err := settingsOf(p.decoding, req)
	if err != nil {
		return record.Reply{}, replayError(err)
	}
	at, ok := p.found[keyOf(settings, promptSum(req.Prompt), req)]
	if !ok {
		return record.Reply{}, p.miss(req, settings)
	}
	l, err := p.read(at)
	if err != nil {
		return record.Reply{}, replayError(err)
	}
	if l.Error != nil {
		return record.Reply{}, l.Error
	}
	return l.Reply.Clean(), nil
}

func replayError(err error) error {
	return &model.Error{Class: model.Replay, Message: fmt.Sprintf("%.600s", err.Error())}
}

// read parses the line at a place again. The file may have changed meanwhile.
func (p *Player) read(at place) (*line, error) {
	data := make([]byte, at.size)
	if _, err := p.file.ReadAt(data, at.offset); err != nil {
		return nil, err
	}
	var l line
	if err := json.Unmarshal(data, &l); err != nil || (l.Reply == nil) == (l.Error == nil) {
		return nil, fmt.Errorf("%s: the file was changed while it was replayed", p.file.Name())
	}
	return &l, nil
}

// Close closes the file.
func (p *Player) Close() error { return p.file.Close() }
