package rank

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"skillbench/tasks/skills"
)

// Parameters of BM25 (Robertson, Zaragoza 2009): how fast more of one word stops
// to count, and how much a long text is held back.
const (
	K1 = 1.2
	B  = 0.75
)

// A BM25 ranks skills by the words that a message shares with them. A word of the
// message counts once, with weight ln(1+(N-n+½)/(n+½)) where n of N skills have it.
//
// Its score is a share of what the message could score at most, words that no
// skill has included, so that a message about something else scores low: it
// compares between messages, where the plain sum of BM25 does not.
type BM25 struct {
	docs   []document // by name
	idf    map[string]float64
	unseen float64 // weight of a word that no skill has
}

// A document is what a skill is found by.
type document struct {
	name   string
	counts map[string]int
	length float64 // in units of the mean length
}

// Text is what BM25 finds a skill by: its index, and what is said of the
// parameters that the customer gives.
func Text(s skills.Skill) string {
	var b strings.Builder
	b.WriteString(s.Index())
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		if p := s.Params[name]; p.Source == skills.FromUser {
			b.WriteString("\n" + p.About)
		}
	}
	return b.String()
}

// NewBM25 indexes skills, in any order.
func NewBM25(list []skills.Skill) *BM25 {
	b := &BM25{idf: map[string]float64{}}
	having, total := map[string]int{}, 0
	for _, s := range list {
		d := document{name: s.Name, counts: map[string]int{}}
		words := Words(Text(s))
		for _, w := range words {
			if d.counts[w]++; d.counts[w] == 1 {
				having[w]++
			}
		}
		d.length = float64(len(words))
		total += len(words)
		b.docs = append(b.docs, d)
	}
	slices.SortFunc(b.docs, func(x, y document) int { return cmp.Compare(x.name, y.name) })
	for i := range b.docs {
		b.docs[i].length *= float64(len(list)) / float64(max(total, 1))
	}
	weight := func(n int) float64 { return math.Log(1 + (float64(len(list)-n)+0.5)/(float64(n)+0.5)) }
	for w, n := range having {
		b.idf[w] = weight(n)
	}
	b.unseen = weight(0)
	return b
}

// Rank implements Ranker.
func (b *BM25) Rank(message string) []Scored {
	words := Words(message)
	slices.Sort(words)
	words = slices.Compact(words)
	most := 0.0
	for _, w := range words {
		most += (K1 + 1) * cmp.Or(b.idf[w], b.unseen)
	}
	known := slices.DeleteFunc(words, func(w string) bool { return b.idf[w] == 0 })
	list := make([]Scored, len(b.docs))
	for i, d := range b.docs {
		sum := 0.0
		for _, w := range known {
			n := float64(d.counts[w])
			sum += b.idf[w] * n * (K1 + 1) / (n + K1*(1-B+B*d.length))
		}
		list[i] = Scored{d.name, sum / most}
	}
	return ordered(list)
}
