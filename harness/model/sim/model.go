package sim

import (
	"context"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// Served is what a simulated model says it is, so that no record of it can be
// taken for a real one.
const Served = "simulated"

// A Model is a simulated model of one task.
type Model struct {
	config   Config
	language Language
}

// New returns a simulated model that knows the language.
func New(c Config, l Language) *Model { return &Model{c, l} }

// Generate reads the text of the prompt, and of the rest of the request only
// in which form an envelope travels and how long the strategy's replies are
// set to be.
func (m *Model) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	return m.Reply(r.Prompt.Text(), r.Wire, m.verbosity(r.Agent)), nil
}

func (m *Model) verbosity(agent string) int {
	if n, ok := m.config.Verbosity[agent]; ok {
		return n
	}
	return m.config.Verbosity[""]
}

// Reply answers a prompt's text in about the given number of characters.
func (m *Model) Reply(text string, wire model.Wire, verbosity int) record.Reply {
	sections := restated(split(text))
	reading := m.language.Read(sections)
	beliefs := believe(reading, m.config.anchor())
	form, merge := asked(sections)
	if form == model.Prose {
		return record.Reply{Text: m.language.Summarize(summarized(reading.Mentions, beliefs)), Finish: record.Stop, Served: Served}
	}
	guess := m.config.Guess
	if guess == "" {
		guess = BestGuess
	}
	answer := m.language.Answer(reading.Event, m.misread(text, sections, reading, beliefs), guess)
	if m.config.Restates {
		answer.Because += m.restate(beliefs)
	}
	patch := m.patch(sections, beliefs, answer.Then, merge)
	reply := transition.Write(form, wire, answer.Because, patch, answer.Action)
	if short := verbosity - len(reply.Text); short > 0 {
		reply = transition.Write(form, wire, answer.Because+padding(short), patch, answer.Action)
	}
	reply.Served = Served
	if answer.Lacks != "" {
		reply.Notes = map[string]string{"lacks": answer.Lacks}
	}
	return reply
}

// summarized drops what an earlier summary already says is nowhere or that is
// gone since: the new summary replaces it.
func summarized(mentions []Mention, beliefs Beliefs) Beliefs {
	for _, m := range mentions {
		if m.Part == InSummary && beliefs[m.Key] == "" {
			delete(beliefs, m.Key)
		}
	}
	return beliefs
}

// asked finds the reply form and the merge rule in the contract.
func asked(sections []Section) (model.Form, state.Merge) {
	var contract string
	for _, s := range sections {
		if s.Part == inContract {
			contract = s.Text
		}
	}
	merge := state.Deep
	if _, rule, ok := strings.Cut(contract, "Merge: "); ok {
		for _, m := range []state.Merge{state.Shallow, state.Replace} {
			if strings.HasPrefix(rule, string(m)) {
				merge = m
			}
		}
	}
	switch {
	case strings.Contains(contract, "state_patch"):
		return model.Envelope, merge
	case strings.Contains(contract, "StateUpdate:"):
		return model.Update, state.Shallow
	case strings.Contains(contract, "Action:"):
		return model.ActionLine, merge
	}
	return model.Prose, merge
}

// patch is what takes the state in the prompt to what is believed after the
// action. Members that the task's schema does not name are left alone.
func (m *Model) patch(sections []Section, now, then Beliefs, merge state.Merge) *state.Object {
	shown, ok := stateIn(sections)
	if !ok {
		return nil
	}
	after := Beliefs{}
	for k, v := range now {
		after[k] = v
	}
	for k, v := range then {
		after[k] = v
	}
	target := state.Shallow.Apply(shown, state.From(m.language.Render(after)))
	p := merge.Patch(shown, target)
	return &p
}

// stateIn finds Σ in the prompt: the text from the first brace to the last.
func stateIn(sections []Section) (state.Object, bool) {
	for _, s := range sections {
		if s.Part != InState {
			continue
		}
		begin, end := strings.IndexByte(s.Text, '{'), strings.LastIndexByte(s.Text, '}')
		if begin < 0 || end < begin {
			return state.Object{}, false
		}
		o, err := state.Parse([]byte(s.Text[begin : end+1]))
		return o, err == nil
	}
	return state.Object{}, false
}

// filler is neutral talk: it holds no fact, no command and no label.
const filler = " I have read the instructions and the latest observation once more, compared what is asked with what is known, and see nothing that speaks against this choice."

// padding is n characters of filler, cut at a word where possible.
func padding(n int) string {
	text := strings.Repeat(filler, n/len(filler)+1)[:n]
	if i := strings.LastIndexByte(text, ' '); i > 0 && n > 20 {
		text = text[:i] + strings.Repeat(".", n-i)
	}
	return text
}
