package routing

import (
	"cmp"
	"slices"
)

// enough is the score from which an entry is taken: a round number, chosen once
// on the dev split of the after-sales suite and on no other.
const enough = 0.1

// rank orders entries by their scores, best first, and leaves out those that do
// not fit. What is not shown in full fits with any word, for looking is free.
// Ties go by the place in the prompt.
func (c chooser) rank(list []*entry) []*entry {
	type match struct {
		*entry
		score float64
	}
	weights, message := c.scale(), words(c.said)
	var found []match
	for i, e := range list {
		score := c.score(weights, message, e)
		if len(list) > 1 {
			score *= 1 - c.bias*float64(i)/float64(len(list)-1)
		}
		if score > 0 && (score >= enough || !e.whole) {
			found = append(found, match{e, score})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	ranked := make([]*entry, len(found))
	for i, m := range found {
		ranked[i] = m.entry
	}
	return ranked
}

// scale weighs words by the entries of the whole prompt.
func (c chooser) scale() scale {
	var texts []map[string]bool
	for _, e := range c.all() {
		texts = append(texts, e.words())
	}
	return newScale(texts)
}

// score is the share of the message that an entry has, less what speaks against
// it: the lead of the negative that is most like the message over the most alike
// of the entry's own lines.
func (c chooser) score(weights scale, message map[string]bool, e *entry) float64 {
	lead := weights.nearest(message, e.denies) - weights.nearest(message, e.says)
	return weights.overlap(message, e.words()) - max(0, lead)
}
