package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Hybrid is skillstate with one command more: Recall searches the record of the
// episode, and the next observation answers. So the past comes back only where
// the model asks for it, which is why it does not promise no_history_leak.
func Hybrid() harness.Strategy {
	s := SkillState()
	s.Name = "hybrid"
	s.Doc = "skillstate, and `Recall <query>`: a bounded search of the record, answered by the next observation"
	s.Promises = []string{check.InvalidPatchRollback, check.ResumeRoundTrip, check.BoundedPromptGrowth}
	build := s.New
	s.New = func(setup harness.Setup) (harness.Agent, error) {
		a, err := build(setup)
		if err != nil {
			return nil, err
		}
		h := &hybrid{layout: a.(*layout)}
		more := prompt.Label(prompt.Contract, setup.Templates.Text("contract.recall", harness.Wording{}))
		h.contract = append(h.contract, more)
		return h, nil
	}
	return s
}

type hybrid struct{ *layout }

// The bounds of a recall: what is asked, in bytes, and what is answered.
const (
	maxQuery    = 60
	recallLines = 6
	recallChars = 800
)

const recallVerb = "Recall"

// Command takes `Recall <query>`.
func (h *hybrid) Command(action string) (own bool, err error) {
	query, own := strings.CutPrefix(action, recallVerb)
	if !own || query != "" && query[0] != ' ' {
		return false, nil
	}
	switch {
	case len(strings.Fields(query)) == 0:
		return true, errors.New("recall: want words to search for, got none")
	case len(query) > maxQuery:
		return true, fmt.Errorf("recall: want a query of at most %d bytes, got %d", maxQuery, len(query))
	}
	return true, nil
}

// Govern answers a recall and lets all else run.
func (h *hybrid) Govern(v harness.View, action string) record.Verdict {
	if own, err := h.Command(action); !own || err != nil {
		return record.Verdict{}
	}
	query := strings.TrimSpace(strings.TrimPrefix(action, recallVerb))
	return record.Verdict{Ruling: record.Recall, Text: recalled(v.Past, query)}
}

// recalled finds the newest lines of observations, and actions, that hold all
// words of the query, and shows them in the order in which they were said.
func recalled(past []record.Turn, query string) string {
	wanted := strings.FieldsFunc(strings.ToLower(query), notWord)
	var found []string
	room := recallChars
	for _, turn := range slices.Backward(past) {
		lines := slices.DeleteFunc(strings.Split(turn.Observation, "\n"), func(line string) bool {
			return strings.HasPrefix(line, prompt.LabelRecalled)
		})
		if turn.Ruling != record.Recall && turn.Action != record.None {
			lines = append(lines, "Action: "+turn.Action)
		}
		for _, line := range slices.Backward(lines) {
			if !hasWords(line, wanted) {
				continue
			}
			line = fmt.Sprintf("%s(step %d) %s", prompt.LabelRecalled, turn.Step, line)
			if room -= utf8.RuneCountInString(line); room < 0 || len(found) == recallLines {
				return answered(found)
			}
			found = append(found, line)
		}
	}
	return answered(found)
}

func answered(found []string) string {
	if len(found) == 0 {
		return prompt.LabelRecalled + "nothing."
	}
	slices.Reverse(found)
	return strings.Join(found, "\n")
}

func notWord(r rune) bool { return !ngrams.IsWord(r) }

// hasWords reports whether a line holds all words, whole and in any case.
func hasWords(line string, wanted []string) bool {
	words := strings.FieldsFunc(strings.ToLower(line), notWord)
	for _, w := range wanted {
		if !slices.Contains(words, w) {
			return false
		}
	}
	return len(wanted) > 0
}
