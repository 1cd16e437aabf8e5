// Package prompt holds the one idea of the program: a prompt is a list of
// immutable segments, each of which knows where it came from. Exact token
// counts in linear time, journals that grow with the transcript, prompt
// accounting, leak detection and pricing after the fact all follow from it.
package prompt

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Kind says which part of a prompt a segment belongs to. The sum of a prompt's
// characters over its kinds is the prompt's characters, exactly.
type Kind string

// The kinds of the paper's prompts (section 3) and of the controls.
const (
	Instructions Kind = "instructions" // P, the immutable skill text
	Catalogue    Kind = "catalogue"    // what the agent can choose from (see harness.Briefer)
	State        Kind = "state"        // Σ_t, rendered
	Summary      Kind = "summary"      // the running summary of a memory strategy
	History      Kind = "history"      // past observations and replies
	Ledger       Kind = "ledger"       // facts about finished calls, kept by the runtime
	Observation  Kind = "observation"  // O_t, the latest observation
	Feedback     Kind = "feedback"     // why the last attempt at this step was refused
	Contract     Kind = "contract"     // the reply form a strategy asks for
)

// Kinds lists every kind in the order in which reports show them.
func Kinds() []Kind {
	return []Kind{Instructions, Catalogue, Contract, State, Observation, History, Summary, Ledger, Feedback}
}

// Fixed is the step of text that tells of no step.
const Fixed = -1

// A Segment is one immutable piece of a prompt. Labels and connecting text are
// segments of their own, so that an observation is stored once whether it is
// shown as the latest or as history.
type Segment struct {
	Kind     Kind
	From, To int // first and last step whose events the text tells of, or Fixed
	Text     string
}

// Of returns a segment that tells of one step.
func Of(kind Kind, step int, text string) Segment {
	return Segment{Kind: kind, From: step, To: step, Text: text}
}

// Label returns a segment that tells of no step.
func Label(kind Kind, text string) Segment {
	return Segment{Kind: kind, From: Fixed, To: Fixed, Text: text}
}

// A Prompt is what one call sends: the texts of its segments, one after
// another, with nothing between them. Segments are grouped in sections. A
// section may be shared by many prompts and may grow by append; a segment that
// was once placed in one is never changed. Two sections that begin at the same
// address are therefore equal as far as the shorter one goes, which is what
// keeps the work of a step independent of the length of the history.
//
// Tokens are counted fastest where a section ends in a newline and the next
// begins with neither white space nor a slash (see tokens.SafeSplit).
type Prompt [][]Segment

// Segments yields the segments in order.
func (p Prompt) Segments() iter.Seq[Segment] {
	return func(yield func(Segment) bool) {
		for _, section := range p {
			for _, s := range section {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// Len is the number of segments.
func (p Prompt) Len() int {
	n := 0
	for _, section := range p {
		n += len(section)
	}
	return n
}

// Text is the prompt as the model reads it.
func (p Prompt) Text() string {
	size := 0
	for s := range p.Segments() {
		size += len(s.Text)
	}
	var b strings.Builder
	b.Grow(size)
	for s := range p.Segments() {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Chars is the size in code points.
func (p Prompt) Chars() int {
	n := 0
	for s := range p.Segments() {
		n += utf8.RuneCountInString(s.Text)
	}
	return n
}

// Only yields the text of all segments of the given kinds, concatenated.
func (p Prompt) Only(kinds ...Kind) string {
	var b strings.Builder
	for s := range p.Segments() {
		for _, k := range kinds {
			if s.Kind == k {
				b.WriteString(s.Text)
			}
		}
	}
	return b.String()
}
