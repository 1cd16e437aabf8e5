package model

import (
	"fmt"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Judged parts a prompt that is sent for Scores: what is only read, and the text
// of its last section, which the scores tell of.
func Judged(p prompt.Prompt) (before, text string) {
	if len(p) == 0 {
		return "", ""
	}
	last := len(p) - 1
	return p[:last].Text(), p[last:].Text()
}

// ScoresOf reads the reply to a prompt that was sent for Scores.
func ScoresOf(p prompt.Prompt, r record.Reply) (record.Scores, error) {
	_, text := Judged(p)
	scores, err := record.ParseScores(r.Text, len(text))
	if err != nil {
		return nil, &Error{Class: Deterministic, Message: fmt.Sprintf("the reply holds no scores of the text: %s", err)}
	}
	return scores, nil
}
