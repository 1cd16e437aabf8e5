package tokens

import "strings"

// A Counter holds the exact count of a text that only grows. It is not safe
// for concurrent use; a [Counter.Clone] may be used beside it.
type Counter struct {
	enc *Encoding
	sum int // tokens of all pieces before last
	// last are the final pieces, which more text can still change. Two are
	// needed, as "aaaa" and "'" become one piece before "s"; two are enough,
	// since the pattern never looks behind a match and what a longer text can
	// join is at most a word and its contraction, or two runs of spaces.
	last [2]piece
}

// NewCounter returns a Counter of the empty text.
func (e *Encoding) NewCounter() *Counter { return &Counter{enc: e} }

// Append adds text to the end. It costs as much as counting text and the two
// last pieces of what was there before. Each text is made valid UTF-8 on its
// own, so a character cut in two by the calls counts as its bad bytes do, one
// U+FFFD each.
func (c *Counter) Append(text string) {
	whole := c.last[0].text + c.last[1].text + valid(text)
	c.last = [2]piece{}
	for p := range c.enc.pieces(whole) {
		c.sum += c.last[0].tokens
		c.last[0], c.last[1] = c.last[1], p
	}
	// Not to keep the whole text alive for the sake of its end.
	c.last[0].text = strings.Clone(c.last[0].text)
	c.last[1].text = strings.Clone(c.last[1].text)
}

// Count returns the number of tokens of all that was appended, which is what
// [Encoding.Count] says of the same text in one.
func (c *Counter) Count() int { return c.sum + c.last[0].tokens + c.last[1].tokens }

// Clone returns a Counter that stands where c stands and grows on its own. It
// costs the same however long the text is.
func (c *Counter) Clone() *Counter {
	clone := *c
	return &clone
}
