package record

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestScoresReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var scores Scores
		size := 0
		for range rapid.IntRange(0, 30).Draw(rt, "tokens") {
			s := NewScore(rapid.IntRange(1, 9).Draw(rt, "bytes"), -rapid.Float64Min(0).Draw(rt, "surprise"))
			scores, size = append(scores, s), size+s.Bytes
		}
		got, err := ParseScores(scores.String(), size)
		if err != nil || !slices.Equal(got, scores) {
			rt.Fatalf("%s: %v, %v", scores, got, err)
		}
		if _, err := ParseScores(scores.String(), size+1); err == nil {
			rt.Fatal("scores of a part pass for those of the text")
		}
	})
}

func TestScoresAreRounded(t *testing.T) {
	t.Parallel()
	got := Scores{NewScore(3, -1.23456), NewScore(1, 0.00001), NewScore(2, math.Inf(-1))}
	if want := `{"bytes":[3,1,2],"logprobs":[-1.2346,0,-9999]}`; got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTextsThatAreNoScores(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                                         "want scores as JSON",
		`<html`:                                    "want scores as JSON",
		`{"bytes":[2],"logprobs":[NaN]}`:           "want scores as JSON",
		`{"bytes":[2],"logprobs":[1e999]}`:         "want scores as JSON",
		`{"bytes":[1.5],"logprobs":[-1]}`:          "want scores as JSON",
		`{"bytes":[2],"logprobs":[]}`:              "got 0 for 1",
		`{"bytes":[2],"logprobs":[0.1]}`:           "token 0",
		`{"bytes":[2],"logprobs":[-10000]}`:        "token 0",
		`{"bytes":[2],"logprobs":[-0.00001]}`:      "token 0",
		`{"bytes":[1,0,1],"logprobs":[-1,-1,-1]}`:  "token 1",
		`{"bytes":[3,-1],"logprobs":[-1,-1]}`:      "token 0",
		`{"bytes":[1,2],"logprobs":[-1,-1]}`:       "token 1",
		`{"bytes":[1],"logprobs":[-1]}`:            "the last 1 bytes",
		`{"bytes":[2],"logprobs":[-1.0]}`:          "written otherwise",
		`{"bytes":[2],"logprobs":[-1],"more":1}`:   "written otherwise",
		`{"bytes":[9],"bytes":[2],"logprobs":[0]}`: "written otherwise",
	} {
		if _, err := ParseScores(text, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}
