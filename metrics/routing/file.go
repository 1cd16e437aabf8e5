package routing

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"skillbench/harness/config"
	"skillbench/metrics/stats"
)

// File is the name of a result in the folder of its run.
const File = "routing.json"

// JSON is the result as it is written, one element of a list a line: the same
// bytes for the same journals.
func (r *Result) JSON() ([]byte, error) {
	var w lines
	w.field("version", r.Version)
	w.field("name", r.Name)
	w.field("tokenizer", r.Tokenizer)
	w.field("templates", r.Templates)
	list(&w, "measures", r.Measures)
	w.field("tasks", r.Tasks)
	w.field("models", r.Models)
	list(&w, "groups", r.Groups)
	list(&w, "sizes", r.Sizes)
	list(&w, "positions", r.Positions)
	list(&w, "pooled", r.Pooled)
	list(&w, "pairs", r.Pairs)
	list(&w, "gates", r.Gates)
	list(&w, "published", r.Published)
	w.text.WriteString("\n}\n")
	return w.text.Bytes(), w.err
}

// lines write a JSON object.
type lines struct {
	text bytes.Buffer
	err  error
}

func (w *lines) name(name string) {
	before := ",\n"
	if w.text.Len() == 0 {
		before = "{\n"
	}
	fmt.Fprintf(&w.text, "%s%q: ", before, name)
}

func (w *lines) value(v any) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	w.err = errors.Join(w.err, e.Encode(v))
	w.text.Write(bytes.TrimSpace(b.Bytes()))
}

func (w *lines) field(name string, v any) {
	w.name(name)
	w.value(v)
}

func list[T any](w *lines, name string, elements []T) {
	w.name(name)
	w.text.WriteString("[")
	for i, e := range elements {
		if i > 0 {
			w.text.WriteString(",")
		}
		w.text.WriteString("\n")
		w.value(e)
	}
	w.text.WriteString("]")
}

// Read reads a routing.json. Faults are one line that begins with the path.
func Read(path string) (*Result, error) {
	const most = 512 << 20 // a run of a large suite has a line for each group, with each case on it
	data, err := config.ReadAtMost(path, most)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot read the baseline: %w", path, err)
	}
	r, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: want a routing.json that run or report wrote: %w", path, err)
	}
	return r, nil
}

func parse(data []byte) (*Result, error) {
	var r Result
	d := json.NewDecoder(bytes.NewReader(data))
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("not JSON of that form: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more text after the end")
	}
	if r.Version < 1 || r.Version > Version {
		return nil, fmt.Errorf("version %d of the format; this program reads 1 to %d", r.Version, Version)
	}
	if len(r.Groups) == 0 {
		return nil, errors.New("no group in it")
	}
	seen := map[Key]bool{}
	for _, g := range r.Groups {
		if !g.printable() {
			return nil, fmt.Errorf("the group %.200q: want names of printable characters, as runs have them", g.Key.String())
		}
		if seen[g.Key] {
			return nil, fmt.Errorf("the group %.200q stands twice", g.Key.String())
		}
		seen[g.Key] = true
		if err := g.check(); err != nil {
			return nil, fmt.Errorf("group %.200q: %w", g.Key.String(), err)
		}
	}
	return &r, nil
}

// printable reports whether all names of a group can stand on a line.
func (g Group) printable() bool {
	names := []string{g.Key.String(), g.Arm}
	for _, c := range g.Confusion {
		names = append(names, c.Want, c.Got)
	}
	for _, c := range g.Cases {
		names = append(names, c.Case)
	}
	for _, s := range g.Skills {
		names = append(names, s.Skill)
	}
	return !slices.ContainsFunc(names, func(name string) bool {
		return strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
	})
}

// maxCount is more than any run counts, and few enough to add up.
const maxCount = 1 << 40

// check wants counts that can be.
func (g Group) check() error {
	for name, n := range map[string]int{"cells.results": g.Cells.Results, "cells.missing": g.Cells.Missing, "dialogues": g.Dialogues, "lost": g.Lost} {
		if n < 0 || n > maxCount {
			return fmt.Errorf("%s: want a count, got %d", name, n)
		}
	}
	if g.Lost > g.Dialogues {
		return fmt.Errorf("lost: want at most the %d dialogues, got %d", g.Dialogues, g.Lost)
	}
	for _, m := range rates {
		p, ok := g.Rates[m.Name]
		if !ok && m.Name == PoisonedCalls {
			continue // of a program that did not count them yet
		}
		if !ok || p.K < 0 || p.K > p.N || p.N > maxCount || p.Share != stats.Wilson(p.K, p.N, 0).Share {
			return fmt.Errorf("rates.%s: want k of n and their share, got %d of %d and %s", m.Name, p.K, p.N, p.Share.CSV())
		}
		if i := p.Interval; i.Low.OK != i.High.OK || i.OK() && !(0 <= i.Low.V && i.Low.V <= p.Share.V && p.Share.V <= i.High.V && i.High.V <= 1) {
			return fmt.Errorf("rates.%s: want an interval around the share", m.Name)
		}
	}
	for _, c := range g.Confusion {
		if c.N < 1 || c.N > maxCount {
			return fmt.Errorf("confusion: %.80q for %.80q: want a count of 1 or more, got %d", c.Got, c.Want, c.N)
		}
	}
	seen := map[string]bool{}
	for _, c := range g.Cases {
		if seen[c.Case] {
			return fmt.Errorf("cases: %.80q stands twice", c.Case)
		}
		seen[c.Case] = true
		if c.Plays < 1 || c.Plays > maxCount || c.Right < 0 || c.Right > c.Plays || c.Resolved < 0 || c.Resolved > c.Plays {
			return fmt.Errorf("cases: %.80q: want at most as many right and resolved as plays", c.Case)
		}
		if err := c.counts(); err != nil {
			return fmt.Errorf("cases: %.80q: %w", c.Case, err)
		}
	}
	return nil
}

// counts wants those of messages that can be.
func (c Case) counts() error {
	if c.WrongCalls < 0 || c.WrongCalls > maxCount || c.FalseTriggers < 0 || c.FalseTriggers > maxCount {
		return fmt.Errorf("wrong_calls, false_triggers: want counts, got %d and %d", c.WrongCalls, c.FalseTriggers)
	}
	for i, m := range c.Messages {
		if m.Right < 0 || m.Right > c.Plays || m.Called < 0 || m.Called > m.Right {
			return fmt.Errorf("message %d: want at most as many right as the %d plays, and at most as many calls as right, got %d and %d", i+1, c.Plays, m.Right, m.Called)
		}
	}
	return nil
}
