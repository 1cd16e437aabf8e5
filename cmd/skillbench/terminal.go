package main

import (
	"fmt"
	"strings"
	"unicode"
)

// plain escapes what could change a terminal: control characters, escape
// sequences and marks that turn the direction of text. Newlines and tabs stay.
func plain(text string) string {
	clean := true
	for _, r := range text {
		clean = clean && shown(r)
	}
	if clean {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if shown(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

func shown(r rune) bool {
	return r == '\n' || r == '\t' || unicode.IsPrint(r)
}

// wrap breaks a text into lines of at most so many characters, at spaces where
// there are some. An empty text is one empty line.
func wrap(text string, most int) []string {
	lines, length := []string{""}, 0
	for _, word := range strings.Fields(text) {
		r := []rune(word)
		if length > 0 && length+1+len(r) <= most {
			lines[len(lines)-1] += " " + word
			length += 1 + len(r)
			continue
		}
		if length > 0 {
			lines = append(lines, "")
		}
		for ; len(r) > most; r = r[most:] {
			lines[len(lines)-1] = string(r[:most])
			lines = append(lines, "")
		}
		lines[len(lines)-1], length = string(r), len(r)
	}
	return lines
}
