package skills

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf16"
)

// compact is JSON on one line: keys in order, what is hidden escaped, and no label
// of a prompt in it. It says the same as v, to the letter. It panics where v is
// not of JSON's kinds.
func compact(v any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("a value of JSON kinds only: %v", err))
	}
	var out strings.Builder
	for _, r := range strings.TrimRight(b.String(), "\n") {
		switch {
		case !hidden(r):
			out.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&out, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		}
	}
	return escapeLabels(out.String())
}

// escapeLabels writes the first character of a label as an escape. Labels hold
// letters, so they can stand in strings only, and no escape of JSON ends in one of
// their first characters.
func escapeLabels(text string) string {
	for _, label := range labels {
		label = strings.TrimSpace(label)
		text = strings.ReplaceAll(text, label, fmt.Sprintf(`\u%04x`, label[0])+label[1:])
	}
	return text
}
