package transition

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/harness/state"
)

// A fault is the first reason why a text is not one strict JSON object.
type fault struct {
	at    int    // byte offset
	what  string // in a few words
	early bool   // nothing is wrong with the text but that it ends
}

// diagnose returns the first fault of a text that begins with a brace, and a
// fault that is early and nameless where there is none before its end.
func diagnose(text string) fault {
	if len(text) > state.MaxBytes {
		return fault{at: state.MaxBytes, what: fmt.Sprintf("longer than %d bytes", state.MaxBytes)}
	}
	d := jsontext.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.ReadToken()
		var syntactic *jsontext.SyntacticError
		switch {
		case err == nil && d.StackDepth() > state.MaxDepth:
			return fault{at: int(d.InputOffset()) - 1, what: fmt.Sprintf("nested deeper than %d", state.MaxDepth)}
		case err == nil && d.StackDepth() > 0:
			continue
		case err == nil:
			return fault{at: int(d.InputOffset()), what: "more text after the object"}
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return fault{at: len(text), what: unclosed(d, text), early: true}
		case errors.As(err, &syntactic):
			at := min(max(int(syntactic.ByteOffset), 0), len(text)-1)
			return fault{at: at, what: newSite(d, text, at).name(syntactic)}
		default:
			return fault{at: 0, what: err.Error()}
		}
	}
}

func unclosed(d *jsontext.Decoder, text string) string {
	if newSite(d, text, len(text)).quoted {
		return "unclosed string"
	}
	if kind, _ := d.StackIndex(d.StackDepth()); kind == '[' {
		return "unclosed array"
	}
	return "unclosed object"
}

// A site is the surroundings of a fault.
type site struct {
	text   string
	at     int
	token  int    // where the token begins that holds the fault
	wanted string // key, colon, value or separator
	quoted bool   // inside a string
}

func newSite(d *jsontext.Decoder, text string, at int) site {
	s := site{text: text, at: at}
	last := min(int(d.InputOffset()), at) // end of the last good token
	s.token = last + len(text[last:at]) - len(strings.TrimLeft(text[last:at], " \t\r\n,:"))
	s.quoted = s.token < at && text[s.token] == '"'
	var before byte
	if head := strings.TrimRight(text[:s.token], " \t\r\n"); head != "" {
		before = head[len(head)-1]
	}
	kind, n := d.StackIndex(d.StackDepth())
	switch {
	case kind == '{' && n%2 == 1 && before != ':':
		s.wanted = "colon"
	case kind == '{' && n%2 == 0 && (before == '{' || before == ','):
		s.wanted = "key"
	case kind == '{' && n%2 == 1, before == '[', before == ',':
		s.wanted = "value"
	default:
		s.wanted = "separator"
	}
	return s
}

func (s site) name(err *jsontext.SyntacticError) string {
	if errors.Is(err.Err, jsontext.ErrDuplicateName) {
		return "duplicate key " + quote(err.JSONPointer.LastToken())
	}
	c, size := utf8.DecodeRuneInString(s.text[s.at:])
	switch {
	case c == utf8.RuneError && size == 1:
		return "invalid UTF-8"
	case s.quoted:
		return s.nameInString(c)
	case c == '\uFEFF':
		return "byte order mark inside the JSON"
	case c > 0x7F && (unicode.IsSpace(c) || !unicode.IsPrint(c)):
		return fmt.Sprintf("invisible character U+%04X", c)
	case strings.ContainsRune("“”„‘’「」『』、。", c), c > 0xFF00 && c < 0xFF5F:
		return fmt.Sprintf("full-width or curly punctuation %c, want its ASCII form", c)
	}
	if what := s.nameWord(c); what != "" {
		return what
	}
	return s.namePunctuation(c)
}

func (s site) nameInString(c rune) string {
	switch {
	case c == '\n' || c == '\r':
		return `raw line break inside a string, want \n (or a closing quote is missing)`
	case c < ' ':
		return fmt.Sprintf("raw control character U+%04X inside a string", c)
	case c == '\\' && strings.HasPrefix(s.text[s.at:], `\u`) && hexDigits(s.text[s.at+2:]) >= 4:
		return "lone surrogate " + s.text[s.at:s.at+6]
	case c == '\\':
		return "bad escape " + quote(firstRunes(s.text[s.at:], 2))
	}
	return fmt.Sprintf("unexpected %q inside a string", c)
}

// nameWord names faults in what is neither string nor punctuation.
func (s site) nameWord(c rune) string {
	word := wordAt(s.text[s.token:])
	bare := strings.TrimLeft(word, "+-")
	switch {
	case s.at > 0 && isDigit(s.text[s.at-1]) && wordAt(s.text[s.at:]) != "":
		return "malformed number"
	case word == "":
		return ""
	case s.wanted == "separator" && s.text[s.at-1] == '"':
		return "unescaped quote inside a string, or a missing comma"
	case s.wanted == "separator":
		return "missing comma"
	case s.wanted == "colon":
		return "missing colon"
	case s.wanted == "key":
		return "unquoted key " + quote(word)
	case isNaN(bare):
		return "NaN or Infinity: " + quote(word) + " is not JSON"
	case bare == "" || isDigit(bare[0]) || bare[0] == '.':
		return "malformed number"
	}
	return "bareword " + quote(word)
}

func (s site) namePunctuation(c rune) string {
	next := strings.TrimLeft(s.text[s.at+1:], " \t\r\n")
	opening := c == '"' || c == '{' || c == '['
	switch {
	case c == ',' && next != "" && (next[0] == '}' || next[0] == ']'):
		return "trailing comma"
	case c == '/' && next != "" && (next[0] == '/' || next[0] == '*'), c == '#':
		return "comment"
	case c == '\'':
		return "single quotes, want double quotes"
	case c == '`':
		return "backquotes, want double quotes"
	case c == '\\':
		return "backslash outside a string"
	case c == '{' && s.at > 0 && s.text[s.at-1] == '{':
		return "doubled brace"
	case (c == '}' || c == ']') && s.wanted == "separator":
		return fmt.Sprintf("%q closes something else", c)
	case opening && s.wanted == "separator":
		return "missing comma"
	case s.wanted == "colon":
		return "missing colon"
	case s.wanted == "separator":
		return fmt.Sprintf("unexpected %q, want a comma or the end", c)
	}
	return fmt.Sprintf("unexpected %q, want a %s", c, s.wanted)
}

func wordAt(text string) string {
	n := 0
	for n < len(text) && (isDigit(text[n]) || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'z' || strings.IndexByte("_+-.$", text[n]) >= 0) {
		n++
	}
	return text[:n]
}

func isNaN(word string) bool {
	return strings.EqualFold(word, "nan") || strings.EqualFold(word, "infinity") || strings.EqualFold(word, "inf")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func hexDigits(text string) int {
	n := 0
	for n < len(text) && (isDigit(text[n]) || text[n]|0x20 >= 'a' && text[n]|0x20 <= 'f') {
		n++
	}
	return n
}

// quote shows a short text of the reply in a hint.
func quote(text string) string {
	if short := firstRunes(text, 24); short != text {
		text = short + "…"
	}
	return `"` + text + `"`
}

func firstRunes(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}

// position is the line and the column, in code points, both from 1, of an offset.
func position(text string, at int) string {
	head := text[:min(at, len(text))]
	line := head[strings.LastIndexByte(head, '\n')+1:]
	return fmt.Sprintf("line %d:%d", 1+strings.Count(head, "\n"), 1+utf8.RuneCountInString(line))
}
