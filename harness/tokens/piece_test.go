package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPiecesAreTheWholeText(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, _ reference) {
		var all strings.Builder
		for r := range rune(0x3000) {
			all.WriteRune(r)
		}
		checkPieces(t, e, all.String())
		rapid.Check(t, func(t *rapid.T) { checkPieces(t, e, valid(drawText(t, "text", 60))) })
	})
}

// checkPieces checks that pieces leave nothing out, that a piece alone is one
// piece again, and that long ones do not escape mayHoldLongPiece.
func checkPieces(t rapid.TB, e *Encoding, text string) {
	t.Helper()
	var joined strings.Builder
	for p := range e.pieces(text) {
		joined.WriteString(p.text)
		for again := range e.pieces(p.text) {
			if again != p {
				t.Fatalf("piece %q alone begins with piece %q", p.text, again.text)
			}
		}
		if len(p.text) > longPiece && !mayHoldLongPiece(text) {
			t.Fatalf("piece of %d bytes was not foreseen", len(p.text))
		}
	}
	if joined.String() != text {
		t.Fatalf("pieces %q are not the text %q", joined.String(), text)
	}
}

func TestLongPiecesAreForeseen(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, _ reference) {
		rapid.Check(t, func(t *rapid.T) {
			unit := rapid.SampledFrom(morsels).Draw(t, "unit")
			before, after := drawText(t, "before", 5), drawText(t, "after", 5)
			checkPieces(t, e, valid(before+strings.Repeat(unit, longPiece/len(unit)+1)+after))
		})
	})
}

func TestProseGoesToTheLibrary(t *testing.T) {
	t.Parallel()
	if mayHoldLongPiece(strings.Repeat(prose, 10)) {
		t.Error("prose is said to hold a long piece")
	}
}

func TestMergeEqualsLibrary(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			length := rapid.IntRange(1, 60).Draw(t, "length")
			unit := rapid.SampledFrom([]string{"abcdefghij", "eat", "ab", "日本語", "дом", " ", "\n", "-=", "🙂👩\u200d🚀"}).Draw(t, "unit")
			text := rapid.StringOfN(rapid.RuneFrom([]rune(unit)), length, length, -1).Draw(t, "text")
			for p := range e.pieces(text) {
				got, want := mergeCount(p.text, e.ranks), want.count(p.text)
				if got != want {
					t.Fatalf("%q: got %d tokens, want %d", p.text, got, want)
				}
			}
		})
	})
}

// A long word of few letters has many equal ranks, so it shows a wrong order
// of merges.
func TestMergeOfLongWordsEqualsLibrary(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			text := rapid.StringOfN(rapid.RuneFrom([]rune("etaoins")), 200, 600, -1).Draw(t, "word")
			if got, want := mergeCount(text, e.ranks), want.count(text); got != want {
				t.Fatalf("%q: got %d tokens, want %d", text, got, want)
			}
		})
	})
}

func TestPrefixLen(t *testing.T) {
	t.Parallel()
	text := "aé語🙂\ufffdz"
	for n := range utf8.RuneCountInString(text) + 1 {
		if got, want := prefixLen(text, n), len(string([]rune(text)[:n])); got != want {
			t.Errorf("%d runes: got %d bytes, want %d", n, got, want)
		}
	}
}
