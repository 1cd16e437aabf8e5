// Package journal is the run directory: the append-only events of each episode
// and the texts they refer to. It is the only truth about a run; every table,
// plot and check is derived from it, and resuming is reading it again through
// the same code.
package journal

import (
	"bytes"
	"encoding/json"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Version is the version of the format. A reader of version n reads 1…n. Calls
// for scores came within version 1, which is part of every cell's name: journals
// without them are as they were, and a program that knows none refuses a journal
// that has them.
const Version = 1

// An Event is one line of events.jsonl; exactly one field is set.
type Event struct {
	Start      *Start             `json:"start,omitempty"`
	Call       *Call              `json:"call,omitempty"`
	Transition *record.Transition `json:"transition,omitempty"`
	Act        *record.Act        `json:"act,omitempty"`
	End        *End               `json:"end,omitempty"`
}

// Start opens an episode.
type Start struct {
	Version   int           `json:"version"`
	Cell      record.Cell   `json:"cell"`
	Tokenizer string        `json:"tokenizer"`
	Truth     state.Object  `json:"truth"`           // the world at the start
	State     *state.Object `json:"state,omitempty"` // Σ_0; nil for strategies without one
	Merge     state.Merge   `json:"merge,omitempty"` // ⊕ of this strategy
	Late      bool          `json:"late,omitempty"`  // Σ changes only once the world has accepted the action
}

// Call is one model call that ended in a reply. Its prompt is a splice against
// the prompt of the last call of the same lane: summaries are one lane, scores
// another, steps and retries the third.
type Call struct {
	Purpose    record.Purpose    `json:"purpose"`
	Step       int               `json:"step"`
	Attempt    int               `json:"attempt,omitempty"`
	Splice     prompt.Splice     `json:"splice"`
	Hash       string            `json:"hash"`               // of the prompt
	Chars      int               `json:"chars"`              // of the prompt, code points
	Tokens     int               `json:"tokens"`             // of the prompt, counted here
	Reply      int               `json:"reply"`              // number of the reply's text
	Thinking   int               `json:"thinking,omitempty"` // number of the thinking's text
	Calls      []record.ToolCall `json:"calls,omitempty"`
	Finish     record.Finish     `json:"finish"`
	Completion int               `json:"completion"` // tokens of the reply, thinking and tool calls included, counted here; 0 for scores, which nobody wrote
	Choices    int               `json:"choices,omitempty"`
	Usage      *record.Usage     `json:"usage,omitempty"`
	Failed     []record.Failure  `json:"failed,omitempty"`
	Served     string            `json:"served,omitempty"`
	Notes      map[string]string `json:"notes,omitempty"`
}

// newest is the highest number of a text that the call refers to.
func (c Call) newest() int {
	n := max(c.Reply, c.Thinking)
	for _, e := range c.Splice {
		for _, r := range e.Add {
			n = max(n, r.Text)
		}
	}
	return n
}

// Lane says which calls form one series of prompts.
func (c Call) Lane() string { return Lane(c.Purpose) }

// Lane of a purpose.
func Lane(p record.Purpose) string {
	switch p {
	case record.ForSummary, record.ForScores:
		return string(p)
	}
	return "step"
}

// reply rebuilds the reply, with its texts found by number.
func (c Call) reply(text func(int) (string, error)) (r record.Reply, err error) {
	if r.Text, err = text(c.Reply); err != nil {
		return r, err
	}
	if c.Thinking != 0 {
		if r.Thinking, err = text(c.Thinking); err != nil {
			return r, err
		}
	}
	r.Calls, r.Finish, r.Choices = c.Calls, c.Finish, c.Choices
	r.Usage, r.Failed, r.Served, r.Notes = c.Usage, c.Failed, c.Served, c.Notes
	return r, nil
}

// End closes an episode.
type End struct {
	Status   record.Status    `json:"status"`
	Why      string           `json:"why,omitempty"`      // one line, for statuses that are no result
	Measured string           `json:"measured,omitempty"` // for limits: the value that crossed it
	Failed   []record.Failure `json:"failed,omitempty"`   // attempts of the call that was given up
}

// encode writes v as one line. Text is kept as it is: < and > are not escaped.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
