// Package state holds the structured state Σ of an episode (paper §3): immutable
// JSON objects, the merge ⊕ that applies a patch ΔΣ to one, and the JSON Schema
// check that turns a bad state into [Violation] values a model can act on.
//
// Everything that comes from a model enters through [Parse], which bounds it;
// after that no function of this package fails or panics on it.
package state

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"iter"
	"strconv"
)

// An Object is an immutable JSON object: a state Σ, a patch ΔΣ, or part of the
// truth. The zero Object is {}. Objects share their inner values, so copying one
// costs nothing; it is safe for concurrent use.
//
// Values inside are map[string]any, []any, string (valid UTF-8), bool, nil and
// json.Number (a well-formed JSON number, its text kept as written).
type Object struct{ root map[string]any }

func wrap(root map[string]any) Object {
	if len(root) == 0 {
		return Object{}
	}
	return Object{root}
}

// Root returns the members. The map and all it holds are shared and read-only;
// it is nil for an empty Object.
func (o Object) Root() map[string]any { return o.root }

// Get returns the value at a path of member names; in an array a name is the
// decimal index. Without names it is the object itself. The value is shared and
// read-only. The second result is false where there is no value.
func (o Object) Get(pointer ...string) (any, bool) {
	var v any = o.root
	for _, name := range pointer {
		switch node := v.(type) {
		case map[string]any:
			member, ok := node[name]
			if !ok {
				return nil, false
			}
			v = member
		case []any:
			i, err := strconv.ParseUint(name, 10, 31)
			if err != nil || i >= uint64(len(node)) {
				return nil, false
			}
			v = node[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// IsEmpty reports whether the object has no members.
func (o Object) IsEmpty() bool { return len(o.root) == 0 }

// Equal reports whether both objects render to the same text; 1 and 1.0 differ.
func (o Object) Equal(other Object) bool { return equal(o.root, other.root) }

// Hash returns 32 hex digits: the first half of the SHA-256 of [Object.Compact].
func (o Object) Hash() string {
	sum := sha256.Sum256([]byte(o.Compact()))
	return hex.EncodeToString(sum[:16])
}

// Leaves yields the JSON pointer (RFC 6901) and the compact JSON of each scalar
// and each array, in natural order. Arrays are leaves, because a patch replaces
// them whole. Empty objects yield nothing.
func (o Object) Leaves() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) { walk("", o.root, yield) }
}

func walk(at string, node map[string]any, yield func(pointer, text string) bool) bool {
	for _, name := range sortedNames(node) {
		pointer := at + "/" + escapeToken(name)
		if inner, ok := node[name].(map[string]any); ok {
			if !walk(pointer, inner, yield) {
				return false
			}
		} else if !yield(pointer, string(appendCompact(nil, node[name]))) {
			return false
		}
	}
	return true
}

// MarshalJSON returns [Object.Compact], so that an Object can sit in a journal
// event. An encoder that escapes HTML will do so to this text too.
func (o Object) MarshalJSON() ([]byte, error) { return []byte(o.Compact()), nil }

// UnmarshalJSON is [Parse] without the limit of [MaxBytes]: a merge of two
// objects within the limit may be larger, and must be readable again.
func (o *Object) UnmarshalJSON(data []byte) error {
	parsed, err := parse(data)
	if err != nil {
		return err
	}
	*o = parsed
	return nil
}

// equal compares numbers by their text, as Compact shows them.
func equal(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && equalMembers(a, b)
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !equal(a[i], b[i]) {
				return false
			}
		}
		return true
	case json.Number, string, bool, nil:
		return a == b
	}
	return false
}

func equalMembers(a, b map[string]any) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		w, ok := b[name]
		if !ok || !equal(v, w) {
			return false
		}
	}
	return true
}
