package routing

import (
	"cmp"
	"slices"
)

// enough is the score from which an entry is taken: a round number, chosen once
// on the dev split of the after-sales suite and on no other.
const enough = 0.1

// rank orders entries by their scores, best first, and leaves out those that do
// not fit. A score is the share of the message that an entry has, less what speaks
// against it, and weighs by the place of the entry. What is not shown in full fits
// with any word, for looking is free. Ties go by name, not by place.
func (c chooser) rank(list []*entry) []*entry {
	type match struct {
		*entry
		score float64
	}
	weights, message := c.scale(), words(c.said)
	var found []match
	for i, e := range list {
		weight := 1.0
		if len(list) > 1 {
			weight -= c.bias * float64(i) / float64(len(list)-1)
		}
		score := weight * weights.overlap(message, e.words())
		if e.fits(score) {
			score -= weight * weights.against(message, e)
		}
		if e.fits(score) {
			found = append(found, match{e, score})
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.name, b.name))
	})
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

// fits reports whether a score is enough for an entry.
func (e *entry) fits(score float64) bool { return score > 0 && (score >= enough || !e.whole) }

// against is the lead of the negative that is most like the message over the most
// alike of the entry's own lines, 0 for none.
func (s scale) against(message map[string]bool, e *entry) float64 {
	return max(0, s.nearest(message, e.denies)-s.nearest(message, e.says))
}
