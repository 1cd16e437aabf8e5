// Package ngrams is a model of text that needs no endpoint: it says how likely
// each token of a text is, and nothing else.
package ngrams

import (
	"math"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Name of the model, for the record of a run.
const Name = "built-in trigrams"

// A Model is a trigram model of tokens (see Tokens) that learns from the text as
// it is given, piece by piece, and knows nothing else. Probabilities are
// interpolated as by Witten and Bell: a context seen n times with t different
// successors gives its own counts n/(n+t) of the weight and the next shorter
// context the rest; what no count covers has 1/65,536. So the words that every
// step repeats tell little, and a name tells most at first sight. Equal texts in
// equal pieces get equal answers.
type Model struct {
	after  map[[2]string]*successors
	before [2]string
}

// successors counts what followed a context.
type successors struct {
	seen  int
	count map[string]int
}

// novelty is the probability that a token of its own has.
const novelty = 1.0 / 65536

// New returns a model that has seen nothing.
func New() *Model { return &Model{after: map[[2]string]*successors{}} }

// Inform judges each token by what came before it, in bits of self-information,
// and then learns it.
func (m *Model) Inform(tokens []string) []float64 {
	bits := make([]float64, len(tokens))
	for i, token := range tokens {
		p := novelty
		contexts := [][2]string{{}, {"", m.before[1]}, m.before}
		for _, c := range contexts {
			p = m.after[c].estimate(token, p)
		}
		bits[i] = -math.Log2(p)
		for _, c := range contexts {
			m.learn(c, token)
		}
		m.before = [2]string{m.before[1], token}
	}
	return bits
}

func (s *successors) estimate(token string, shorter float64) float64 {
	if s == nil {
		return shorter
	}
	kinds := float64(len(s.count))
	return (float64(s.count[token]) + kinds*shorter) / (float64(s.seen) + kinds)
}

func (m *Model) learn(context [2]string, token string) {
	s := m.after[context]
	if s == nil {
		s = &successors{count: map[string]int{}}
		m.after[context] = s
	}
	s.seen++
	s.count[token]++
}

// Judge answers a prompt that is sent for model.Scores, as an endpoint would: it
// has seen what stands before the judged text and nothing else.
func Judge(p prompt.Prompt) record.Scores {
	before, text := model.Judged(p)
	m := New()
	m.Inform(Tokens(before))
	tokens := Tokens(text)
	scores := make(record.Scores, len(tokens))
	for i, bits := range m.Inform(tokens) {
		scores[i] = record.NewScore(len(tokens[i]), -bits*math.Ln2)
	}
	return scores
}
