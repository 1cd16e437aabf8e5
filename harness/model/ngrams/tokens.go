package ngrams

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Tokens parts a text into what is judged as one: a word, number or name such
// as item_12 with one space before it, a line break, or any other character.
// Joined they are the text.
func Tokens(text string) []string {
	var list []string
	for text != "" {
		n := 0
		if text[0] == ' ' {
			n = 1
		}
		size := len(text[n:]) - len(strings.TrimLeftFunc(text[n:], IsWord))
		if size == 0 {
			n = 0
			_, size = utf8.DecodeRuneInString(text)
		}
		list, text = append(list, text[:n+size]), text[n+size:]
	}
	return list
}

// IsWord reports whether a character is one of a word, number or name.
func IsWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
