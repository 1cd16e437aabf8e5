package tokens

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCounterEqualsCountAtEveryCut(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			text := valid(drawText(t, "text", 60))
			c, done := e.NewCounter(), ""
			for text != "" {
				size := prefixLen(text, min(rapid.IntRange(0, 12).Draw(t, "runes"), len([]rune(text))))
				c.Append(text[:size])
				done, text = done+text[:size], text[size:]
				if got, want := c.Count(), want.count(done); got != want {
					t.Fatalf("%q: got %d tokens, want %d", done, got, want)
				}
			}
		})
	})
}

// Parts are made valid each on its own.
func TestCounterOfBadBytes(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			c, whole := e.NewCounter(), ""
			for range rapid.IntRange(1, 6).Draw(t, "parts") {
				part := drawText(t, "text", 6) + string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "bytes"))
				c.Append(part)
				whole += valid(part)
			}
			if got, want := c.Count(), want.count(whole); got != want {
				t.Fatalf("%q: got %d tokens, want %d", whole, got, want)
			}
		})
	})
}

func TestCounterOfCutCharacter(t *testing.T) {
	t.Parallel()
	e := load(t, Default)
	c := e.NewCounter()
	c.Append("\xe8\xaa")
	c.Append("\x9e")
	if got, want := c.Count(), e.Count("\ufffd\ufffd\ufffd"); got != want {
		t.Errorf("got %d tokens, want %d", got, want)
	}
}

func TestCounterOfRuns(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		for _, run := range runs {
			c, part := e.NewCounter(), strings.Repeat(run.unit, 150)
			for n := 1; n <= 5; n++ {
				c.Append(part)
				if got, want := c.Count(), want.count(strings.Repeat(part, n)); got != want {
					t.Errorf("%s, %d parts: got %d tokens, want %d", run.name, n, got, want)
				}
			}
		}
	})
}

func TestCloneIsIndependent(t *testing.T) {
	t.Parallel()
	e := load(t, Default)
	c := e.NewCounter()
	c.Append("don't pan")
	clone := c.Clone()
	clone.Append("ic, it is only a test")
	c.Append("der")
	if got, want := c.Count(), e.Count("don't pander"); got != want {
		t.Errorf("original: got %d tokens, want %d", got, want)
	}
	if got, want := clone.Count(), e.Count("don't panic, it is only a test"); got != want {
		t.Errorf("clone: got %d tokens, want %d", got, want)
	}
}

// Every string of up to four symbols, appended symbol by symbol, and every way
// to cut it in two that SafeSplit calls safe.
func TestEveryShortText(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		counts := map[string]int{"": 0}
		var grow func(text string, c *Counter, depth int)
		grow = func(text string, c *Counter, depth int) {
			for _, symbol := range symbols {
				longer, next := text+symbol, c.Clone()
				next.Append(symbol)
				counts[longer] = want.count(longer)
				if e.Count(longer) != counts[longer] || next.Count() != counts[longer] {
					t.Fatalf("%q: got %d tokens, %d in steps, want %d", longer, e.Count(longer), next.Count(), counts[longer])
				}
				if depth > 1 {
					grow(longer, next, depth-1)
				}
			}
		}
		grow("", e.NewCounter(), 4)
		for text, n := range counts {
			for i := range text {
				a, b := text[:i], text[i:]
				if SafeSplit(a, b) && counts[a]+counts[b] != n {
					t.Fatalf("SafeSplit(%q, %q), but %d and %d tokens make %d", a, b, counts[a], counts[b], n)
				}
			}
		}
	})
}
