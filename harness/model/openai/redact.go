package openai

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxMessage = 300 // runes of a provider's words that are kept

	// minSecret is the shortest key taken out of replies. Shorter ones are the
	// placeholders of local servers ("none", "EMPTY"), which are words.
	minSecret = 8
)

var secrets = regexp.MustCompile(`(?i)` +
	`\b(?:authorization|(?:x-)?api[-_ ]?key)\\*["']?\s*[:=]\s*\\*["']?(?:bearer\s+|basic\s+)?[\w.~+/=*-]+` +
	`|\bbearer\s+[\w.~+/=*-]+` +
	`|\bsk-[\w*-]{6,}`)

// A redactor keeps the key out of everything that is written down.
type redactor struct{ forms *strings.Replacer }

func newRedactor(key string) (line, reply redactor) {
	if key == "" {
		return
	}
	quoted, _ := json.Marshal(key)
	pairs := []string{key, "[key]", url.QueryEscape(key), "[key]", strings.Trim(string(quoted), `"`), "[key]"}
	line = redactor{strings.NewReplacer(pairs...)}
	if len(key) >= minSecret {
		reply = line
	}
	return line, reply
}

// remove takes out the key itself, in any of the forms it travels in.
func (r redactor) remove(text string) string {
	if r.forms == nil {
		return text
	}
	return r.forms.Replace(text)
}

// line makes one bounded, printable line without secrets.
func (r redactor) line(text string) string {
	text = r.remove(text)
	if len(text) > 16*maxMessage {
		text = text[:16*maxMessage]
	}
	text = secrets.ReplaceAllString(strings.ToValidUTF8(text, "\uFFFD"), "[redacted]")
	text = strings.Join(strings.FieldsFunc(text, func(c rune) bool { return unicode.IsSpace(c) || !unicode.IsPrint(c) }), " ")
	if utf8.RuneCountInString(text) > maxMessage {
		text = string([]rune(text)[:maxMessage]) + "…"
	}
	return text
}
