package tokens

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestCommonIsThatOfTheTokens(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		word := rapid.SampledFrom([]string{"shelf", "shelves", "_1", "_12", "123456", " ", "\n", "\n\n", ".", "{\"", "é", "/", "'s", "Store item", "  x"})
		words := rapid.SliceOfN(word, 0, 12)
		rapid.Check(t, func(rt *rapid.T) {
			begin := strings.Join(words.Draw(rt, "begin"), "")
			a, b := begin+strings.Join(words.Draw(rt, "a"), ""), begin+strings.Join(words.Draw(rt, "b"), "")
			x, y := want.library.EncodeOrdinary(a), want.library.EncodeOrdinary(b)
			if got := e.Common(a, b); got != shared(x, y) {
				rt.Fatalf("Common(%q, %q) = %d, want %d of %d and %d", a, b, got, shared(x, y), len(x), len(y))
			}
		})
	})
}

func TestCommonOfLongPiecesIsABound(t *testing.T) {
	t.Parallel()
	e := load(t, Default)
	a := "Hello.\n" + strings.Repeat("x", 5000)
	if got, most := e.Common(a, a+"y"), e.Count(a); got < e.Count("Hello.\n") || got > most {
		t.Errorf("got %d, want up to %d", got, most)
	}
	if got := e.Common(a, a); got != e.Count(a) {
		t.Errorf("of equal texts: got %d, want %d", got, e.Count(a))
	}
}
