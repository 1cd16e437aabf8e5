package paper

import (
	"fmt"
	"math"
)

// Printed is a figure as printed: rounded to Places decimals.
type Printed struct {
	Value  float64
	Places int
}

// units returns the figure as a whole number of its last decimal.
func (p Printed) units() int64 { return int64(math.Round(p.Value * math.Pow10(p.Places))) }

// Feasible reports whether n scores that are each k/T, with k whole and from 0
// to T, can have the printed mean and sample SD. Either rounding of a half
// counts, so that false means impossible. The search is exact in integers; it
// takes n from 2 on, n·T up to 1000, and figures from 0 to 1 with at most 4
// decimals, and is an error beyond.
func Feasible(mean, sd Printed, n, T int) (bool, error) {
	if n < 2 || T < 1 || n > 1000 || T > 1000 || n*T > 1000 {
		return false, fmt.Errorf("feasible: want 2 scores or more and n·T up to 1000, got n=%d, T=%d", n, T)
	}
	for _, p := range []Printed{mean, sd} {
		if !(p.Value >= 0 && p.Value <= 1) || p.Places < 0 || p.Places > 4 {
			return false, fmt.Errorf("feasible: want figures from 0 to 1 with at most 4 decimals, got %g with %d", p.Value, p.Places)
		}
	}
	return newSearch(mean, sd, int64(n), int64(T)).found(), nil
}

// search looks for n whole numbers k with a sum and a spread in given ranges.
// It works on deviations d = k − centre: the spread n·Σd² − (Σd)² does not
// depend on the centre, and small spreads keep the numbers small.
type search struct {
	n, T, centre       int64
	sumLo, sumHi       int64 // of Σk
	spreadLo, spreadHi int64 // of n·Σd² − (Σd)²
	squares            int64 // most that Σd² can be
}

func newSearch(mean, sd Printed, n, T int64) search {
	one := int64(math.Pow10(mean.Places))
	s := search{n: n, T: T}
	// Σk/(nT) is within half a unit of the mean: 2·one·Σk within (2·units ± 1)·nT.
	s.sumLo = max(0, ceilDiv((2*mean.units()-1)*n*T, 2*one))
	s.sumHi = min(n*T, (2*mean.units()+1)*n*T/(2*one))
	s.centre = (s.sumLo + s.sumHi) / 2 / n
	// spread/(n(n−1)T²) is the variance, whose root is within half a unit of sd.
	one = int64(math.Pow10(sd.Places))
	low, high := max(0, 2*sd.units()-1), 2*sd.units()+1
	s.spreadLo = ceilDiv(low*low*n*(n-1)*T*T, 4*one*one)
	s.spreadHi = high * high * n * (n - 1) * T * T / (4 * one * one)
	far := max(abs(s.sumLo-n*s.centre), abs(s.sumHi-n*s.centre))
	s.squares = min((s.spreadHi+far*far)/n, n*T*T)
	return s
}

// found builds, score by score, the set of all attainable (Σd, Σd²): one bit
// per Σd² in a row per Σd. By Cauchy, |Σd| ≤ √(n·Σd²) bounds the rows.
func (s search) found() bool {
	if s.sumLo > s.sumHi || s.spreadLo > s.spreadHi {
		return false
	}
	reach := root(s.n * s.squares)
	rows := map[int64]bits{0: newBits(s.squares)}
	rows[0].set(0)
	for range s.n {
		next := map[int64]bits{}
		for d := max(-s.centre, -root(s.squares)); d <= min(s.T-s.centre, root(s.squares)); d++ {
			for sum, row := range rows {
				if abs(sum+d) > reach {
					continue
				}
				if next[sum+d] == nil {
					next[sum+d] = newBits(s.squares)
				}
				next[sum+d].orShifted(row, d*d)
			}
		}
		rows = next
	}
	for sum := s.sumLo; sum <= s.sumHi; sum++ {
		if s.spreadAt(sum-s.n*s.centre, rows) {
			return true
		}
	}
	return false
}

// spreadAt reports whether a spread in range is attainable with Σd = sum.
func (s search) spreadAt(sum int64, rows map[int64]bits) bool {
	row := rows[sum]
	if row == nil {
		return false
	}
	for q := ceilDiv(s.spreadLo+sum*sum, s.n); q <= min(s.squares, (s.spreadHi+sum*sum)/s.n); q++ {
		if row.has(q) {
			return true
		}
	}
	return false
}

// bits is a set of whole numbers from 0 to a limit.
type bits []uint64

func newBits(most int64) bits { return make(bits, most/64+1) }

func (b bits) set(i int64)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int64) bool { return b[i/64]>>(i%64)&1 == 1 }

// orShifted adds every member of from, raised by k; those over the limit go.
func (b bits) orShifted(from bits, k int64) {
	words, rest := int(k/64), uint(k%64)
	for i := words; i < len(b); i++ {
		b[i] |= from[i-words] << rest
		if rest > 0 && i > words {
			b[i] |= from[i-words-1] >> (64 - rest)
		}
	}
}

// ceilDiv rounds a/b up, for b above 0 and a of either sign.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

func abs(a int64) int64 { return max(a, -a) }

// root returns the whole part of the square root.
func root(a int64) int64 { return int64(math.Sqrt(float64(a))) }
