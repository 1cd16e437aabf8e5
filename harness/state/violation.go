package state

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Classes of violation that [Schema.Check] gives; other packages add theirs.
const (
	ClassUnknownKey = "schema_unknown_key" // a key the schema has no place for
	ClassType       = "schema_type"        // a value of the wrong JSON type
	ClassValue      = "schema_value"       // enum, pattern or bound missed, or a required key absent
)

const (
	maxHint = 200 // code points of a hint
	maxPath = 400 // code points of a path
)

// A Violation is one reason why a reply or a patch was refused. It may enter a
// prompt as feedback, so its text is bounded and on one line: see [NewViolation].
type Violation struct {
	Class string `json:"class"`
	Path  string `json:"path,omitempty"` // JSON pointer in the new state; empty for the reply as a whole
	Hint  string `json:"hint"`           // what was found, what is wanted
}

// NewViolation escapes control and other invisible characters in path and hint
// and cuts them after 400 and 200 code points. The path of an ordinary key is the
// exact JSON pointer; one that was escaped or cut is for reading only.
func NewViolation(class, path, hint string) Violation {
	return Violation{Class: class, Path: line(path, maxPath), Hint: line(hint, maxHint)}
}

// String returns "class path: hint" on one line.
func (v Violation) String() string {
	if v.Path == "" {
		return v.Class + ": " + v.Hint
	}
	return v.Class + " " + v.Path + ": " + v.Hint
}

// line makes s safe to show: printable, on one line, at most limit code points.
func line(s string, limit int) string {
	s = cut(s, limit)
	if strings.IndexFunc(s, hidden) >= 0 {
		var b strings.Builder
		for _, r := range s {
			if hidden(r) {
				fmt.Fprintf(&b, `\u%04x`, r)
			} else {
				b.WriteRune(r)
			}
		}
		s = cut(b.String(), limit)
	}
	return s
}

func hidden(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }

// cut shortens s to limit code points, the last of them an ellipsis.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n, last := 0, 0
	for i := range s {
		if n == limit-1 {
			last = i
		}
		if n == limit {
			return s[:last] + "…"
		}
		n++
	}
	return s
}
