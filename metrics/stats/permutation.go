package stats

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Permutation is the sign-flip test of paired differences: how often random
// signs give a mean at least as far from 0 as the one seen. It assumes only
// that a difference is as likely to be d as -d if the conditions are alike.
type Permutation struct {
	P        Value `json:"p"`        // two-sided
	SE       Value `json:"se"`       // Monte Carlo standard error of P; absent if exact
	Smallest Value `json:"smallest"` // no data with as many non-zero differences can give a smaller P
	Exact    bool  `json:"exact"`
	Draws    int   `json:"draws"` // sign patterns judged
}

const (
	exactPairs       = 20 // 2^20 sign patterns are enumerated
	permutationDraws = 100_000
	// stream separates our random numbers from other uses of the same seed.
	stream = 0x736b696c6c
)

// SignFlip tests whether differences are centred on 0. Up to 20 non-zero
// differences all sign patterns are enumerated; beyond that 100,000 are drawn
// from seed, and P is (hits+1)/(draws+1), which is never 0 (Phipson and Smyth
// 2010). Zeros do not change with their sign, so the smallest attainable P is
// 2/2^m for m non-zero differences. P is absent for fewer than two
// differences, all of them 0, or one that is not finite.
func SignFlip(diffs []float64, seed uint64) Permutation {
	nonzero, sum, size := []float64(nil), 0.0, 0.0
	for _, d := range bySize(diffs) {
		if d != 0 {
			nonzero = append(nonzero, math.Abs(d))
		}
		sum += d
		size += math.Abs(d)
	}
	m := len(nonzero)
	if len(diffs) < 2 || m == 0 || !finite(size) {
		return Permutation{}
	}
	// Sums that tie with the one seen must count whatever their rounding.
	bound := math.Abs(sum) - rounding*size
	if m > exactPairs {
		return drawSigns(nonzero, bound, seed)
	}
	// A pattern and its opposite lie equally far out: fix the first sign.
	patterns := 1 << (m - 1)
	hits := countBeyond(nonzero[0], nonzero[1:], bound)
	return Permutation{
		P:        Of(float64(hits) / float64(patterns)),
		Smallest: Of(1 / float64(patterns)),
		Exact:    true,
		Draws:    2 * patterns,
	}
}

// bySize makes sums independent of the order of the pairs.
func bySize(diffs []float64) []float64 {
	return slices.SortedFunc(slices.Values(diffs), func(a, b float64) int {
		return cmp.Or(cmp.Compare(math.Abs(a), math.Abs(b)), cmp.Compare(a, b))
	})
}

// countBeyond counts the sign patterns of rest that bring sum to bound or
// further from 0.
func countBeyond(sum float64, rest []float64, bound float64) int {
	if len(rest) == 0 {
		if math.Abs(sum) >= bound {
			return 1
		}
		return 0
	}
	return countBeyond(sum+rest[0], rest[1:], bound) + countBeyond(sum-rest[0], rest[1:], bound)
}

func drawSigns(sizes []float64, bound float64, seed uint64) Permutation {
	rng := rand.New(rand.NewPCG(seed, stream))
	hits := 0
	for range permutationDraws {
		sum, bits := 0.0, uint64(0)
		for i, s := range sizes {
			if i%64 == 0 {
				bits = rng.Uint64()
			}
			if bits&1 == 0 {
				s = -s
			}
			sum += s
			bits >>= 1
		}
		if math.Abs(sum) >= bound {
			hits++
		}
	}
	p := float64(hits+1) / (permutationDraws + 1)
	return Permutation{
		P:        Of(p),
		SE:       Of(math.Sqrt(p * (1 - p) / permutationDraws)),
		Smallest: Of(math.Max(1.0/(permutationDraws+1), math.Ldexp(1, 1-len(sizes)))),
		Draws:    permutationDraws,
	}
}

// doubt warns of a test that cannot come out below 0.05.
func (p Permutation) doubt() []string {
	if !p.Smallest.OK || p.Smallest.V < 0.05 {
		return nil
	}
	return []string{fmt.Sprintf("permutation test: p cannot be below %.4g", p.Smallest.V)}
}
