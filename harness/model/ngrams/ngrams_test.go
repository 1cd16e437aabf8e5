package ngrams_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

func text(rt *rapid.T, name string) string {
	parts := rapid.SliceOfN(rapid.SampledFrom([]string{"item_12", " item_12", " ", "  ", "\n", ".", "船", "é’s", "Store", " shelf_4", "\xff"}), 0, 20).Draw(rt, name)
	return strings.Join(parts, "")
}

func TestTokensAreTheText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		whole := text(rt, "text")
		tokens := ngrams.Tokens(whole)
		if strings.Join(tokens, "") != whole || slices.Contains(tokens, "") {
			rt.Fatalf("%q of %q", tokens, whole)
		}
	})
	if got, want := ngrams.Tokens("Store item_12  on\n船é."), []string{"Store", " item_12", " ", " on", "\n", "船é", "."}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What a text tells does not depend on the pieces in which it is given.
func TestPiecesTellWhatTheWholeTells(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		tokens := ngrams.Tokens(text(rt, "text"))
		at := rapid.IntRange(0, len(tokens)).Draw(rt, "cut")
		m := ngrams.New()
		got := append(m.Inform(tokens[:at]), m.Inform(tokens[at:])...)
		if want := ngrams.New().Inform(tokens); !slices.Equal(got, want) {
			rt.Fatalf("got %v, want %v", got, want)
		}
	})
}

// The first token has the 16 bits of one that no count covers; what came before
// makes the same cheaper.
func TestWhatIsKnownTellsLess(t *testing.T) {
	t.Parallel()
	bits := ngrams.New().Inform([]string{"a", " b", "a", " b", "a", " b"})
	if bits[0] != 16 || !(bits[4] < bits[2] && bits[2] < bits[0]) || !(bits[5] < bits[3] && bits[3] < bits[1]) {
		t.Errorf("%v", bits)
	}
}

func TestJudgeTellsOfTheLastSection(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		before, judged := text(rt, "before"), text(rt, "judged")
		p := prompt.Prompt{{prompt.Label(prompt.Instructions, before)}, {prompt.Label(prompt.History, judged)}}
		scores, err := record.ParseScores(ngrams.Judge(p).String(), len(judged))
		if err != nil {
			rt.Fatal(err)
		}
		m := ngrams.New()
		m.Inform(ngrams.Tokens(before))
		for i, bits := range m.Inform(ngrams.Tokens(judged)) {
			if math.Abs(scores[i].LogProb+bits*math.Ln2) > 0.00005001 {
				rt.Fatalf("token %d: %v, which is not -%v bits", i, scores[i], bits)
			}
		}
	})
}
