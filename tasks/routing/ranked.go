package routing

import (
	"cmp"
	"slices"
)

// What decides between entries. The values are round numbers, chosen once on the
// dev split of the after-sales suite and on no other.
const (
	// enough is the score below which no entry is taken.
	enough = 0.12

	// deterrence is how much of the lead that an entry's negatives have over the
	// entry itself is taken off its score.
	deterrence = 1.0
)

// A match is how well an entry fits a message.
type match struct {
	entry int // in the list
	score float64
}

// rank orders entries by their scores, best first, and leaves out those that do
// not fit. Ties go by the place in the prompt.
func (c chooser) rank(list []*entry) ([]match, []*entry) {
	texts := make([]map[string]bool, len(list))
	for i, e := range list {
		texts[i] = words(e.says...)
	}
	weights, message := newScale(texts), words(c.said)
	var found []match
	for i, e := range list {
		score, against := weights.overlap(message, texts[i]), 0.0
		for _, negative := range e.denies {
			against = max(against, weights.overlap(message, words(negative)))
		}
		score -= deterrence * max(0, against-score)
		if len(list) > 1 {
			score *= 1 - c.bias*float64(i)/float64(len(list)-1)
		}
		if score >= enough {
			found = append(found, match{i, score})
		}
	}
	slices.SortStableFunc(found, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	return found, list
}
