package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"skillbench/harness/record"
)

// A Log is the journal of one episode while it runs. It first replays what an
// earlier run left: events written again are compared with those recorded, and
// recorded calls are handed out instead of being made. Then it appends.
type Log struct {
	path     string
	file     *os.File // nil: the journal is played again and not changed
	out      *bufio.Writer
	texts    *texts
	recorded [][]byte         // lines not yet replayed
	spoilt   []record.Failure // attempts of the call at which an earlier run gave the episode up
	offset   int64            // of the first of them
	line     int              // number of the first of them, from 1
}

// errLost ends the reading of events at a call whose texts are not stored.
var errLost = errors.New("a text of this call is lost")

// OpenLog opens or creates the journal in dir. A torn last line is cut off, of
// texts too; a machine that lost power may have lost texts of calls that stand
// in the events, and then the events from the first such call on are cut off. Any
// other damage is an error with file and line, and the files stay as they are.
func OpenLog(dir string) (*Log, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	texts, err := openTexts(filepath.Join(dir, "segments.jsonl"))
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "events.jsonl")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, errors.Join(err, texts.close())
	}
	l := &Log{path: path, file: file, out: bufio.NewWriter(file), texts: texts, line: 1}
	whole, err := eachLine(file, path, l.found)
	if err == nil || errors.Is(err, errLost) {
		err = errors.Join(texts.cut(), cutAt(file, whole))
	}
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	return l, nil
}

// found takes a line that an earlier run left.
func (l *Log) found(line []byte) error {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("damaged: %w", err)
	}
	if e.Call != nil && e.Call.newest() > len(l.texts.list) {
		return errLost
	}
	l.recorded = append(l.recorded, bytes.Clone(line))
	return nil
}

// Replaying reports whether recorded events are left.
func (l *Log) Replaying() bool { return len(l.recorded) > 0 }

// Status returns how the recorded episode ended, or "" where it did not.
func (l *Log) Status() (record.Status, error) {
	if len(l.recorded) == 0 {
		return "", nil
	}
	var e Event
	if err := json.Unmarshal(l.recorded[len(l.recorded)-1], &e); err != nil {
		return "", fmt.Errorf("%s: damaged last event: %w", l.path, err)
	}
	if e.End == nil {
		return "", nil
	}
	return e.End.Status, nil
}

// Next returns the recorded call that comes next, or nil when the call must be
// made: nothing more is recorded, or the earlier run ended here without a
// result.
func (l *Log) Next(want Call) (*Call, error) {
	if len(l.recorded) == 0 || l.unfinished() {
		return nil, nil
	}
	var e Event
	if err := json.Unmarshal(l.recorded[0], &e); err != nil {
		return nil, fmt.Errorf("%s:%d: damaged: %w", l.path, l.line, err)
	}
	if e.Call == nil {
		return nil, fmt.Errorf("%s:%d: want a call for step %d, found another event", l.path, l.line, want.Step)
	}
	c := e.Call
	if c.Purpose != want.Purpose || c.Step != want.Step || c.Attempt != want.Attempt || c.Hash != want.Hash {
		return nil, fmt.Errorf("%s:%d: the journal was made by other code, prompts or settings: it has %s %d.%d with prompt %.8s, this run makes %s %d.%d with prompt %.8s; run into another folder",
			l.path, l.line, c.Purpose, c.Step, c.Attempt, c.Hash, want.Purpose, want.Step, want.Attempt, want.Hash)
	}
	return c, nil
}

// Fault is an error about the event that comes next.
func (l *Log) Fault(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s:%d: %s", l.path, l.line, err)
}

// unfinished reports whether all that is left to replay is the end of an
// episode that had no result.
func (l *Log) unfinished() bool {
	if len(l.recorded) != 1 {
		return false
	}
	var e Event
	return json.Unmarshal(l.recorded[0], &e) == nil && e.End != nil && !e.End.Status.Final()
}

// reopen drops the recorded end of an episode that had no result, once there is
// something to put in its place. Its attempts were made, and stay on record with
// what takes its place.
func (l *Log) reopen() error {
	if !l.unfinished() || l.file == nil {
		return nil
	}
	var e Event
	if err := json.Unmarshal(l.recorded[0], &e); err != nil {
		return err
	}
	l.recorded, l.spoilt = nil, e.End.Failed
	return cutAt(l.file, l.offset)
}

// behind puts the attempts of a call behind those of an earlier run at it.
func (l *Log) behind(failed []record.Failure) []record.Failure {
	all := slices.Concat(l.spoilt, failed)
	l.spoilt = nil
	return all
}

// Write appends an event, or compares it with the one recorded at its place.
// Calls reach the operating system at once: a crash loses none that returned.
func (l *Log) Write(e Event) error {
	if err := l.reopen(); err != nil {
		return err
	}
	if e.End != nil && len(l.spoilt) > 0 {
		end := *e.End
		end.Failed = l.behind(end.Failed)
		e.End = &end
	}
	line, err := encode(e)
	if err != nil {
		return err
	}
	if len(l.recorded) > 0 && e.End != nil && !e.End.Status.Final() && !l.unfinished() {
		return nil // interrupted while replaying: the journal has more than this run got to
	}
	if len(l.recorded) > 0 {
		return l.compare(line)
	}
	if e.Call != nil || e.End != nil {
		if err := l.texts.out.Flush(); err != nil {
			return err
		}
	}
	if _, err := l.out.Write(line); err != nil {
		return err
	}
	if e.Call != nil || e.End != nil {
		return l.out.Flush()
	}
	return nil
}

func (l *Log) compare(line []byte) error {
	if got := l.recorded[0]; !bytes.Equal(got, bytes.TrimSuffix(line, []byte("\n"))) {
		return fmt.Errorf("%s:%d: replaying gives another event than the one recorded:\nrecorded %.300s\nreplayed %.300s", l.path, l.line, got, line)
	}
	l.offset += int64(len(line))
	l.line++
	l.recorded = l.recorded[1:]
	return nil
}

// Number stores a text and returns its number.
func (l *Log) Number(text string) (int, error) { return l.texts.number(text) }

// Text returns a stored text.
func (l *Log) Text(number int) (string, error) { return l.texts.text(number) }

// Close writes what is buffered and closes the files.
func (l *Log) Close() error {
	if l.file == nil {
		return nil
	}
	return errors.Join(l.texts.close(), l.out.Flush(), l.file.Close())
}

// Call completes c with the reply and writes it.
func (l *Log) Call(c *Call, r record.Reply) (err error) {
	if err := l.reopen(); err != nil {
		return err
	}
	if c.Reply, err = l.Number(r.Text); err != nil {
		return err
	}
	if r.Thinking != "" {
		if c.Thinking, err = l.Number(r.Thinking); err != nil {
			return err
		}
	}
	c.Calls, c.Finish, c.Choices = r.Calls, r.Finish, r.Choices
	c.Usage, c.Failed, c.Served, c.Notes = r.Usage, l.behind(r.Failed), r.Served, r.Notes
	return l.Write(Event{Call: c})
}

// Reply is the reply of a recorded call.
func (l *Log) Reply(c Call) (record.Reply, error) { return c.reply(l.texts.text) }
