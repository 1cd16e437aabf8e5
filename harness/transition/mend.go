package transition

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/state"
)

// mend rewrites a sloppy object as JSON, in one pass. It mends
//   - commas that are missing, trailing or doubled, and full-width ones;
//   - comments, byte order marks and other blanks that JSON does not know;
//   - keys without quotes, and single, curly and back quotes;
//   - a bare word as a value: True, False and None, and else a string that ends
//     with the line or before the next comma or bracket;
//   - raw control characters and bad escapes in strings;
//   - brackets that are open at the end.
//
// It guesses no more than that: where a quote inside a string is not escaped, a
// string is open or brackets do not match, it returns false. The result is not
// checked: duplicate keys and malformed numbers are still in it.
func mend(text string) ([]byte, bool) {
	m := mender{text: text}
	ok := m.value(1)
	m.blank()
	return m.out, ok && m.text == ""
}

// A mender has the rest of the text and what is written so far.
type mender struct {
	text string
	out  []byte
}

func (m *mender) value(depth int) bool {
	m.blank()
	switch {
	case m.take("{"):
		return m.list('{', '}', depth)
	case m.take("["):
		return m.list('[', ']', depth)
	}
	if closers := m.quote(); closers != "" {
		return m.string(closers)
	}
	return m.word()
}

// list writes the members up to the closing bracket, or to the end of the text.
func (m *mender) list(opening, closing byte, depth int) bool {
	if depth > state.MaxDepth {
		return false
	}
	m.out = append(m.out, opening)
	for first := true; ; first = false {
		for m.blank(); m.take(",") || m.take("，"); {
			m.blank()
		}
		if m.text == "" || m.take(string(closing)) {
			m.out = append(m.out, closing)
			return true
		}
		if !first {
			m.out = append(m.out, ',')
		}
		if opening == '{' && !m.key() || !m.value(depth+1) {
			return false
		}
	}
}

func (m *mender) key() bool {
	if closers := m.quote(); closers != "" {
		if !m.string(closers) {
			return false
		}
	} else if word := wordAt(m.text); word == "" {
		return false
	} else {
		m.text = m.text[len(word):]
		m.out = append(append(append(m.out, '"'), word...), '"')
	}
	m.blank()
	m.out = append(m.out, ':')
	return m.take(":") || m.take("：")
}

// word writes a value without quotes. Of what is a number only the strict parser
// has the say.
func (m *mender) word() bool {
	var end int
	if number := wordAt(m.text); startsNumber(number) {
		end = len(number)
	} else if end = strings.IndexAny(m.text, ",}]{[\":\n，："); end < 0 {
		end = len(m.text)
	} else if strings.IndexByte("{[\":", m.text[end]) >= 0 {
		return false
	}
	word := strings.TrimSpace(m.text[:end])
	m.text = m.text[end:]
	switch word {
	case "":
		return false
	case "True", "False":
		word = strings.ToLower(word)
	case "None":
		word = "null"
	case "true", "false", "null":
	default:
		if !isNaN(word) && !startsNumber(word) {
			w := mender{text: word + `"`}
			ok := w.string(`"`)
			m.out = append(m.out, w.out...)
			return ok && w.text == ""
		}
	}
	m.out = append(m.out, word...)
	return true
}

func startsNumber(word string) bool {
	return word != "" && strings.IndexByte("+-.0123456789", word[0]) >= 0
}

// quotes are opening quotes, each with what may close it.
var quotes = [...][2]string{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {"“", "”“"}, {"”", "”“"}, {"„", "“”"}, {"‘", "’‘"}, {"’", "’‘"}, {"＂", "＂"},
}

// quote takes an opening quote and returns what closes it.
func (m *mender) quote() string {
	for _, q := range quotes {
		if m.take(q[0]) {
			return q[1]
		}
	}
	return ""
}

// string writes a string up to a closing quote.
func (m *mender) string(closers string) bool {
	m.out = append(m.out, '"')
	for m.text != "" {
		r, size := utf8.DecodeRuneInString(m.text)
		switch {
		case strings.ContainsRune(closers, r):
			m.text = m.text[size:]
			m.out = append(m.out, '"')
			return true
		case r == '\\':
			size = m.escape()
		case r == '"':
			m.out = append(m.out, `\"`...)
		case r < ' ':
			m.out = fmt.Appendf(m.out, `\u%04x`, r)
		default:
			m.out = append(m.out, m.text[:size]...)
		}
		m.text = m.text[size:]
	}
	return false
}

// escape writes what a backslash begins and returns its length. One that begins
// nothing stands for itself, as in a Windows path.
func (m *mender) escape() int {
	next := m.text[1:]
	switch {
	case next == "":
		return 1
	case strings.IndexByte(`"\/bfnrt`, next[0]) >= 0, next[0] == 'u' && hexDigits(next[1:min(len(next), 5)]) == 4:
		m.out = append(m.out, m.text[:2]...)
		return 2
	case next[0] == '\'' || next[0] == '`':
		m.out = append(m.out, next[0])
		return 2
	}
	m.out = append(m.out, `\\`...)
	return 1
}

func (m *mender) take(token string) bool {
	rest, ok := strings.CutPrefix(m.text, token)
	m.text = rest
	return ok
}

// blank skips white space, invisible characters and comments.
func (m *mender) blank() {
	for {
		m.text = strings.TrimLeftFunc(m.text, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
		})
		switch {
		case strings.HasPrefix(m.text, "//"), strings.HasPrefix(m.text, "#"):
			_, m.text, _ = strings.Cut(m.text, "\n")
		case strings.HasPrefix(m.text, "/*"):
			_, m.text, _ = strings.Cut(m.text[2:], "*/")
		default:
			return
		}
	}
}
