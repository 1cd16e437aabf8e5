package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds a text that comes from a journal, in code points.
const maxText = 600

// plain makes a text from a journal fit for a reader: what cannot be seen or
// would move other text about (control characters, terminal escapes, marks of
// writing direction) is named instead, and what is too long is cut.
func plain(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > maxText {
			b.WriteString("…")
			break
		}
		switch {
		case r == ' ' || r == '\n' || r == '\t' || r == '\r':
			b.WriteByte(' ')
		case r == utf8.RuneError || unicode.Is(unicode.C, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
