// Package rank finds skills for a message without a language model: by BM25, or by
// the cosine of embeddings. Rules then decide what to do with the best ones.
//
// What a skill is found by is its skills.Skill.Index, with which BM25 takes the
// abouts of what the customer gives. Negatives are in neither: text that says what
// a skill is not for has the very words of the messages that it is not for.
package rank

import (
	"cmp"
	"math"
	"slices"
)

// A Scored is a skill and how well it fits a message: more than 0, at most 1. What
// a score means is the ranker's; scores of two rankers do not compare.
type Scored struct {
	Name  string
	Score float64
}

// A Ranker orders its skills for a message, best first, ties by name. Skills that
// do not fit at all are left out, so the list can be empty.
type Ranker interface {
	Rank(message string) []Scored
}

// ordered drops what cannot win (NaN, zero, less) and sorts the rest.
func ordered(list []Scored) []Scored {
	list = slices.DeleteFunc(list, func(s Scored) bool { return !(s.Score > 0) || math.IsInf(s.Score, 0) })
	slices.SortFunc(list, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name))
	})
	return list
}
