// Package tokens counts the tokens of a text exactly as tiktoken does, without
// a network: the rank files are part of the program.
//
// The counting is tiktoken-go's. Two things are added to it. A [Counter] keeps
// the count of a text that only grows at the price of its new end, and pieces
// too long for tiktoken-go's merge, whose time grows with the square of a
// piece, are merged here, so that no reply of a model can stall a run.
//
// Text is always ordinary text: "<|endoftext|>" in a prompt is seven tokens of
// cl100k_base and not a control token. A byte that is not valid UTF-8 counts
// as one U+FFFD.
package tokens

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/pkoukk/tiktoken-go"
	tiktoken_loader "github.com/pkoukk/tiktoken-go-loader"
)

// Default is the name of the encoding used where an experiment names none.
const Default = "o200k_base"

// An Encoding counts tokens exactly as tiktoken does, with one known
// exception inherited from tiktoken-go: o200k_base does not take "'ſ" (U+017F)
// for the contraction "'s". It is safe for concurrent use.
type Encoding struct {
	name    string
	library *tiktoken.Tiktoken
	pattern *regexp2.Regexp
	ranks   map[string]int // shared with library, never written
}

// Load returns the encoding called name, one of [Names]. An encoding is read
// once per process, which takes 0.1 to 0.3 s and up to 40 MB; later calls
// return the same value.
func Load(name string) (*Encoding, error) {
	for _, s := range sources {
		if s.name == name {
			return s.load()
		}
	}
	return nil, fmt.Errorf("tokens: unknown encoding %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Names lists the encodings that [Load] knows, in alphabetical order.
func Names() []string {
	names := make([]string, len(sources))
	for i, s := range sources {
		names[i] = s.name
	}
	return names
}

// Name returns the name that e was loaded by.
func (e *Encoding) Name() string { return e.name }

// Count returns the number of tokens of text. Its time grows in proportion to
// the text, whatever the text is, but for a logarithmic factor in runs without
// any break.
func (e *Encoding) Count(text string) int {
	text = valid(text)
	if !mayHoldLongPiece(text) {
		return len(e.library.EncodeOrdinary(text))
	}
	sum := 0
	for p := range e.pieces(text) {
		sum += p.tokens
	}
	return sum
}

// valid returns text with one U+FFFD for each byte that is not valid UTF-8,
// which is how tiktoken-go reads such text.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}

// A source says how one encoding is made.
type source struct {
	name string
	load func() (*Encoding, error)
}

// The patterns are those published with the encodings; tiktoken-go has the
// same ones but does not export them.
var sources = []source{
	newSource("cl100k_base", `(?i:'s|'t|'re|'ve|'m|'ll|'d)`,
		`[^\r\n\p{L}\p{N}]?\p{L}+`,
		`\p{N}{1,3}`,
		` ?[^\s\p{L}\p{N}]+[\r\n]*`,
		`\s*[\r\n]+`, `\s+(?!\S)`, `\s+`),
	newSource("o200k_base",
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?`,
		`\p{N}{1,3}`,
		` ?[^\s\p{L}\p{N}]+[\r\n/]*`,
		`\s*[\r\n]+`, `\s+(?!\S)`, `\s+`),
}

func newSource(name string, alternatives ...string) source {
	pattern := strings.Join(alternatives, "|")
	return source{name, sync.OnceValues(func() (*Encoding, error) {
		e, err := read(name, pattern)
		if err != nil {
			return nil, fmt.Errorf("tokens: encoding %s: %w", name, err)
		}
		return e, nil
	})}
}

// read builds the encoding from its rank file. It does not use
// tiktoken.GetEncoding, which would need a loader set for the whole process
// and keeps the ranks to itself. No special token is made known, so that none
// can be matched.
func read(name, pattern string) (*Encoding, error) {
	ranks, err := tiktoken_loader.NewOfflineLoader().LoadTiktokenBpe(name + ".tiktoken")
	if err != nil {
		return nil, err
	}
	core, err := tiktoken.NewCoreBPE(ranks, nil, pattern)
	if err != nil {
		return nil, err
	}
	compiled, err := regexp2.Compile(pattern, regexp2.None)
	if err != nil {
		return nil, err
	}
	return &Encoding{
		name:    name,
		library: tiktoken.NewTiktoken(core, nil, nil),
		pattern: compiled,
		ranks:   ranks,
	}, nil
}
