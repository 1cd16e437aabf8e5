package trial

import (
	"fmt"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// bad is a reply of a class, false where the form, the settings and the schema
// allow none. It holds a canary wherever it holds text.
func (s *stage) bad(class string, r model.Request) (record.Reply, bool) {
	canary := s.plant("refused reply", r.Step)
	for _, reply := range s.candidates(class, r, canary) {
		if s.primary(r, reply) == class {
			return reply, true
		}
	}
	return record.Reply{}, false
}

// possible lists the classes of which there are bad replies at the first step.
func (t *Trial) possible() ([]string, error) {
	agent, err := t.column.Strategy.New(t.Setup())
	if err != nil {
		return nil, err
	}
	s := t.stage(0)
	if _, err := s.task().New(t.spec()); err != nil {
		return nil, err
	}
	s.Observe()
	var classes []string
	for _, class := range transition.Classes() {
		if _, ok := s.bad(class, model.Request{Form: agent.Form(), Wire: t.column.Settings.Wire}); ok {
			classes = append(classes, class)
		}
	}
	if len(classes) == 0 {
		return nil, fmt.Errorf("agent %s: no reply of form %q can be refused; want a form that asks for an action", t.column.Name, agent.Form())
	}
	return classes, nil
}

// candidates are replies that may be of the class.
func (s *stage) candidates(class string, r model.Request, canary string) []record.Reply {
	because := "This is not right. " + canary + "."
	good := s.write(r, because, s.now.Oracle)
	switch class {
	case transition.Empty:
		return []record.Reply{{Finish: record.Stop}}
	case transition.Refusal:
		return []record.Reply{{Text: "I'm sorry, but I cannot help with that. " + canary, Finish: record.Stop}}
	case transition.Truncated:
		return cuts(good)
	case transition.NoJSON:
		return []record.Reply{{Text: because + "\nAction: " + s.now.Oracle, Finish: record.Stop}}
	case transition.JSONSyntax:
		twice := replaced(good, `"action":`, `"action":"","action":`)
		update := good
		update.Text = because + "\nAction: " + s.now.Oracle + "\nStateUpdate: {\"a\": 1, \"a\": 2}"
		return []record.Reply{twice, update}
	case transition.Envelope:
		return []record.Reply{replaced(good, `"action":`, `"note":"`+canary+`","action":`)}
	case transition.ActionGrammar:
		return []record.Reply{s.write(r, because, canary+" is no command")}
	}
	return s.misfits(class, r, because, canary)
}

// misfits are replies with a right action whose patch breaks the schema.
func (s *stage) misfits(class string, r model.Request, because, canary string) []record.Reply {
	spoil := spoiler{from: s.intended(s.now.Oracle), name: canary}
	switch class {
	case transition.SchemaUnknownKey:
		spoil.keys()
	case transition.SchemaType:
		spoil.types()
	case transition.SchemaValue:
		spoil.values()
	}
	var list []record.Reply
	for _, to := range spoil.found {
		patch := s.trial.column.Settings.Merge.Patch(s.state, to)
		list = append(list, transition.Write(r.Form, r.Wire, because, &patch, s.now.Oracle))
	}
	return list
}

// cuts are a reply cut at several places near its end.
func cuts(good record.Reply) []record.Reply {
	var list []record.Reply
	for _, less := range []int{3, 8, 16, 32} {
		cut := good
		cut.Finish = record.Length
		if len(good.Calls) > 0 {
			call := good.Calls[0]
			call.Arguments = call.Arguments[:max(0, len(call.Arguments)-less)]
			cut.Calls = []record.ToolCall{call}
		} else {
			cut.Text = cut.Text[:max(0, len(cut.Text)-less)]
		}
		list = append(list, cut)
	}
	return list
}

// replaced changes the envelope of a reply, wherever it travels.
func replaced(good record.Reply, old, with string) record.Reply {
	good.Text = strings.Replace(good.Text, old, with, 1)
	if len(good.Calls) > 0 {
		call := good.Calls[0]
		call.Arguments = strings.Replace(call.Arguments, old, with, 1)
		good.Calls = []record.ToolCall{call}
	}
	return good
}

// primary is the class that a reply earns by the rules, "" if none.
func (s *stage) primary(r model.Request, reply record.Reply) string {
	settings := s.trial.column.Settings
	move, found := transition.Parse(r.Form, r.Wire, settings.Repair, reply.Clean())
	if move.Action != "" && s.Grammar(move.Action) != nil {
		found = append(found, state.Violation{Class: transition.ActionGrammar})
	}
	if move.Patch != nil && settings.Stateful() && settings.Validate {
		found = append(found, s.trial.variant.Skill.Schema.Check(settings.Merge.Apply(s.state, *move.Patch))...)
	}
	transition.Sort(found)
	if len(found) == 0 {
		return ""
	}
	return found[0].Class
}
