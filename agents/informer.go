package agents

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Informer says how much each token of a text tells: its self-information,
// the less expected, the more. It is given a text piece by piece and judges each
// token by what came before it. Equal texts in equal pieces get equal answers.
type Informer interface {
	// Name tells what it is, for the record of a run.
	Name() string

	// Inform returns the bits of each token that is added to the text.
	Inform(tokens []string) []float64
}

// NGrams is the Informer that is built in: a trigram model of tokens (see
// Tokens) that learns from the text as it is given and knows nothing else.
// Probabilities are interpolated as by Witten and Bell: a context seen n times
// with t different successors gives its own counts n/(n+t) of the weight and the
// next shorter context the rest; what no count covers has 1/65,536. So the words
// that every step repeats tell little, and a name tells most at first sight.
type NGrams struct {
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

// NewNGrams returns a model that has seen nothing.
func NewNGrams() *NGrams { return &NGrams{after: map[[2]string]*successors{}} }

// Name of the model.
func (n *NGrams) Name() string { return "built-in trigrams" }

// Inform judges each token and then learns it.
func (n *NGrams) Inform(tokens []string) []float64 {
	bits := make([]float64, len(tokens))
	for i, token := range tokens {
		p := novelty
		contexts := [][2]string{{}, {"", n.before[1]}, n.before}
		for _, c := range contexts {
			p = n.after[c].estimate(token, p)
		}
		bits[i] = -math.Log2(p)
		for _, c := range contexts {
			n.learn(c, token)
		}
		n.before = [2]string{n.before[1], token}
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

func (n *NGrams) learn(context [2]string, token string) {
	s := n.after[context]
	if s == nil {
		s = &successors{count: map[string]int{}}
		n.after[context] = s
	}
	s.seen++
	s.count[token]++
}

// Tokens parts a text into what is pruned as one: a word, number or name such
// as item_12 with one space before it, a line break, or any other character.
// Joined they are the text.
func Tokens(text string) []string {
	var list []string
	for text != "" {
		n := 0
		if text[0] == ' ' {
			n = 1
		}
		size := len(text[n:]) - len(strings.TrimLeftFunc(text[n:], isWord))
		if size == 0 {
			n = 0
			_, size = utf8.DecodeRuneInString(text)
		}
		list, text = append(list, text[:n+size]), text[n+size:]
	}
	return list
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }
