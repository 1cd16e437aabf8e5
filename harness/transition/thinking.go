package transition

import (
	"slices"
	"strings"
)

// Visible returns the text without thinking, and without white space around
// what is left. Thinking is what stands between <think> and </think> (also
// <thinking>, in any case); after an opening tag without a closing one it is
// everything, and so it is before a closing tag without an opening one, because
// some chat templates put the opening tag in the prompt. A tag that is quoted on
// its line is text, so that a JSON string may hold one.
func Visible(text string) string {
	var b strings.Builder
	from := 0
	for _, s := range thinking(text) {
		b.WriteString(text[from:s.from])
		from = s.to
	}
	b.WriteString(text[from:])
	return strings.TrimSpace(b.String())
}

// blank overwrites thinking with spaces, so that positions stay what they are.
func blank(text string) string {
	spans := thinking(text)
	if len(spans) == 0 {
		return text
	}
	b := []byte(text)
	for _, s := range spans {
		for i := s.from; i < s.to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	return string(b)
}

type span struct{ from, to int }

// thinking returns the spans of thinking, in order.
func thinking(text string) []span {
	var spans []span
	opened := -1 // where the open tag began
	quoted := false
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			quoted = false
		case '"':
			quoted = !quoted
		case '\\':
			if i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\') {
				i++
			}
		case '<':
			size, closing := tag(text[i:])
			switch {
			case size == 0 || closing && opened < 0 && quoted || !closing && (opened >= 0 || quoted):
			case !closing:
				opened = i
			case opened >= 0:
				spans = append(spans, span{opened, i + size})
				opened, quoted = -1, false
			default:
				spans, quoted = append(spans[:0], span{0, i + size}), false
			}
		}
	}
	if opened >= 0 {
		spans = append(spans, span{opened, len(text)})
	}
	return slices.Clip(spans)
}

// tag returns the length of the tag that s begins with, 0 if there is none.
func tag(s string) (size int, closing bool) {
	for _, t := range [...]string{"<think>", "</think>", "<thinking>", "</thinking>"} {
		if len(s) >= len(t) && strings.EqualFold(s[:len(t)], t) {
			return len(t), t[1] == '/'
		}
	}
	return 0, false
}
