package agents

import (
	"slices"
	"strings"
	"unicode"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/prompt"
	"skillbench/harness/transition"
)

// SummaryCapped is memory within a budget (paper tables 5 and 11). The budget
// holds for the summary calls too. Every turn is folded as soon as the next one
// is finished, because within the paper's budget hardly two have a place.
func SummaryCapped() harness.Strategy {
	return harness.Strategy{
		Name: "summary_capped",
		Doc:  "memory within a budget: the summary is cut, then the oldest turns",
		Defaults: harness.Settings{
			Order:  []harness.Part{harness.PartInstructions, harness.PartSummary, harness.PartHistory, harness.PartObservation},
			Budget: harness.Budget{Chars: DefaultBudget},
			Memory: harness.Rewrite,
			Recent: 1,
			Fold:   1,
			Retry:  2,
			Repair: transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newSummaryCapped,
	}
}

// capped is a memory that shows of its summary and turns what fits.
type capped struct {
	*memory
	budget
	list         []string // the summary in words, each with the space behind it
	turns, words int      // shown by the prompt being made
}

func newSummaryCapped(s harness.Setup) (harness.Agent, error) {
	m, err := newMemory(s)
	if err != nil {
		return nil, err
	}
	c := &capped{memory: m.(*memory)}
	if c.budget, err = newBudget(s); err != nil {
		return nil, err
	}
	c.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartSummary: func(harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.Summary, prompt.LabelSummary), c.cut(c.words)}
		},
		harness.PartHistory: func(v harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelRecent), c.transcript.since(len(v.Past)-c.turns, v.Past)}
		},
	}
	return c, nil
}

// Prompt fills the budget: with recent turns, then with the summary.
func (c *capped) Prompt(v harness.View) (prompt.Prompt, error) {
	c.transcript.upTo(v.Past)
	return c.fit(c.newest(&c.transcript, c.folded, len(v.Past)), len(c.list), func(turns, words int) (prompt.Prompt, error) {
		c.turns, c.words = turns, words
		return c.layout.Prompt(v)
	})
}

// Due asks for a summary, like memory, of what fits. Turns that do not fit are
// lost; where none does, no call is made.
func (c *capped) Due(v harness.View) (prompt.Prompt, bool) {
	if !c.due(v) {
		return nil, false
	}
	end := len(v.Past) - c.setup.Settings.Recent
	c.transcript.upTo(v.Past)
	shown := 0
	words := len(c.list)
	if c.appends() {
		words = 0 // is not shown
	}
	p, err := c.fit(c.newest(&c.transcript, c.folded, end), words, func(turns, words int) (prompt.Prompt, error) {
		shown = turns
		return c.request(v, end-turns, end, c.cut(words)), nil
	})
	c.folding = end
	if err != nil || shown == 0 {
		c.folded = end
		return nil, false
	}
	return p, true
}

// Summarized takes the summary, word by word, as far as the budget could hold it.
func (c *capped) Summarized(reply string) {
	said := words(strings.TrimSpace(transition.Visible(reply)) + "\n")
	if c.appends() {
		said = append(c.list, said...)
		c.list = slices.Clone(said[max(0, len(said)-c.limit):])
	} else {
		c.list = said[:min(len(said), c.limit)]
	}
	c.folded = c.folding
}

func (c *capped) appends() bool { return c.setup.Settings.Memory == harness.Append }

// cut is the summary in so many words: its first ones, or where it is written
// by append its last ones. It ends a line.
func (c *capped) cut(n int) []prompt.Segment {
	if n == 0 {
		return nil
	}
	list := c.list[:n]
	if c.appends() {
		list = c.list[len(c.list)-n:]
	}
	text := strings.TrimSpace(strings.Join(list, "")) + "\n"
	return []prompt.Segment{{Kind: prompt.Summary, From: 0, To: c.folded - 1, Text: text}}
}

// words parts a text behind each run of white space.
func words(text string) []string {
	var list []string
	for text != "" {
		n := strings.IndexFunc(text, unicode.IsSpace)
		if n < 0 {
			return append(list, text)
		}
		n = len(text) - len(strings.TrimLeftFunc(text[n:], unicode.IsSpace))
		list, text = append(list, text[:n]), text[n:]
	}
	return list
}
