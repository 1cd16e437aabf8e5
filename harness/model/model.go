// Package model holds what the harness needs of a language model. Its
// subpackages are the ways to have one: an OpenAI-compatible endpoint, the
// simulated models, recorded replies, and limits around any of them.
package model

import (
	"context"
	"fmt"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A Form is the form of reply that a strategy's contract asks for.
type Form string

const (
	ActionLine Form = "action"   // free text with a last line `Action: <command>`
	Update     Form = "update"   // the same, and an optional `StateUpdate: {…}`
	Envelope   Form = "envelope" // one JSON object with exactly state_patch and action
	Prose      Form = "prose"    // free text, no action: a summary
	Scores     Form = "scores"   // nothing is written: record.Scores of the prompt's last section (see Judged)
)

// A Wire is the way an Envelope travels.
type Wire string

const (
	Fenced     Wire = "fenced"      // in the text, in a json fence (the paper)
	JSONSchema Wire = "json_schema" // as response_format, built from the state schema
	Tool       Wire = "tool"        // as one call of propose_transition
)

// A Request is one call. Everything but Prompt only identifies it or shapes
// the reply; it tells the model nothing.
type Request struct {
	Prompt  prompt.Prompt
	Form    Form
	Wire    Wire   // for Envelope; "" means Fenced
	Schema  []byte // the state schema, for JSONSchema and Tool
	Cell    string
	Agent   string // name of the strategy
	Purpose record.Purpose
	Step    int
	Attempt int
	Seed    uint64
	Repeat  int
}

// A Model answers requests. Implementations are safe for concurrent use.
type Model interface {
	// Generate returns the reply to one request. A reply that is cut, empty or
	// refused is a reply; an error means that there is none.
	Generate(context.Context, Request) (record.Reply, error)
}

// An Error is a call that ended without a reply, for good.
type Error struct {
	Class    string           `json:"class"`            // deterministic, transient, limit:<name>, canceled, replay
	Status   int              `json:"status,omitempty"` // HTTP status, 0 where there was none
	Message  string           `json:"message"`          // one line, bounded, without secrets
	Failed   []record.Failure `json:"failed,omitempty"`
	Measured string           `json:"measured,omitempty"` // for limits: the value that crossed it
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (HTTP %d): %s", e.Class, e.Status, e.Message)
	}
	return fmt.Sprintf("%s: %s", e.Class, e.Message)
}
