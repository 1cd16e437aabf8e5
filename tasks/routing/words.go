package routing

import (
	"maps"
	"math"
	"slices"

	"skillbench/tasks/skills/rank"
)

// words are the distinct words of texts, without those of one or two letters.
func words(texts ...string) map[string]bool {
	set := map[string]bool{}
	for _, text := range texts {
		for _, w := range rank.Words(text) {
			if len(w) > 2 {
				set[w] = true
			}
		}
	}
	return set
}

// A scale weighs words: one that few of n texts have weighs more.
type scale struct {
	n    int
	have map[string]int
}

func newScale(texts []map[string]bool) scale {
	s := scale{n: len(texts), have: map[string]int{}}
	for _, t := range texts {
		for w := range t {
			s.have[w]++
		}
	}
	return s
}

// weight is ln((1+n)/(1+d)) + a little, where d of n texts have the word: words
// that all have still count for something.
func (s scale) weight(word string) float64 {
	return math.Log(float64(1+s.n)/float64(1+s.have[word])) + 0.1
}

// overlap is the weight of the message's words that a text has, as a share of the
// weight of all its words: 0 for none, 1 for all.
func (s scale) overlap(message, text map[string]bool) float64 {
	shared, all := 0.0, 0.0
	for _, w := range sorted(message) {
		all += s.weight(w)
		if text[w] {
			shared += s.weight(w)
		}
	}
	if all == 0 {
		return 0
	}
	return shared / all
}

// nearest is the cosine of a message and the line most like it, 0 to 1.
func (s scale) nearest(message map[string]bool, lines []string) float64 {
	best, length := 0.0, s.length(message)
	for _, line := range lines {
		shared, text := 0.0, words(line)
		for _, w := range sorted(message) {
			if text[w] {
				shared += s.weight(w) * s.weight(w)
			}
		}
		if shared > 0 {
			best = max(best, shared/(length*s.length(text)))
		}
	}
	return best
}

func (s scale) length(text map[string]bool) float64 {
	sum := 0.0
	for _, w := range sorted(text) {
		sum += s.weight(w) * s.weight(w)
	}
	return math.Sqrt(sum)
}

func sorted(set map[string]bool) []string { return slices.Sorted(maps.Keys(set)) }
