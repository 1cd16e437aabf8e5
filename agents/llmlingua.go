package agents

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/transition"
)

// LLMLingua prunes the history token by token, the least informative first,
// until the prompt is within the budget (paper tables 5 and 11). What a token
// tells is judged once, when its turn is finished, by an Informer that has read
// instructions and contract before. Only the built-in one can be chosen: what an
// endpoint says of a prompt's probabilities would have to be recorded like a
// reply, or an interrupted run could not be resumed.
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
	informer Informer
	read     int     // turns judged
	end      int     // tokens judged
	tokens   []token // that could be shown, most informative first
	kept     int     // shown by the prompt being made
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
	g := &lingua{layout: l, informer: NewNGrams()}
	if g.budget, err = newBudget(s); err != nil {
		return nil, err
	}
	g.informer.Inform(Tokens(prompt.Prompt{l.instructions, l.contract}.Text()))
	l.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartHistory: func(harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelHistory), g.pruned()}
		},
	}
	return g, nil
}

// Prompt fills the budget.
func (g *lingua) Prompt(v harness.View) (prompt.Prompt, error) {
	for ; g.read < len(v.Past); g.read++ {
		g.take(v.Past[g.read].Step, prompt.Prompt{shown(v.Past[g.read])}.Text())
	}
	return g.fit(0, len(g.tokens), func(_, kept int) (prompt.Prompt, error) {
		g.kept = kept
		return g.layout.Prompt(v)
	})
}

// take judges the tokens of one more turn. Those that no prompt can hold any
// more are forgotten: their order never changes, and more only come before them.
func (g *lingua) take(step int, text string) {
	texts := Tokens(text)
	for i, bits := range g.informer.Inform(texts) {
		g.tokens = append(g.tokens, token{texts[i], g.end, step, bits})
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
