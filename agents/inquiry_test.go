package agents

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

func TestSharesAreByBytes(t *testing.T) {
	t.Parallel()
	bit := -math.Ln2
	for _, tc := range []struct {
		scores record.Scores
		want   []float64 // of "ab", " cde" and "\n"
	}{
		{record.Scores{{Bytes: 2, LogProb: bit}, {Bytes: 4, LogProb: 2 * bit}, {Bytes: 1, LogProb: 3 * bit}}, []float64{1, 2, 3}},
		{record.Scores{{Bytes: 7, LogProb: 7 * bit}}, []float64{2, 4, 1}},
		{record.Scores{{Bytes: 4, LogProb: 8 * bit}, {Bytes: 3, LogProb: 3 * bit}}, []float64{4, 6, 1}},
		{record.Scores{{Bytes: 1}, {Bytes: 1, LogProb: bit}, {Bytes: 5}}, []float64{1, 0, 0}},
	} {
		for i, got := range shares([]string{"ab", " cde", "\n"}, tc.scores) {
			if math.Abs(got-tc.want[i]) > 1e-12 {
				t.Errorf("%s: token %d has %v bits, want %v", tc.scores, i, got, tc.want[i])
			}
		}
	}
}

// However a turn is written, its pieces are it, none is larger than a call may
// judge, and one is cut in two within a line only where the line does not fit.
func TestPiecesAreTheTurn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.SampledFrom([]string{"item_12 ", "船", "\n", strings.Repeat("x", 1500), strings.Repeat("é", 3000), "a line\n"})
		text := func(name string) string {
			return strings.Join(rapid.SliceOfN(word, 0, 12).Draw(rt, name), "")
		}
		turn := shown(record.Turn{Step: 3, Observation: text("observation") + "\n", Reply: text("reply")})
		whole, got, last := prompt.Prompt{turn}.Text(), "", ""
		for _, piece := range pieces(turn) {
			one := prompt.Prompt{piece}.Text()
			if one == "" || len(one) > maxPiece {
				rt.Fatalf("a piece of %d bytes", len(one))
			}
			if last != "" && !strings.HasSuffix(last, "\n") && len(last) < maxPiece-3 && strings.Contains(last, "\n") {
				rt.Fatalf("%q was cut at %d bytes, not behind its line break", last, len(last))
			}
			got, last = got+one, one
			if strings.Join(ngrams.Tokens(one), "") != one || !strings.HasPrefix(whole, got) {
				rt.Fatalf("%q is no part of %q", one, whole)
			}
		}
		if got != whole {
			rt.Fatalf("the pieces are %q, the turn %q", got, whole)
		}
	})
}
