package simserver

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/tokens"
)

func TestCountsOfLinesAddUp(t *testing.T) {
	t.Parallel()
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	c := &counter{encoding: encoding}
	rapid.Check(t, func(rt *rapid.T) {
		parts := rapid.SliceOf(rapid.SampledFrom([]string{"item_12 is on shelf_42.", "\n", "\n", "\r\n", " ", "\t", "/", "a", "'s", "12", "é", "\u00a0", "## Reply\n", "{}"})).Draw(rt, "parts")
		text := strings.Join(parts, "")
		for range 2 { // the second time from what is kept
			if got, want := c.count(text), encoding.Count(text); got != want {
				rt.Fatalf("%q: %d tokens, want %d", text, got, want)
			}
		}
	})
	breaks := strings.Repeat("\n \n", 1<<12)
	if got, want := c.count(breaks), encoding.Count(breaks); got != want {
		t.Errorf("a text of line breaks: %d tokens, want %d", got, want)
	}
	c.held = maxHeld
	if c.line("one more"); c.held != len("one more") || len(c.lines) != 1 {
		t.Errorf("%d lines of %d bytes held", len(c.lines), c.held)
	}
}
