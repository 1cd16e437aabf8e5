package routing

import (
	"cmp"
	"slices"
)

// What decides between entries. The values are round numbers, chosen once on the
// dev split of the after-sales suite and on no other.
const (
	// enough is the score from which an entry is taken.
	enough = 0.1

	// deterrence is how much of the lead that an entry's negatives have over the
	// entry itself is taken off its score.
	deterrence = 1.0
)

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

// score is the share of the message that an entry has, less what speaks against it.
func (c chooser) score(weights scale, message map[string]bool, e *entry) float64 {
	score, against := weights.overlap(message, e.words()), 0.0
	for _, negative := range e.denies {
		against = max(against, weights.overlap(message, words(negative)))
	}
	return score - deterrence*max(0, against-score)
}
