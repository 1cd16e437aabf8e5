package rank

import (
	"hash/fnv"
	"math"
)

// An Embedder makes vectors of texts. Its name stands in files of vectors and must
// change when its vectors do.
type Embedder interface {
	Name() string
	Embed(text string) []float64 // of any length; the caller owns it
}

// Trigrams is the embedder that needs no file and no model. A text is its words in
// lower case, as Words parts them but with their plural, each between two spaces;
// every three characters of that are hashed (FNV-1a, 64 bits) to one of 1024
// places, where the highest bit of the hash adds 1 or takes 1 off; the vector is
// brought to length 1. Texts are alike when they share letters: it bridges
// inflections and typing errors, and knows nothing of meaning.
type Trigrams struct{}

// dimension is how many numbers a vector of Trigrams has.
const dimension = 1024

// Name implements Embedder.
func (Trigrams) Name() string { return "trigrams-1024" }

// Embed implements Embedder. The vector of a text without letters and digits is
// zero.
func (Trigrams) Embed(text string) []float64 {
	vector := make([]float64, dimension)
	for _, word := range split(text) {
		letters := []rune(" " + word + " ")
		for i := 0; i+3 <= len(letters); i++ {
			h := fnv.New64a()
			h.Write([]byte(string(letters[i : i+3]))) // a hash takes every write
			sum := h.Sum64()
			sign := 1.0
			if sum>>63 == 1 {
				sign = -1
			}
			vector[sum%dimension] += sign
		}
	}
	return unit(vector)
}

// unit brings a vector to length 1 in place; the zero vector stays.
func unit(v []float64) []float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	if sum == 0 {
		return v
	}
	length := math.Sqrt(sum)
	for i := range v {
		v[i] /= length
	}
	return v
}

// dot is the cosine of two vectors of length 1.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}
