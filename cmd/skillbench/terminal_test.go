package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestWrap counts characters, and breaks a word only where it fits no line.
func TestWrap(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                {""},
		"a bc":            {"a bc"},
		"a bc de f":       {"a bc", "de f"},
		"äöü ß x":         {"äöü", "ß x"},
		"abcdefghi j":     {"abcd", "efgh", "i j"},
		"ab abcdefgh cde": {"ab", "abcd", "efgh", "cde"},
	} {
		if diff := cmp.Diff(want, wrap(text, 4)); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}
