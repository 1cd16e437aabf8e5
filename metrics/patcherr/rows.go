package patcherr

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/go-json-experiment/json"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/metrics"
)

// MaxRow bounds a line of rows, in bytes.
const MaxRow = 16 << 20

// A row is one line; see the package comment.
type row struct {
	State       *state.Object     `json:"state"`
	Reply       *string           `json:"reply"`
	Schema      *state.Object     `json:"schema"`
	Truth       *state.Object     `json:"truth"`
	TruthBefore *state.Object     `json:"truth_before"`
	Form        model.Form        `json:"form"`
	Wire        model.Wire        `json:"wire"`
	Merge       state.Merge       `json:"merge"`
	Repair      transition.Repair `json:"repair"`
	Action      struct {
		Pattern string `json:"pattern"`
		Refused bool   `json:"refused"`
	} `json:"action"`
	Calls    []record.ToolCall `json:"calls"`
	Finish   record.Finish     `json:"finish"`
	Thinking string            `json:"thinking"`
	Model    string            `json:"model"`
	Agent    string            `json:"agent"`
	Episode  string            `json:"episode"`
	Step     *int              `json:"step"`
	Attempt  int               `json:"attempt"`
	Tokens   int               `json:"tokens"`
}

// ReadRows classifies rows recorded elsewhere. Source names them in errors,
// which say the line. Episodes come in the order of their first rows.
func ReadRows(source string, r io.Reader) ([]Episode, error) {
	rows := rowReader{byLabel: map[[3]string]int{}, seeds: map[string]uint64{}, schemas: map[string]*state.Schema{}}
	in := bufio.NewReaderSize(r, 64<<10)
	for n := 1; ; n++ {
		line, err := oneLine(in)
		if err == nil || len(line) > 0 {
			if bad := rows.take(line); bad != nil {
				return nil, fmt.Errorf("%s:%d: %w", source, n, bad)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return rows.episodes, nil
		case err != nil:
			return nil, fmt.Errorf("%s:%d: %w", source, n, err)
		}
	}
}

// oneLine reads up to a line break, which is not part of the line.
func oneLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > MaxRow {
			return nil, fmt.Errorf("want a line of at most %d bytes", MaxRow)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), err
		}
	}
}

// A rowReader folds rows into episodes.
type rowReader struct {
	episodes []Episode
	byLabel  map[[3]string]int // index of the episode of a model, an agent and a label
	seeds    map[string]uint64 // of an episode's label
	schemas  map[string]*state.Schema
	schema   *state.Schema // of the last row
}

func (rr *rowReader) take(line []byte) error {
	var w row
	if err := json.Unmarshal(line, &w, json.RejectUnknownMembers(true)); err != nil {
		return readable(err)
	}
	pattern, err := w.check()
	if err != nil {
		return err
	}
	if err := rr.know(w.Schema); err != nil {
		return err
	}
	e := rr.episode(w)
	step := e.Steps
	if w.Step != nil {
		step = *w.Step
	}
	if n := len(e.Attempts); n == 0 || e.Attempts[n-1].Step != step || w.Step == nil {
		e.Steps++
	}
	rr.judge(e, w, pattern, step)
	return nil
}

// check reports the first impossible member, and gives defaults to absent ones.
func (w *row) check() (*regexp.Regexp, error) {
	def(&w.Form, model.Envelope)
	def(&w.Wire, model.Fenced)
	def(&w.Merge, state.Deep)
	def(&w.Repair, transition.Strict)
	def(&w.Finish, record.Stop)
	def(&w.Model, "rows")
	var pattern *regexp.Regexp
	var wrong error
	if w.Action.Pattern != "" {
		if pattern, wrong = regexp.Compile("^(?:" + w.Action.Pattern + ")$"); wrong != nil {
			wrong = fmt.Errorf("action.pattern: %w", wrong)
		}
	}
	switch {
	case w.State == nil:
		return nil, errors.New("state: want an object, found none")
	case w.Reply == nil:
		return nil, errors.New("reply: want a string, found none")
	case w.TruthBefore != nil && w.Truth == nil:
		return nil, errors.New("truth_before: want truth beside it, found none")
	case w.Attempt < 0 || w.Tokens < 0 || w.Step != nil && *w.Step < 0:
		return nil, errors.New("step, attempt, tokens: want whole numbers from 0")
	case wrong != nil:
		return nil, wrong
	}
	return pattern, cmp.Or(
		oneOf("form", w.Form, model.Envelope, model.Update, model.ActionLine),
		oneOf("wire", w.Wire, model.Fenced, model.JSONSchema, model.Tool),
		oneOf("merge", w.Merge, state.Deep, state.Shallow, state.Replace),
		oneOf("repair", w.Repair, transition.Strict, transition.Lenient),
		oneOf("finish", w.Finish, record.Stop, record.Length, record.ToolCalls, record.ContentFilter, record.Refusal),
	)
}

func def[T ~string](v *T, value T) {
	if *v == "" {
		*v = value
	}
}

func oneOf[T ~string](key string, got T, want ...T) error {
	if slices.Contains(want, got) {
		return nil
	}
	return fmt.Errorf("%s: want one of %q, got %q", key, want, got)
}

// know takes the schema of a row, or keeps the one before.
func (rr *rowReader) know(schema *state.Object) error {
	if schema == nil {
		if rr.schema == nil {
			return errors.New("schema: want an object in the first row, found none")
		}
		return nil
	}
	text := schema.Compact()
	if rr.schemas[text] == nil {
		s, err := state.Compile("schema", []byte(text))
		if err != nil {
			return err
		}
		rr.schemas[text] = s
	}
	rr.schema = rr.schemas[text]
	return nil
}

// episode is the one that a row belongs to. Equal labels have equal seeds, so
// that models are compared on the same episodes.
func (rr *rowReader) episode(w row) *Episode {
	label := [3]string{w.Model, w.Agent, w.Episode}
	i, ok := rr.byLabel[label]
	if !ok {
		if _, known := rr.seeds[w.Episode]; !known {
			rr.seeds[w.Episode] = uint64(len(rr.seeds) + 1)
		}
		i = len(rr.episodes)
		rr.byLabel[label] = i
		rr.episodes = append(rr.episodes, Episode{Stateful: true, FirstDiverged: -1, Status: record.Interrupted,
			Cell: record.Cell{Model: w.Model, Agent: w.Agent, Task: "rows", ModelKind: "rows", World: "rows", Seed: rr.seeds[w.Episode]}})
	}
	return &rr.episodes[i]
}

// judge classifies one row as an episode's loop would have.
func (rr *rowReader) judge(e *Episode, w row, pattern *regexp.Regexp, step int) {
	reply := record.Reply{Text: *w.Reply, Thinking: w.Thinking, Calls: w.Calls, Finish: w.Finish}.Clean()
	move, violations := transition.Parse(w.Form, w.Wire, w.Repair, reply)
	if move.Action != "" && pattern != nil && !pattern.MatchString(move.Action) {
		violations = append(violations, state.NewViolation(transition.ActionGrammar, "", fmt.Sprintf("action %q does not match %s", move.Action, w.Action.Pattern)))
	}
	next := *w.State
	if move.Patch != nil {
		next = w.Merge.Apply(*w.State, *move.Patch)
		if w.Form == model.Envelope {
			violations = append(violations, rr.schema.Check(next)...)
		}
		if len(state.Resends(*w.State, *move.Patch)) > 0 {
			move.Flags = append(move.Flags, "resend")
		}
	}
	transition.Sort(violations)
	t := record.Transition{Step: step, Attempt: w.Attempt, Move: move, Violations: violations}
	before := *w.State
	if w.TruthBefore != nil {
		before = *w.TruthBefore
	}
	truth := before
	if w.Truth != nil {
		truth = *w.Truth
	}
	around := surrounding{holdsBefore: before, holdsAfter: truth, toldBefore: before, toldAfter: truth}
	if w.Action.Refused {
		around.refused = move.Action
	}
	rr.add(e, w, t, next, around)
}

func (rr *rowReader) add(e *Episode, w row, t record.Transition, next state.Object, around surrounding) {
	if !t.Accepted() {
		next = *w.State
	}
	c := newChange(*w.State, next, around)
	j := Judge{start: journal.Start{Merge: w.Merge}, episode: Episode{Stateful: true}}
	a := Attempt{Step: t.Step, Attempt: t.Attempt, Accepted: t.Accepted(), Judged: w.Truth != nil, True: c.wasRight(),
		Resend: slices.Contains(t.Move.Flags, "resend"), Tokens: w.Tokens}
	a.Findings = replied(t, c, j.would(metrics.Step{Before: *w.State}, t))
	if w.Truth != nil && a.Accepted {
		a.Findings = append(a.Findings, c.findings()...)
	}
	a.settle()
	e.Attempts = append(e.Attempts, a)
	if w.Truth != nil && a.Accepted {
		if e.WrongAtEnd = c.wrong(); e.WrongAtEnd > 0 {
			if e.Diverged++; e.FirstDiverged < 0 {
				e.FirstDiverged = t.Step
			}
		}
	}
}

// readable shortens an error of the decoder.
func readable(err error) error {
	var semantic *json.SemanticError
	if errors.As(err, &semantic) && semantic.JSONPointer != "" {
		cause := semantic.Err
		if cause == nil {
			cause = fmt.Errorf("want %s, got %s", semantic.GoType, semantic.JSONKind)
		}
		return fmt.Errorf("%s: %w", semantic.JSONPointer[1:], cause)
	}
	return err
}
