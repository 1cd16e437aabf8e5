package harness

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
)

// A meter measures the prompts of one lane, each against the one before, so
// that the work grows with what is new. Its figures equal those of measuring
// every prompt from the start.
type meter struct {
	encoding *tokens.Encoding
	number   func(text string) (int, error) // of a text in the journal
	last     prompt.Prompt
	sections []measured
}

// measured is what is known of one section.
type measured struct {
	chars  int
	tokens *tokens.Counter
	chain  [sha256.Size]byte // hash over its segments
}

// measure returns the parts of a call that the prompt decides.
func (m *meter) measure(p prompt.Prompt) (journal.Call, error) {
	splice := make(prompt.Splice, len(p))
	sections := make([]measured, len(p))
	for i, section := range p {
		var old []prompt.Segment
		if i < len(m.last) {
			old = m.last[i]
		}
		skip, keep := prompt.Overlap(old, section)
		splice[i] = prompt.Edit{Skip: skip, Keep: keep}
		for _, s := range section[keep:] {
			n, err := m.number(s.Text)
			if err != nil {
				return journal.Call{}, err
			}
			splice[i].Add = append(splice[i].Add, prompt.Ref{Kind: s.Kind, From: s.From, To: s.To, Text: n})
		}
		if skip == 0 && keep == len(old) && i < len(m.sections) {
			sections[i] = m.sections[i]
			sections[i].grow(section[keep:])
		} else {
			sections[i] = measured{tokens: m.encoding.NewCounter()}
			sections[i].grow(section)
		}
	}
	m.last, m.sections = p, sections
	c := journal.Call{Splice: splice, Hash: m.hash(), Tokens: m.count()}
	for _, s := range sections {
		c.Chars += s.chars
	}
	return c, nil
}

// grow adds segments to a section that has only been appended to. The counter
// is shared with the prompt before, which needs it no more.
func (s *measured) grow(segments []prompt.Segment) {
	for _, g := range segments {
		s.chars += utf8.RuneCountInString(g.Text)
		s.tokens.Append(g.Text)
		sum := sha256.New()
		sum.Write(s.chain[:])
		sum.Write([]byte(g.Kind))
		var at [17]byte // the leading zero ends the kind
		binary.BigEndian.PutUint64(at[1:], uint64(g.From))
		binary.BigEndian.PutUint64(at[9:], uint64(g.To))
		sum.Write(at[:])
		sum.Write([]byte(g.Text))
		sum.Sum(s.chain[:0])
	}
}

// hash of the prompt: over the chains of its sections.
func (m *meter) hash() string {
	sum := sha256.New()
	for _, s := range m.sections {
		sum.Write(s.chain[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// count adds up the sections where every seam is a safe place to split, as the
// labels make it for all built-in strategies, and counts the whole text
// otherwise.
func (m *meter) count() int {
	total, before := 0, ""
	for i, section := range m.last {
		if first := opening(section); first != "" {
			if !tokens.SafeSplit(before, first) {
				return m.encoding.Count(m.last.Text())
			}
			before = lastText(section)
		}
		total += m.sections[i].tokens.Count()
	}
	return total
}

// opening is what a section begins with, up to the end of the first text that
// is more than white space: a line break behind spaces joins one before them.
func opening(section []prompt.Segment) string {
	text := ""
	for _, s := range section {
		if text += s.Text; strings.TrimSpace(s.Text) != "" {
			break
		}
	}
	return text
}

func lastText(section []prompt.Segment) string {
	for i := len(section) - 1; i >= 0; i-- {
		if section[i].Text != "" {
			return section[i].Text
		}
	}
	return ""
}
