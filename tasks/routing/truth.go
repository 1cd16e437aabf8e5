package routing

import (
	"maps"
	"regexp"
	"strings"
	"unicode/utf8"

	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// Members of the state.
const (
	memberFacts = "facts" // of the present conversation, by name
	memberAsked = "asked" // the parameter that the customer was asked for
	memberTopic = "topic" // the skill that it is a parameter of
)

// Facts that the desk shows beside the state of a dialogue.
const (
	deskTime   = "time"
	deskAbsent = "not_in_service" // skills of the catalogue that this dialogue lacks
)

// maxFact bounds a text among the facts, in code points.
const maxFact = 1000

var factName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// factsOnly is a state with facts and no open question.
func factsOnly(facts map[string]any) state.Object {
	if facts == nil {
		facts = map[string]any{}
	}
	return state.From(map[string]any{memberFacts: facts})
}

// true is what a perfect state holds once the present message was read: what the
// desk shows, what the customer's messages so far give for parameters, and an
// open question.
func (w *world) true(asked, topic string) state.Object {
	root := map[string]any{memberFacts: w.known}
	if asked != "" {
		root[memberAsked] = asked
	}
	if topic != "" {
		root[memberTopic] = topic
	}
	return state.From(root)
}

// subject is the skill that the present message is about, "" for none.
func (w *world) subject() string {
	if e := w.message().Expect; e.Do == record.Call || e.Do == record.Ask {
		return e.Skill
	}
	return ""
}

// facts by name. Of a parameter the value that was said last holds; where the
// suite knows the value of this message, that one.
func (w *world) facts() map[string]any {
	facts := w.desk()
	for _, t := range w.now().Turns[:w.turn+1] {
		maps.Copy(facts, w.source.said(t.Say))
		for name, v := range t.Expect.Params {
			if isFact(name, v) {
				facts[name] = v
			}
		}
	}
	return facts
}

// desk is what the back office shows of a dialogue. What has parts is left out.
func (w *world) desk() map[string]any {
	known := map[string]any{}
	for name, v := range w.now().State {
		if isFact(name, v) {
			known[name] = v
		}
	}
	known[deskTime] = w.now().At
	if names := w.missing(w.now()); len(names) > 0 {
		known[deskAbsent] = strings.Join(names, ", ")
	}
	return known
}

func isFact(name string, v any) bool {
	text, _ := v.(string)
	return factName.MatchString(name) && scalar(v) && utf8.RuneCountInString(text) <= maxFact
}

// said are the parameters of the library that a message gives, by name. Of two
// skills with a parameter of one name, the first by name says what it is like.
func (s *source) said(message string) map[string]any {
	if found, ok := s.heard.Load(message); ok {
		return found.(map[string]any)
	}
	params := map[string]skills.Param{}
	for _, one := range s.library.Skills {
		for name, p := range one.Params {
			if _, ok := params[name]; !ok {
				params[name] = p
			}
		}
	}
	found := rank.Extract(skills.Skill{Params: params}, message, nil)
	maps.DeleteFunc(found, func(name string, v any) bool { return !isFact(name, v) })
	s.heard.Store(message, found)
	return found
}
