package state

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Compare is the natural order of keys, as cmp.Compare tells an order: runs of
// digits compare as numbers of any length (shelf_2 before shelf_10), all else by
// bytes. Keys that differ only in leading zeros are ordered by bytes, so the order
// is total.
func Compare(a, b string) int {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		x, y := digits(a[i:]), digits(b[j:])
		if x == 0 || y == 0 {
			if a[i] != b[j] {
				return cmp.Compare(a[i], b[j])
			}
			i, j = i+1, j+1
			continue
		}
		if c := compareNumbers(a[i:i+x], b[j:j+y]); c != 0 {
			return c
		}
		i, j = i+x, j+y
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), strings.Compare(a, b))
}

// digits returns the length of the run of ASCII digits that s begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

func sortedNames(node map[string]any) []string {
	return slices.SortedFunc(maps.Keys(node), Compare)
}
