package skills

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
)

// A Pair is two skills and how alike their descriptions are: the cosine of the
// TF-IDF vectors of their [Skill.Index], 0 (no word shared) to 1 (the same words
// in the same shares).
type Pair struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Similarity float64 `json:"similarity"`
}

// Pairs compares all skills, the most alike first, then by name. A word weighs
// its count times 1 + ln((1+n)/(1+d)), where d of n skills have it. A description
// without a word is like nothing.
func (l Library) Pairs() []Pair {
	vectors := l.vectors()
	var pairs []Pair
	for i, a := range l.Skills {
		for j := i + 1; j < len(l.Skills); j++ {
			pairs = append(pairs, Pair{a.Name, l.Skills[j].Name, vectors[i].cosine(vectors[j])})
		}
	}
	slices.SortStableFunc(pairs, func(a, b Pair) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return pairs
}

// A vector is the weights of words, by word, of length 1 or empty.
type vector []weight

type weight struct {
	word string
	w    float64
}

func (l Library) vectors() []vector {
	counts := make([]map[string]int, len(l.Skills))
	having := map[string]int{}
	for i, s := range l.Skills {
		counts[i] = map[string]int{}
		for _, w := range words(s.Index()) {
			if counts[i][w]++; counts[i][w] == 1 {
				having[w]++
			}
		}
	}
	vectors := make([]vector, len(l.Skills))
	for i, count := range counts {
		for w, n := range count {
			idf := 1 + math.Log(float64(1+len(l.Skills))/float64(1+having[w]))
			vectors[i] = append(vectors[i], weight{w, float64(n) * idf})
		}
		vectors[i].unit()
	}
	return vectors
}

// unit sorts a vector, so that sums are the same in every run, and makes its
// length 1.
func (v vector) unit() {
	slices.SortFunc(v, func(a, b weight) int { return cmp.Compare(a.word, b.word) })
	sum := 0.0
	for _, w := range v {
		sum += w.w * w.w
	}
	for i := range v {
		v[i].w /= math.Sqrt(sum)
	}
}

func (v vector) cosine(other vector) float64 {
	sum := 0.0
	for i, j := 0, 0; i < len(v) && j < len(other); {
		switch cmp.Compare(v[i].word, other[j].word) {
		case -1:
			i++
		case 1:
			j++
		default:
			sum += v[i].w * other[j].w
			i, j = i+1, j+1
		}
	}
	return sum
}

// words are the runs of letters and digits of a text in lower case; a character
// of a script without spaces is a word.
func words(text string) []string {
	var out []string
	for _, run := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) }) {
		begin := 0
		for i, r := range run {
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				if i > begin {
					out = append(out, run[begin:i])
				}
				begin = i + len(string(r))
				out = append(out, run[i:begin])
			}
		}
		if begin < len(run) {
			out = append(out, run[begin:])
		}
	}
	return out
}
