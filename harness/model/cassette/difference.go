package cassette

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What a difference shows, in runes: of each side, and of the line before it.
const (
	shown = 48
	lead  = 16
)

// difference says where two texts part, as line:column in runes from 1, and
// what each says from there on.
func difference(recorded, asked string) string {
	n := commonPrefix(recorded, asked)
	for n > 0 && n < len(recorded) && !utf8.RuneStart(recorded[n]) {
		n--
	}
	before := recorded[:n]
	line := 1 + strings.Count(before, "\n")
	same := before[strings.LastIndexByte(before, '\n')+1:]
	column := 1 + utf8.RuneCountInString(same)
	return fmt.Sprintf("%d:%d%s: recorded %s, asked %s", line, column, after(same), excerpt(recorded[n:]), excerpt(asked[n:]))
}

func after(same string) string {
	if same == "" {
		return ""
	}
	runes := []rune(same[max(0, len(same)-lead*utf8.UTFMax):])
	return fmt.Sprintf(", after %q", string(runes[max(0, len(runes)-lead):]))
}

func excerpt(rest string) string {
	if rest == "" {
		return "the end"
	}
	if len(rest) > shown*utf8.UTFMax {
		rest = rest[:shown*utf8.UTFMax]
	}
	if runes := []rune(rest); len(runes) > shown {
		return fmt.Sprintf("%q…", string(runes[:shown]))
	}
	return fmt.Sprintf("%q", rest)
}

func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	const block = 256
	i := 0
	for i+block <= n && a[i:i+block] == b[i:i+block] {
		i += block
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
