package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A disk takes so many bytes and is then full.
type disk struct {
	file io.Writer
	room *int
}

func (d disk) Write(p []byte) (int, error) {
	n, err := d.file.Write(p[:min(len(p), *d.room)])
	if *d.room -= n; err == nil && n < len(p) {
		err = syscall.ENOSPC
	}
	return n, err
}

// episode writes a short journal; it takes what is recorded from the log.
func episode(l *Log) error {
	if err := l.Write(Event{Start: &Start{Version: Version}}); err != nil {
		return err
	}
	for step := range 3 {
		n, err := l.Number(strings.Repeat("observed ", step+1))
		if err != nil {
			return err
		}
		c := Call{Purpose: record.ForStep, Step: step, Splice: prompt.Splice{{Add: []prompt.Ref{{Kind: prompt.Observation, Text: n}}}}}
		if _, err := l.Next(c); err != nil {
			return err
		}
		if err := l.Call(&c, record.Reply{Text: strings.Repeat("done ", step+1), Finish: record.Stop}); err != nil {
			return err
		}
		if err := l.Write(Event{Act: &record.Act{Action: "Wait"}}); err != nil {
			return err
		}
	}
	return l.Write(Event{End: &End{Status: record.Done}})
}

func write(t *testing.T, dir string, room int) error {
	t.Helper()
	l, err := OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	l.out = bufio.NewWriterSize(disk{l.file, &room}, 16)
	l.texts.out = bufio.NewWriterSize(disk{l.texts.file, &room}, 16)
	return errors.Join(episode(l), l.Close())
}

func TestAFullDiskIsAnErrorAndTheRunGoesOnLater(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	if err := write(t, whole, 1<<20); err != nil {
		t.Fatal(err)
	}
	want := contents(t, whole)
	full := 0
	for room := 0; ; room += 3 {
		dir := t.TempDir()
		err := write(t, dir, room)
		if err != nil && !errors.Is(err, syscall.ENOSPC) {
			t.Fatalf("room for %d bytes: %v", room, err)
		}
		if err := write(t, dir, 1<<20); err != nil {
			t.Fatalf("room for %d bytes, then for all: %v", room, err)
		}
		if got := contents(t, dir); got != want {
			t.Fatalf("room for %d bytes, then for all: got\n%s\nwant\n%s", room, got, want)
		}
		if err == nil {
			break
		}
		full++
	}
	if full < 100 {
		t.Errorf("the disk was full %d times, want once for every third byte", full)
	}
}

func contents(t *testing.T, dir string) string {
	t.Helper()
	var all bytes.Buffer
	for _, name := range []string{"events.jsonl", "segments.jsonl"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	return all.String()
}
