package tokens

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSafeSplitAdds(t *testing.T) {
	each(t, func(t *testing.T, _ *Encoding, want reference) {
		rapid.Check(t, func(t *rapid.T) {
			a := drawText(t, "a", 12) + rapid.SampledFrom([]string{"", "\n", "\r\n", "7", "z"}).Draw(t, "end")
			b := drawText(t, "b", 12)
			if !SafeSplit(a, b) {
				return
			}
			if sum, whole := want.count(a)+want.count(b), want.count(a+b); sum != whole {
				t.Fatalf("SafeSplit(%q, %q), but the sum is %d and the whole %d tokens", a, b, sum, whole)
			}
		})
	})
}

func TestSafeSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "x", true},
		{"x", "", true},
		{"end.\n", "Next", true},
		{"end.\n", "  indented", true},
		{"end.\n", "\n", false},
		{"end.\r\n", " \t\nx", false},
		{"!\n", "/", false}, // one piece of o200k_base
		{"12", " 3", true},
		{"12", "3", false},
		{"word", " word", true},
		{"word", "s", false},
		{"word", "'s", false},
		{"word", "\u0301", false}, // one piece of o200k_base
		{"end.", " Next", false},
		{"end ", "x", false},
		{"\xe8\xaa", "\x9e", false},
		{"x\n", "\x9e", true},
	} {
		if got := SafeSplit(c.a, c.b); got != c.want {
			t.Errorf("SafeSplit(%q, %q): got %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
