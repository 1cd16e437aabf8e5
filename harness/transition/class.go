package transition

import (
	"cmp"
	"slices"

	"skillbench/harness/state"
)

// Classes of error that a reply can earn before its action is executed, in
// order of precedence.
const (
	Empty            = "empty"
	Refusal          = "refusal"
	Truncated        = "truncated"           // cut, nothing complete before the cut
	NoJSON           = "no_json"             // nothing that looks like an object
	JSONSyntax       = "json_syntax"         // not strict JSON
	Envelope         = "envelope"            // not exactly the two keys, or of wrong kinds
	SchemaUnknownKey = state.ClassUnknownKey // this class and the next two: see state.Schema
	SchemaType       = state.ClassType
	SchemaValue      = state.ClassValue
	ActionGrammar    = "action_grammar" // no action, or not a command of the task
)

// Classes returns all of them in order of precedence.
func Classes() []string {
	return []string{
		Empty, Refusal, Truncated, NoJSON, JSONSyntax, Envelope,
		SchemaUnknownKey, SchemaType, SchemaValue, ActionGrammar,
	}
}

// Sort orders violations by precedence of class, then by path in natural order.
// It is stable; classes it does not know come last.
func Sort(vs []state.Violation) {
	classes := Classes()
	rank := func(class string) int {
		if i := slices.Index(classes, class); i >= 0 {
			return i
		}
		return len(classes)
	}
	slices.SortStableFunc(vs, func(a, b state.Violation) int {
		return cmp.Or(cmp.Compare(rank(a.Class), rank(b.Class)), state.Compare(a.Path, b.Path))
	})
}
