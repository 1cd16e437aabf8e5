package tokens

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SafeSplit reports whether Count(a+b) == Count(a)+Count(b) is certain for
// every encoding of [Names]. False means unknown, not unequal. It looks only
// at the end of a and the beginning of b.
func SafeSplit(a, b string) bool {
	if a == "" || b == "" {
		return true
	}
	end, size := utf8.DecodeLastRuneInString(a)
	if end == utf8.RuneError && size == 1 {
		return false // b may complete a character
	}
	begin, _ := utf8.DecodeRuneInString(b)
	switch {
	case end == '\n' || end == '\r':
		return begin != '/' && !leadsToBreak(b)
	case unicode.IsNumber(end):
		return !unicode.IsNumber(begin)
	case unicode.IsLetter(end):
		return !unicode.IsLetter(begin) && !unicode.IsMark(begin) && begin != '\''
	}
	return false
}

// leadsToBreak reports whether the spaces that text begins with hold a line
// break, which would draw a line break before text into the same piece.
func leadsToBreak(text string) bool {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	return strings.ContainsAny(text[:len(text)-len(rest)], "\r\n")
}
