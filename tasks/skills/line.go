package skills

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/prompt"
)

// hidden reports a character that can break a line or that nobody sees.
func hidden(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }

// line makes any text fit for a line of a prompt: at most MaxText code points,
// what is hidden escaped, and no label of a prompt at its end, where a line break
// would follow.
func line(s string) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n++; n > MaxText {
			b.WriteRune('…')
			break
		}
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return unlabel(b.String())
}

// labels are kept out of what a library says.
var labels = append(prompt.Labels(), prompt.LabelBackground, prompt.LabelRecalled)

// unlabel puts a dot into the labels in a text, so that no part of it is one,
// wherever a line may be broken later.
func unlabel(s string) string {
	for _, label := range labels {
		label = strings.TrimSpace(label)
		dotted := label[:1] + "." + label[1:]
		if words, ok := strings.CutSuffix(label, ":"); ok {
			dotted = words + ".:"
		}
		s = strings.ReplaceAll(s, label, dotted)
	}
	return s
}
