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
