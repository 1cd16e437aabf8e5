package openai

import (
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"

	"skillbench/harness/record"
)

// align holds the tokens that an endpoint returns to the text that was sent:
// joined they must be it. Behind it may follow what was written, before it one
// token without a probability, which begins every text for some models. It
// returns scores of the text behind so many bytes; a token that crosses that
// place counts by its share of bytes behind it.
//
// A token may hold a part of a character, which no JSON string can: servers send
// U+FFFD, nothing, or bytes:\xe2 in its place. Such tokens count together with
// what follows, up to the end of a run of characters beyond ASCII.
func align(text string, before int, tokens []string, logProbs []*float64) (record.Scores, error) {
	a := aligner{text: text, rest: text, before: before}
	for i, token := range tokens {
		if a.rest == "" {
			break
		}
		if i == 0 && logProbs[0] == nil && (token == "" || !strings.HasPrefix(text, unspaced(text, token))) {
			continue
		}
		if err := a.take(token, logProbs[i]); err != nil {
			return nil, err
		}
	}
	if a.open.tokens > 0 && beyondASCII(a.rest) == len(a.rest) {
		if err := a.cover(len(a.rest), span{}); err != nil {
			return nil, err
		}
	}
	if a.rest != "" {
		return nil, useless("its tokens are %d bytes of the text's %d", len(text)-len(a.rest), len(text))
	}
	return a.scores, nil
}

// unspaced is the first token of a text without the space that some tokenizers
// put there.
func unspaced(text, token string) string {
	if strings.HasPrefix(text, " ") {
		return token
	}
	return strings.TrimPrefix(token, " ")
}

type aligner struct {
	text, rest string // rest: not covered yet
	before     int    // bytes of it that are not judged
	open       span   // tokens that cover no bytes of their own yet
	scores     record.Scores
}

// A span is one token or more, counted as one.
type span struct {
	tokens  int
	logProb float64
	unknown bool // one of them has no probability
}

func (s span) plus(o span) span {
	return span{s.tokens + o.tokens, s.logProb + o.logProb, s.unknown || o.unknown}
}

func (a *aligner) take(token string, logProb *float64) error {
	one := span{tokens: 1, unknown: logProb == nil}
	if logProb != nil {
		if one.logProb = *logProb; record.NewScore(1, one.logProb).LogProb > 0 {
			return useless("it returns %g as the logarithm of a probability", one.logProb)
		}
	}
	if len(a.rest) == len(a.text) {
		token = unspaced(a.text, token)
	}
	token = unescaped(a.rest, token)
	if a.open.tokens == 0 && token != "" && strings.HasPrefix(a.rest, token) {
		return a.cover(len(token), one)
	}
	return a.parts(token, one)
}

// parts takes a token that is not what the text goes on with: its characters
// beyond ASCII stand for some of the run of them that the text is at.
func (a *aligner) parts(token string, one span) error {
	known := strings.TrimLeftFunc(token, func(r rune) bool { return r >= utf8.RuneSelf })
	known, _, cut := strings.Cut(known, string(utf8.RuneError))
	if known == "" {
		a.open = a.open.plus(one)
		return nil
	}
	run := beyondASCII(a.rest)
	switch {
	case run == len(a.rest) && a.open.tokens > 0: // what was written begins here
		return a.cover(run, span{})
	case !strings.HasPrefix(a.rest[run:], known):
		return useless("its tokens are not the text: %.40q where the text has %.40q", token, a.rest[run:])
	}
	if err := a.cover(run+len(known), one); err != nil {
		return err
	}
	if cut {
		a.open = span{tokens: 1} // the rest of it; its probability is counted
	}
	return nil
}

// cover lets the open tokens and one more stand for the next bytes.
func (a *aligner) cover(bytes int, one span) error {
	s := a.open.plus(one)
	a.open = span{}
	inside := max(0, bytes-a.before)
	a.rest, a.before = a.rest[bytes:], max(0, a.before-bytes)
	switch {
	case inside == 0:
		return nil
	case s.unknown:
		return useless("it returns no log-probability for a token of the text")
	}
	a.scores = append(a.scores, record.NewScore(inside, s.logProb*float64(inside)/float64(bytes)))
	return nil
}

// beyondASCII is the length of the run of characters beyond ASCII that begins a
// text.
func beyondASCII(text string) int {
	return len(text) - len(strings.TrimLeftFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }))
}

var escaped = regexp.MustCompile(`^bytes:((?:\\x[0-9a-f]{2})+)$`)

// unescaped is a token whose bytes OpenAI's completions write out.
func unescaped(rest, token string) string {
	m := escaped.FindStringSubmatch(token)
	if m == nil || strings.HasPrefix(rest, token) {
		return token
	}
	data, _ := hex.DecodeString(strings.ReplaceAll(m[1], `\x`, "")) // it has matched
	return string(data)
}
