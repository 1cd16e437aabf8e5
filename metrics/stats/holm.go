package stats

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts p-values for the number of tests among them (Holm 1979), so
// that comparing each with alpha keeps the chance of any false finding below
// alpha. Results are in the order of ps. An absent p stays absent and does not
// count as a test; so does one outside 0…1.
func Holm(ps []Value) []Value {
	var tests []int
	for i, p := range ps {
		if p.OK && p.V >= 0 && p.V <= 1 {
			tests = append(tests, i)
		}
	}
	slices.SortStableFunc(tests, func(i, j int) int { return cmp.Compare(ps[i].V, ps[j].V) })
	adjusted := make([]Value, len(ps))
	least := 0.0
	for rank, i := range tests {
		least = math.Max(least, math.Min(1, ps[i].V*float64(len(tests)-rank)))
		adjusted[i] = Of(least)
	}
	return adjusted
}
