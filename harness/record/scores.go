package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Score is how likely a model finds one token of a text, given all that stands
// before it.
type Score struct {
	Bytes   int     // of the token within the text, over 0
	LogProb float64 // natural logarithm, LeastLogProb to 0, at most four decimals
}

// Scores tell of a whole text, token by token: their bytes add up to it. The
// tokens are the model's; those whose bytes are not told one by one stand
// together as one.
type Scores []Score

// LeastLogProb stands for every probability that is smaller, nought included.
const LeastLogProb = -9999

// NewScore rounds a log-probability to what a Score holds.
func NewScore(bytes int, logProb float64) Score {
	return Score{bytes, math.Round(max(logProb, LeastLogProb)*1e4)/1e4 + 0} // + 0: no -0
}

// String is the one way to write scores down, and the text of a reply that holds
// them: {"bytes":[…],"logprobs":[…]}.
func (s Scores) String() string {
	var sizes, values strings.Builder
	for i, one := range s {
		if i > 0 {
			sizes.WriteByte(',')
			values.WriteByte(',')
		}
		sizes.WriteString(strconv.Itoa(one.Bytes))
		values.WriteString(strconv.FormatFloat(one.LogProb, 'f', -1, 64))
	}
	return `{"bytes":[` + sizes.String() + `],"logprobs":[` + values.String() + `]}`
}

// ParseScores reads what String has written of a text of so many bytes.
func ParseScores(text string, size int) (Scores, error) {
	var lists struct {
		Bytes    []int     `json:"bytes"`
		LogProbs []float64 `json:"logprobs"`
	}
	if err := json.Unmarshal([]byte(text), &lists); err != nil {
		return nil, fmt.Errorf("want scores as JSON: %w", err)
	}
	if len(lists.Bytes) != len(lists.LogProbs) {
		return nil, fmt.Errorf("want a log-probability for each token, got %d for %d", len(lists.LogProbs), len(lists.Bytes))
	}
	scores := make(Scores, len(lists.Bytes))
	for i, n := range lists.Bytes {
		scores[i] = Score{n, lists.LogProbs[i]}
		if p := scores[i].LogProb; n < 1 || n > size || p > 0 || scores[i] != NewScore(n, p) {
			return nil, fmt.Errorf("token %d: want 1 byte or more of the %d left and a log-probability from %d to 0, got %d and %v", i, size, LeastLogProb, n, p)
		}
		size -= n
	}
	if size > 0 {
		return nil, fmt.Errorf("the last %d bytes of the text have no scores", size)
	}
	if scores.String() != text {
		return nil, errors.New("scores are written otherwise")
	}
	return scores, nil
}
