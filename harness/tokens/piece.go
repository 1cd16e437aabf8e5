package tokens

import (
	"iter"
	"unicode"
	"unicode/utf8"
)

// longPiece is the length in bytes above which a piece is merged by
// [mergeCount] and not by tiktoken-go, whose time grows with its square.
const longPiece = 256

// A piece is a part of a text that the encoding's pattern matched: no token
// crosses the edges of a piece.
type piece struct {
	text   string
	tokens int
}

// pieces yields the pieces of text, which must be valid UTF-8, in order.
// Together they are the whole text: each character is a letter, a number, a
// space or none of these, and the pattern matches all four.
func (e *Encoding) pieces(text string) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		// An error would mean a time limit, and the pattern has none.
		m, _ := e.pattern.FindStringMatch(text)
		for m != nil {
			size := prefixLen(text, m.Length)
			part := text[:size]
			text = text[size:]
			if !yield(piece{part, e.countPiece(part)}) {
				return
			}
			m, _ = e.pattern.FindNextMatch(m)
		}
	}
}

// countPiece returns the number of tokens of one piece.
func (e *Encoding) countPiece(text string) int {
	if _, ok := e.ranks[text]; ok {
		return 1
	}
	if len(text) > longPiece {
		return mergeCount(text, e.ranks)
	}
	// A piece alone is again one piece: only \s+(?!\S) looks beyond its own
	// end, and it takes what \s+ took before the rest was cut off.
	return len(e.library.EncodeOrdinary(text))
}

// prefixLen returns the length in bytes of the first runes of text.
func prefixLen(text string, runes int) int {
	size := 0
	for range runes {
		_, n := utf8.DecodeRuneInString(text[size:])
		size += n
	}
	return size
}

// mayHoldLongPiece reports whether a piece of text could be longer than
// longPiece. It errs on the side of true: it knows only that no piece goes on
// from a character that is not a space to a space other than a line break.
func mayHoldLongPiece(text string) bool {
	start, inSpace := 0, true
	for i, r := range text {
		space := unicode.IsSpace(r)
		if space && !inSpace && r != '\n' && r != '\r' {
			if i-start > longPiece {
				return true
			}
			start = i
		}
		inSpace = space
	}
	return len(text)-start > longPiece
}
