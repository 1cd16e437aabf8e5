package transition

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// A block is a top-level {…} of a text: what may be an object.
type block struct {
	from, to int
	end      ending
	inner    bool // found inside a block that is broken; counts only if it is what is wanted
}

type ending string

const (
	closed ending = "closed" // by its own brace
	fence  ending = "fence"  // by a line that cannot be part of strict JSON
	cutOff ending = "cut"    // the text ends in it
)

// maxRescans bounds how often the inside of an unclosed block is searched again,
// which keeps the search linear.
const maxRescans = 8

// blocks yields the blocks of a text in order. A brace that nothing like a key
// follows is prose: "set {x}". A block ends at its brace, or before a line where
// stop is true, or with the text. Only where an unclosed block is broken is the
// search taken up again behind the break, because then its opening brace was
// prose or a slip; inside sound JSON an object is never a block of its own.
func blocks(text string, stop func(line string) bool) iter.Seq[block] {
	return func(yield func(block) bool) {
		rescans, rescanEnd := 0, 0
		for at := 0; at < len(text); {
			i := strings.IndexByte(text[at:], '{')
			if i < 0 {
				return
			}
			at += i
			if !opensObject(text[at:]) {
				at++
				continue
			}
			b := scan(text, at, stop)
			b.inner = at < rescanEnd
			if !yield(b) {
				return
			}
			at = b.to
			if b.end == closed || rescans == maxRescans {
				continue
			}
			if f := diagnose(text[b.from:b.to]); !f.early {
				rescans++
				at, rescanEnd = b.from+max(f.at, 1), max(rescanEnd, b.to)
			}
		}
	}
}

// scan reads the block that begins at a brace.
func scan(text string, from int, stop func(line string) bool) block {
	b := block{from: from, to: len(text), end: cutOff}
	braces, quoted := 0, false
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			if stop(text[i+1:]) {
				b.to, b.end = i, fence
				return b
			}
		case c == '"':
			quoted = !quoted
		case quoted:
			if c == '\\' {
				i++
			}
		case c == '{':
			braces++
		case c == '}':
			braces--
			if braces == 0 {
				b.to, b.end = i+1, closed
				return b
			}
		}
	}
	return b
}

// opensObject reports whether a text that begins with a brace could be meant as
// an object: its end, a quote of any kind, a comment, a second brace, or a word
// and a colon follow. Keys longer than 100 bytes are not looked for.
func opensObject(text string) bool {
	rest := strings.TrimLeft(text[1:min(len(text), 400)], " \t\r\n\uFEFF\u00A0")
	if rest == "" || strings.IndexByte("}\"'`\\/#,{[", rest[0]) >= 0 {
		return true
	}
	if r, _ := utf8.DecodeRuneInString(rest); strings.ContainsRune("“”„‘’＂＇「", r) {
		return true
	}
	rest = rest[:min(len(rest), 100)]
	word := strings.IndexFunc(rest, func(r rune) bool {
		return r != '_' && r != '-' && r != '$' && r != '.' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z')
	})
	if word < 0 {
		return false
	}
	after := strings.TrimLeft(rest[word:], " \t")
	return word > 0 && (strings.HasPrefix(after, ":") || strings.HasPrefix(after, "："))
}

// atFence reports whether a text begins with a line that opens or closes a code
// fence. No such line can stand inside strict JSON.
func atFence(text string) bool {
	line := strings.TrimLeft(text[:min(len(text), 200)], " \t")
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}
