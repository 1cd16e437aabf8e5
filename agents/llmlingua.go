package agents

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/transition"
)

// LLMLingua prunes the history token by token, the least informative first,
// until the prompt is within the budget (paper tables 5 and 11). What a token
// tells is its self-information, judged once, when its turn is finished: by the
// built-in trigrams, which have read instructions, contract and all turns before
// it, or by the endpoint that Settings.Informer names (see Ask), whose answers
// are recorded like replies. An endpoint has only the piece of history before the
// judged one in its prompt, so that even one that serves the same trigrams prunes
// otherwise. Neither takes the other's place unasked.
func LLMLingua() harness.Strategy {
	return harness.Strategy{
		Name: "llmlingua",
		Doc:  "react within a budget: tokens of the history are dropped, least informative first",
		Defaults: harness.Settings{
			Order:    []harness.Part{harness.PartInstructions, harness.PartHistory, harness.PartObservation},
			Budget:   harness.Budget{Chars: DefaultBudget},
			Informer: harness.NGrams,
			Retry:    2,
			Repair:   transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newLLMLingua,
	}
}

type lingua struct {
	*layout
	budget
	ngrams *ngrams.Model // nil: an endpoint is asked
	inquiry
	read   int     // turns taken up
	end    int     // tokens judged
	tokens []token // that could be shown, most informative first
	kept   int     // shown by the prompt being made
}

// A token of the history.
type token struct {
	text string
	at   int // place in the history
	step int
	bits float64
}

func newLLMLingua(s harness.Setup) (harness.Agent, error) {
	l, err := newLayout(s, model.ActionLine)
	if err != nil {
		return nil, err
	}
	g := &lingua{layout: l}
	if g.budget, err = newBudget(s); err != nil {
		return nil, err
	}
	if i := s.Settings.Informer; i == "" || i == harness.NGrams {
		g.ngrams = ngrams.New()
		g.ngrams.Inform(ngrams.Tokens(prompt.Prompt{l.instructions, l.contract}.Text()))
	}
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartHistory: func(harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelHistory), g.pruned()}
		},
	}
	return g, nil
}

// Prompt fills the budget.
func (g *lingua) Prompt(v harness.View) (prompt.Prompt, error) {
	for ; g.ngrams != nil && g.read < len(v.Past); g.read++ {
		texts := ngrams.Tokens(prompt.Prompt{shown(v.Past[g.read])}.Text())
		g.take(v.Past[g.read].Step, texts, g.ngrams.Inform(texts))
	}
	return g.fit(0, len(g.tokens), func(_, kept int) (prompt.Prompt, error) {
		g.kept = kept
		return g.layout.Prompt(v)
	})
}

// take takes up what the tokens of a text tell. Those that no prompt can hold
// any more are forgotten: their order never changes, and more only come before
// them.
func (g *lingua) take(step int, texts []string, bits []float64) {
	for i, text := range texts {
		g.tokens = append(g.tokens, token{text, g.end, step, bits[i]})
		g.end++
	}
	slices.SortFunc(g.tokens, func(a, b token) int {
		return cmp.Or(cmp.Compare(b.bits, a.bits), cmp.Compare(b.at, a.at))
	})
	room := g.chars()
	for i, t := range g.tokens {
		if room -= utf8.RuneCountInString(t.text); room < 0 {
			g.tokens = slices.Clone(g.tokens[:i+1])
			return
		}
	}
}

// pruned is what is left of the history, in its order.
func (g *lingua) pruned() []prompt.Segment {
	if g.kept == 0 {
		return nil
	}
	left := slices.Clone(g.tokens[:g.kept])
	slices.SortFunc(left, func(a, b token) int { return cmp.Compare(a.at, b.at) })
	var b strings.Builder
	for _, t := range left {
		b.WriteString(t.text)
	}
	text := strings.TrimRight(b.String(), "\n") + "\n"
	return []prompt.Segment{{Kind: prompt.History, From: left[0].step, To: left[len(left)-1].step, Text: text}}
}
