package sim

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

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
	schemas  sync.Map // compiled, by text; for Clumsy
}

// New returns a simulated model that knows the language.
func New(c Config, l Language) *Model { return &Model{config: c, language: l} }

// Plays reports why a mechanism cannot play a task, given what is known of its
// language: a Chooser is played by Keyword, and nothing else is.
func (c Config) Plays(l Language) error {
	_, chooses := l.(Chooser)
	switch {
	case l == nil:
		return errors.New("it has no language for simulated models")
	case chooses && c.Mechanism != Keyword:
		return fmt.Errorf("it is played by sim:%s, got sim:%s", Keyword, c.Mechanism)
	case !chooses && c.Mechanism == Keyword:
		return fmt.Errorf("it has no catalogue that sim:%s could choose from", Keyword)
	}
	return nil
}

// Generate reads the text of the prompt, and of the rest of the request only
// in which form an envelope travels, how long the strategy's replies are set to
// be and, for Clumsy, what its luck is drawn from.
func (m *Model) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	d := m.think(r.Prompt.Text(), r.Wire, m.verbosity(r.Agent))
	if reply, erred := m.clumsy(d, r); erred {
		return reply, nil
	}
	return d.reply(d.patch()), nil
}

func (m *Model) verbosity(agent string) int {
	if n, ok := m.config.Verbosity[agent]; ok {
		return n
	}
	return m.config.Verbosity[""]
}

// Reply answers a prompt's text in about the given number of characters, and
// without the errors of Clumsy.
func (m *Model) Reply(text string, wire model.Wire, verbosity int) record.Reply {
	d := m.think(text, wire, verbosity)
	return d.reply(d.patch())
}

// A draft is a reply before it is written.
type draft struct {
	text    string // of the prompt
	form    model.Form
	wire    model.Wire
	merge   state.Merge
	size    int // characters
	summary string
	event   Event
	beliefs Beliefs
	answer  Answer
	named   bool          // what the answer lacks is named in words that cannot be read
	shown   *state.Object // Σ in the prompt; nil where there is none
	after   state.Object  // what Σ should become
}

// think decides what to say.
func (m *Model) think(text string, wire model.Wire, size int) draft {
	sections := restated(recalled(split(text)))
	reading := m.language.Read(sections)
	d := draft{text: text, wire: wire, size: size, event: reading.Event, beliefs: believe(reading, m.config.anchor())}
	d.form, d.merge = asked(sections)
	if d.form == model.Prose {
		d.summary = m.language.Summarize(summarized(reading.Mentions, d.beliefs))
		return d
	}
	guess := m.config.Guess
	if guess == "" {
		guess = BestGuess
	}
	if c, ok := m.language.(Chooser); ok {
		d.answer = c.Choose(sections, reading.Event, d.beliefs, m.config.strength())
	} else {
		d.answer = m.language.Answer(reading.Event, m.misread(text, sections, reading, d.beliefs), guess)
	}
	if a, ok := m.first(sections, d); ok {
		d.answer = a
	}
	if m.config.Restates {
		d.answer.Because += m.restate(d.beliefs)
	}
	d.named = d.answer.Lacks != "" && m.names(sections, d.answer.Lacks)
	if shown, ok := stateIn(sections); ok {
		d.shown = &shown
		d.after = m.after(d, d.answer.Then)
	}
	return d
}

// reply writes a draft with a patch; nil means none.
func (d draft) reply(patch *state.Object) record.Reply {
	if d.form == model.Prose {
		return record.Reply{Text: d.summary, Finish: record.Stop, Served: Served}
	}
	reply := transition.Write(d.form, d.wire, d.answer.Because, patch, d.answer.Action)
	if short := d.size - len(reply.Text); short > 0 {
		reply = transition.Write(d.form, d.wire, d.answer.Because+padding(short), patch, d.answer.Action)
	}
	reply.Served = Served
	if d.answer.Lacks != "" {
		reply.Notes = map[string]string{noteLacks: d.answer.Lacks}
		if d.named {
			reply.Notes[noteUnreadable] = "true"
		}
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

// after is what the state in the prompt should become once what follows is
// added to what is believed. Members that the task's schema does not name are
// left alone.
func (m *Model) after(d draft, then Beliefs) state.Object {
	after := Beliefs{}
	for k, v := range d.beliefs {
		after[k] = v
	}
	for k, v := range then {
		after[k] = v
	}
	return state.Shallow.Apply(*d.shown, state.From(m.render(*d.shown, after)))
}

// render shows beliefs in the members that the task's schema always has, and in
// those of a Keeper that this state has.
func (m *Model) render(shown state.Object, beliefs Beliefs) map[string]any {
	members := m.language.Render(beliefs)
	if k, ok := m.language.(Keeper); ok {
		for name, value := range k.Keep(beliefs) {
			if _, has := shown.Get(name); has {
				members[name] = value
			}
		}
	}
	return members
}

// patch is what takes the state in the prompt to what it should become; nil
// where the prompt has none.
func (d draft) patch() *state.Object {
	if d.shown == nil {
		return nil
	}
	p := d.merge.Patch(*d.shown, d.after)
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
