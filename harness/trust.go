package harness

import (
	"fmt"
	"math"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A line that an informer reads again and again, and how often.
const (
	familiar = "Success: stored item_417 on shelf_93.\n"
	repeats  = 4
)

// Familiar is a text that tells ever less. An informer judges it before the
// first step of an episode, see Trusted.
func Familiar() prompt.Prompt {
	again := make([]prompt.Segment, repeats)
	for i := range again {
		again[i] = prompt.Label(prompt.History, familiar)
	}
	return prompt.Prompt{{prompt.Label(prompt.History, "One line, four times:\n")}, again}
}

// Trusted reports why scores of Familiar cannot be those of its tokens: the last
// line must tell less than half of what the first does (with SmolLM2-135M it is
// a thirtieth). Where it does not, the log-probabilities are those of other
// tokens: llama-cpp-python tells of each how likely it is behind itself, where
// the texts of a model begin with no token of their own.
func Trusted(s record.Scores) error {
	if bits := linewise(s); !(bits[repeats-1] < bits[0]/2) {
		return &model.Error{Class: model.Deterministic, Message: fmt.Sprintf(
			"a line tells %.0f bits at first sight and %.0f when it is read for the fourth time, so the log-probabilities are not those of its tokens", bits[0], bits[repeats-1])}
	}
	return nil
}

// linewise adds up the bits of each line of Familiar.
func linewise(s record.Scores) (bits [repeats]float64) {
	at := 0
	for _, one := range s {
		bits[min(at/len(familiar), repeats-1)] -= one.LogProb / math.Ln2
		at += one.Bytes
	}
	return bits
}
