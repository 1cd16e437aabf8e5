package routing

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
)

// language is what simulated models know of the task: the lines of observations,
// and that the parameters which the prompt's entries describe are the facts of a
// conversation. It knows no skill.
//
// Beliefs are facts by name, as JSON texts, and two keys beside them.
type language struct{}

const (
	keyAsked = "." + memberAsked // a parameter
	keyTopic = "." + memberTopic // a skill
)

// The event is a message of the customer.
const (
	eventMessage = "message"
	argSaid      = "said"
	argNumber    = "number" // of the conversation
)

// Read takes one pass over the sections. Lines that belong to another
// conversation than that of the latest message say nothing, and a new
// conversation ends what was known.
func (language) Read(sections []sim.Section) sim.Reading {
	r := reader{params: described(sections), known: map[string]bool{}}
	for _, s := range sections {
		if s.Part == sim.InObservation {
			r.find(s)
		}
	}
	for i, s := range sections {
		r.part, r.at = s.Part, s.At
		switch s.Part {
		case sim.InCatalogue:
		case sim.InState:
			r.state(s.Text)
		case sim.InReply:
			if !failed(sections[i+1:]) {
				r.reply(s.Text)
			}
		default:
			sim.EachLine(s.Text, prompt.LabelBackground, r.line)
		}
	}
	return r.reading
}

// A reader collects what the sections say.
type reader struct {
	part    sim.Part
	at      int
	number  string          // of the present conversation
	params  *entry          // that values are looked for of
	known   map[string]bool // keys that were mentioned
	reading sim.Reading
}

func (r *reader) mention(stance sim.Stance, key, value string, at int) {
	r.known[key] = true
	r.reading.Mentions = append(r.reading.Mentions, sim.Mention{Key: key, Value: value, Part: r.part, Stance: stance, At: r.at + at})
}

// described are the parameters that the entries of the prompt describe, by name,
// as one entry; of two of one name, that of the entry which comes first by name.
func described(sections []sim.Section) *entry {
	all := &entry{params: map[string]skills.Param{}}
	known := readShelf(sections).known
	for _, name := range slices.Sorted(maps.Keys(known)) {
		for param, p := range known[name].params {
			if _, ok := all.params[param]; !ok {
				all.params[param] = p
			}
		}
	}
	return all
}

// find takes the last message of a section for the event.
func (r *reader) find(s sim.Section) {
	sim.EachLine(s.Text, prompt.LabelBackground, func(line string, at int) {
		if number, said, ok := numbered(line, customerHeading); ok {
			r.number = number
			r.reading.Event = sim.Event{Kind: eventMessage, Args: map[string]string{argSaid: said, argNumber: number}, At: s.At + at}
		}
	})
}

// numbered takes a line of a conversation apart.
func numbered(line, heading string) (number, text string, ok bool) {
	rest, ok := strings.CutPrefix(line, heading+" ")
	if !ok {
		return "", "", false
	}
	number, text, ok = strings.Cut(rest, ": ")
	_, err := strconv.Atoi(number)
	return number, text, ok && err == nil
}

func (r *reader) line(line string, at int) {
	if rest, ok := strings.CutPrefix(line, newHeading+": "); ok {
		if strings.TrimSuffix(rest, ".") == r.number {
			r.forget(at)
		}
		return
	}
	if number, text, ok := numbered(line, deskHeading); ok && number == r.number {
		r.desk(text, at)
	} else if number, text, ok := numbered(line, customerHeading); ok && number == r.number {
		r.said(text, at)
	} else if r.part == sim.InSummary {
		r.summary(line, at)
	}
}

// forget ends all that was known.
func (r *reader) forget(at int) {
	for _, key := range slices.Sorted(maps.Keys(r.known)) {
		r.mention(sim.Announces, key, "", at)
	}
}

func (r *reader) desk(text string, at int) {
	o, err := state.Parse([]byte(text))
	if err != nil {
		return
	}
	r.facts(o.Root(), at)
}

func (r *reader) facts(members map[string]any, at int) {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if v := members[name]; scalarJSON(v) {
			r.mention(sim.Announces, name, textOf(v), at)
		}
	}
}

func (r *reader) said(text string, at int) { r.facts(r.params.extract(text, nil), at) }

// state reads Σ.
func (r *reader) state(text string) {
	begin, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if begin < 0 || end < begin {
		return
	}
	o, err := state.Parse([]byte(text[begin : end+1]))
	if err != nil {
		return
	}
	if facts, ok := o.Root()[memberFacts].(map[string]any); ok {
		r.facts(facts, begin)
	}
	for key, member := range map[string]string{keyAsked: memberAsked, keyTopic: memberTopic} {
		if v, ok := o.Root()[member].(string); ok {
			r.mention(sim.Says, key, v, begin)
		}
	}
}

// reply takes up what the customer was asked for last: a decision that asks for
// nothing ends that.
func (r *reader) reply(text string) {
	action, at := sim.LastAction(text)
	c, err := parse(action)
	if at < 0 || err != nil || !c.route.Do.Decides() {
		return
	}
	r.mention(sim.Tries, keyAsked, c.route.Param, at)
	r.mention(sim.Tries, keyTopic, "", at)
}

// failed reports whether the observation that follows a reply opens with an error.
func failed(next []sim.Section) bool {
	return len(next) > 0 && (next[0].Part == sim.InHistory || next[0].Part == sim.InObservation) && strings.HasPrefix(next[0].Text, errorHeading)
}

// scalarJSON reports whether a value of JSON has no parts and is there.
func scalarJSON(v any) bool {
	switch v.(type) {
	case nil, map[string]any, []any:
		return false
	}
	return true
}

// textOf is a value as JSON.
func textOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(text)
}

// valueOf reads it back; nil where it is none.
func valueOf(text string) any {
	o, err := state.Parse([]byte(`{"v":` + text + `}`))
	if err != nil {
		return nil
	}
	return o.Root()["v"]
}
