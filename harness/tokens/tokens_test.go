package tokens

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// Counts published for tiktoken: the OpenAI cookbook ("How to count tokens
// with tiktoken") and the tests of the tiktoken repository.
func TestPublishedCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text          string
		cl100k, o200k int // 0: not published
	}{
		{"antidisestablishmentarianism", 6, 6},
		{"2 + 2 = 4", 7, 7},
		{"お誕生日おめでとう", 9, 8},
		{"tiktoken is great!", 6, 6},
		{"hello world", 2, 2},
		{"rer", 1, 0},
		{"'rer", 2, 0},
		{"today\n ", 3, 0},
		{"today\n \n", 2, 0},
		{"today\n  \n", 2, 0},
		{" \u00850", 4, 0},
		{"👍", 3, 0},
	} {
		if got := load(t, "cl100k_base").Count(c.text); got != c.cl100k {
			t.Errorf("cl100k_base: %q: got %d tokens, want %d", c.text, got, c.cl100k)
		}
		if got := load(t, "o200k_base").Count(c.text); c.o200k != 0 && got != c.o200k {
			t.Errorf("o200k_base: %q: got %d tokens, want %d", c.text, got, c.o200k)
		}
	}
}

func TestCountEqualsLibrary(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			text := drawText(t, "text", 80)
			if got, want := e.Count(text), want.count(text); got != want {
				t.Fatalf("%q: got %d tokens, want %d", text, got, want)
			}
		})
	})
}

// The bounds at which Count leaves the library are where it could go wrong.
func TestCountOfRunsEqualsLibrary(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		for _, run := range runs {
			for _, n := range []int{1, 2, longPiece - 1, longPiece, longPiece + 1, 700} {
				text := strings.Repeat(run.unit, n)
				for _, text := range []string{text, "x " + text + " y", "1" + text + "\n\n's"} {
					if got, want := e.Count(text), want.count(text); got != want {
						t.Errorf("%s, %d times: got %d tokens, want %d", run.name, n, got, want)
					}
				}
			}
		}
	})
}

func TestSpecialTokensAreText(t *testing.T) {
	t.Parallel()
	if got := load(t, "cl100k_base").Count("<|endoftext|>"); got != 7 {
		t.Errorf("got %d tokens, want 7", got)
	}
}

func TestBadBytesCountAsReplacementCharacters(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		for _, bad := range badBytes {
			text := "a" + bad + "b"
			fixed := "a" + strings.Repeat("\ufffd", len(bad)) + "b"
			if got, want := e.Count(text), want.count(fixed); got != want {
				t.Errorf("%q: got %d tokens, want %d", text, got, want)
			}
		}
	})
}

// TestLongRuns: a run of 128 KB that no split parts is counted as when it comes
// in two pieces. Its speed is measured by BenchmarkRun.
func TestLongRuns(t *testing.T) {
	size := 64 << 10
	if testing.Short() {
		size = 2 << 10
	}
	each(t, func(t *testing.T, e *Encoding, _ reference) {
		for _, run := range runs {
			half := strings.Repeat(run.unit, size/len(run.unit))
			text, c := half+half, e.NewCounter()
			c.Append(half)
			c.Append(half)
			if got, want := e.Count(text), c.Count(); got != want {
				t.Errorf("%s: %d tokens in one piece, %d in two", run.name, got, want)
			}
		}
	})
}

func TestLoad(t *testing.T) {
	t.Parallel()
	if !slices.IsSorted(Names()) || !slices.Contains(Names(), Default) {
		t.Errorf("names %q: want them sorted and with %q", Names(), Default)
	}
	for _, name := range Names() {
		first, second := load(t, name), load(t, name)
		if first != second {
			t.Errorf("%s was loaded twice", name)
		}
		if first.Name() != name {
			t.Errorf("name: got %q, want %q", first.Name(), name)
		}
	}
	_, err := Load("gpt-4")
	want := `tokens: unknown encoding "gpt-4": want one of cl100k_base, o200k_base`
	if err == nil || err.Error() != want {
		t.Errorf("got error %v, want %s", err, want)
	}
}

func TestConcurrentUse(t *testing.T) {
	each(t, func(t *testing.T, e *Encoding, want reference) {
		texts := []string{prose, strings.Repeat("a", 3*longPiece), strings.Join(morsels, "")}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for _, text := range texts {
					c := e.NewCounter()
					c.Append(text)
					if n := e.Count(text); n != want.count(text) || n != c.Count() {
						t.Errorf("%.20q: got %d tokens and %d in pieces, want %d", text, n, c.Count(), want.count(text))
					}
				}
			})
		}
		group.Wait()
	})
}
