// Package transition says what a reply means: one action and, for state
// strategies, one patch, or the classes of error that the reply alone earns. It also writes replies, for
// simulated models and teacher forcing.
//
// It never looks at the state: whether a patch fits the schema and whether an
// action is a command of the task is judged by the episode loop.
//
// Replies are hostile. Every function here takes time linear in the length of
// the reply, whatever it holds, and never panics.
//
// Tolerated everywhere: a byte order mark before the first character, CRLF line
// ends, and thinking in the text ([Visible]).
package transition

import (
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A Repair says what becomes of an envelope that is not strict JSON.
type Repair string

const (
	Strict  Repair = "strict"  // it is refused; the default, also for ""
	Lenient Repair = "lenient" // it is mended where that is safe, and the error is still counted: see [Parse]
)

// Flags of an accepted move.
const (
	BlocksDisagree = "blocks_disagree" // several valid envelopes that differ; the last one counted
	Repaired       = "repaired"        // accepted under [Lenient] only; "repaired:<class>" names each error
)

// Parse says what a reply means under the form asked for. Violations are in
// order of precedence, the first has the primary class; nil means accepted so
// far. Of a refused reply the move holds what could be read.
//
// [model.ActionLine]: the last line `Action: <command>` counts. The word may be
// in any case; asterisks and backticks before it, and around the command if they
// are closed after it, are dropped. All else on the line is the command.
//
// [model.Update]: the same, and the last line `StateUpdate: {…}`, if there is
// one. Its object may span lines and stand in a fence.
//
// [model.Envelope]: the last top-level object of the text that is strict JSON
// with exactly the keys state_patch (an object) and action (a string) counts,
// fenced or bare. On the wire [model.Tool] it is the arguments of the one call;
// text instead of a call is no_json.
//
// [model.Prose]: any text. The move is zero.
//
// A reply that the provider withheld is a refusal, whatever it holds. A reply
// cut at a limit is truncated unless what the form asks for stands complete
// before the cut. Under [Lenient] an object whose only fault is its syntax is
// mended, but never one that the text ends in, because its action may be cut.
func Parse(form model.Form, wire model.Wire, repair Repair, reply record.Reply) (record.Move, []state.Violation) {
	text := blank(strings.TrimPrefix(reply.Text, "\uFEFF"))
	if found := absent(reply, text); found != nil {
		return record.Move{}, found
	}
	var move record.Move
	var found []state.Violation
	switch r := (reader{text: text, cut: wasCut(reply), finish: reply.Finish, repair: repair}); {
	case form == model.Prose:
	case form == model.Envelope && wire == model.Tool:
		move, found = r.calls(reply.Calls)
	case form == model.Envelope:
		move, found = r.envelope()
	default:
		move, found = r.lines(form == model.Update)
	}
	Sort(found)
	return move, found
}

// A reader reads one reply.
type reader struct {
	text   string // thinking blanked out
	cut    bool   // at a limit, as the provider or the harness says
	finish record.Finish
	repair Repair
}

// absent judges replies that say nothing. A withheld reply is a refusal and not
// empty: its text is missing for a reason.
func absent(reply record.Reply, text string) []state.Violation {
	switch {
	case reply.Finish == record.Refusal:
		return one(Refusal, "the model refused to answer")
	case reply.Finish == record.ContentFilter:
		return one(Refusal, "the provider withheld the reply (content filter)")
	case strings.TrimSpace(text) != "" || len(reply.Calls) > 0:
		return nil
	}
	found := one(Empty, "the reply is empty")
	if reply.Thinking != "" || strings.TrimSpace(reply.Text) != "" {
		found = one(Empty, "the reply holds only thinking, want an answer after it")
	}
	if wasCut(reply) {
		found = append(found, state.NewViolation(Truncated, "", "the reply was cut before it said anything"))
	}
	return found
}

func wasCut(reply record.Reply) bool {
	return reply.Finish == record.Length || reply.Finish == record.Oversize
}

func one(class, hint string) []state.Violation {
	return []state.Violation{state.NewViolation(class, "", hint)}
}
