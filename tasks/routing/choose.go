package routing

import (
	"maps"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Answer declines: without a catalogue nothing can be chosen.
func (language) Answer(sim.Event, sim.Beliefs, sim.Guess) sim.Answer {
	return sim.Answer{Because: "There is nothing to choose from.", Action: verbDecline}
}

// Choose takes the entry that shares most words with the customer's message, and
// heeds what the desk said of its last try at the same message. Values of
// parameters are found by the patterns that the prompt shows, in the message, or
// else among what is believed of the conversation.
func (language) Choose(sections []sim.Section, e sim.Event, beliefs sim.Beliefs, bias float64) sim.Answer {
	if e.Kind != eventMessage {
		return sim.Answer{Because: "Nobody has written.", Action: verbWait}
	}
	c := chooser{shelf: readShelf(sections), said: e.Args[argSaid], beliefs: beliefs, bias: bias, notice: noticeIn(sections)}
	if beliefs[keyAsked] != "" {
		c.before = before(sections, e)
	}
	return c.choose()
}

// A chooser decides on one message.
type chooser struct {
	*shelf
	notice
	said    string // the message
	before  string // the message that the last question was about; "" where none was asked, or where it is not shown
	beliefs sim.Beliefs
	bias    float64
}

func (c chooser) choose() sim.Answer {
	for name := range strings.SplitSeq(c.absent(), ", ") {
		c.catalogue, c.latest = without(c.catalogue, name), without(c.latest, name)
	}
	if a, ok := c.heed(); ok {
		return a
	}
	if e, ok := c.asked(); ok {
		return c.take(e, "The question was answered.")
	}
	if ranked := c.rank(c.latest); len(ranked) > 0 {
		return c.take(ranked[0], "This entry has most of its words.")
	}
	if len(c.latest) > 0 && c.looks >= maxPeeks {
		return c.decide(record.Route{Do: record.Decline}, "No entry that was shown has its words.")
	}
	for _, e := range c.rank(c.unseen()) {
		if members := c.membersOf(e); len(members) == 0 {
			return c.take(e, "This entry has most of its words.")
		} else if ranked := c.rank(members); len(ranked) > 0 {
			return c.take(ranked[0], "This entry has most of its words.")
		}
	}
	return c.decide(record.Route{Do: record.Decline}, "No entry has the words of the message.")
}

// absent names the skills that are known not to be in service.
func (c chooser) absent() string {
	names, _ := valueOf(c.beliefs[deskAbsent]).(string)
	return names
}

// maxPeeks is how often one message is worth a look.
const maxPeeks = 2

// unseen are the entries of the catalogue that the latest observation does not
// show in full, as far as the prompt knows them.
func (c chooser) unseen() []*entry {
	var list []*entry
	for _, e := range c.catalogue {
		if known := c.known[e.name]; known != nil {
			e = known
		}
		if !slices.ContainsFunc(c.latest, func(l *entry) bool { return l.name == e.name || slices.Contains(e.members, l.name) }) {
			list = append(list, e)
		}
	}
	return list
}

// membersOf are the skills of a group where the prompt shows all of them.
func (c chooser) membersOf(group *entry) []*entry {
	var list []*entry
	for _, name := range group.members {
		if c.known[name] == nil {
			return nil
		}
		list = append(list, c.known[name])
	}
	return list
}

// take calls an entry, once all of it is known that a call needs.
func (c chooser) take(e *entry, because string) sim.Answer {
	if known := c.known[e.name]; known != nil {
		e = known
	}
	switch {
	case len(e.members) > 0:
		return sim.Answer{Because: because, Action: verbOpen + " " + e.name}
	case !e.whole && c.loads:
		return sim.Answer{Because: because, Action: verbLoad + " " + e.name}
	case !e.whole && c.opens:
		for _, g := range c.catalogue {
			if slices.Contains(g.members, e.name) {
				return sim.Answer{Because: because, Action: verbOpen + " " + g.name}
			}
		}
	}
	args, missing := c.args(e)
	if missing != "" {
		a := c.decide(record.Route{Do: record.Ask, Param: missing}, "It lacks a parameter.")
		a.Then[keyTopic] = e.name
		if !c.fresh && c.looks < maxPeeks {
			a.Lacks = missing // it may have been said, and forgotten
		}
		return a
	}
	a := c.decide(record.Route{Do: record.Call, Skill: e.name}, because)
	a.Action = written(record.Route{Do: record.Call, Skill: e.name}, state.From(args))
	return a
}

// decide is a decision; it settles what was asked before.
func (c chooser) decide(r record.Route, because string) sim.Answer {
	return sim.Answer{Because: because, Action: written(r, state.Object{}), Then: sim.Beliefs{keyAsked: r.Param, keyTopic: ""}}
}

// args finds the parameters of an entry, and the first by name that is missing.
// One that is not required is taken from the message alone.
func (c chooser) args(e *entry) (args map[string]any, missing string) {
	known := map[string]any{}
	for name, text := range c.beliefs {
		known[name] = valueOf(text)
	}
	args = e.extract(c.said, known)
	for _, name := range slices.Sorted(maps.Keys(e.params)) {
		if _, ok := args[name]; !ok && e.params[name].Required {
			return args, name
		}
	}
	return args, ""
}

// answers reports whether the message gives an entry's parameter.
func (c chooser) answers(e *entry, param string) bool {
	_, ok := e.extract(c.said, nil)[param]
	return ok
}

// asked is the entry that a question was about, where the message answers it.
func (c chooser) asked() (*entry, bool) {
	param := c.beliefs[keyAsked]
	if param == "" {
		return nil, false
	}
	if topic := c.beliefs[keyTopic]; topic != "" {
		e := c.known[topic]
		if e == nil {
			e = &entry{name: topic}
		}
		return e, !e.whole || c.answers(e, param)
	}
	var fit []*entry
	for _, name := range slices.Sorted(maps.Keys(c.known)) {
		if e := c.known[name]; c.answers(e, param) {
			fit = append(fit, e)
		}
	}
	c.said = c.before
	if ranked := c.rank(fit); len(ranked) > 0 {
		return ranked[0], true
	}
	return nil, false
}

// before is the customer's message before the present one, as far as the past in
// the prompt shows it.
func before(sections []sim.Section, e sim.Event) string {
	text := ""
	for _, s := range sections {
		if s.Part != sim.InHistory {
			continue
		}
		for line := range strings.Lines(s.Text) {
			number, said, ok := numbered(strings.TrimRight(line, "\r\n"), customerHeading)
			if ok && number == e.Args[argNumber] && said != e.Args[argSaid] {
				text = said
			}
		}
	}
	return text
}
