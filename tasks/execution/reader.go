package execution

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
)

// language is what simulated models know of the task. A line that is not wholly
// one of the task's says nothing. What the runtime tells settles a key; a state
// and a summary only say.
//
// Keys of beliefs are "r_17.ticket", "r_17.status", "r_17.use", "order_4.charge"
// and "order_4.tracking". A value of "" means that the request is settled, or the
// id used up.
type language struct{}

// The fields behind the names of keys.
const (
	fieldTicket = ".ticket"
	fieldStatus = ".status"
	fieldUse    = ".use"
)

// Arguments of events.
const (
	argRequest = "request"
	argDemand  = "demand"
)

// Read takes one pass over the sections.
func (language) Read(sections []sim.Section) sim.Reading {
	l := listener{listed: map[string]bool{}}
	for _, s := range sections {
		l.part, l.at = s.Part, s.At
		switch s.Part {
		case sim.InState:
			l.state(s.Text)
		case sim.InHistory, sim.InSummary, sim.InObservation:
			l.event = sim.Event{}
			sim.EachLine(s.Text, prompt.LabelBackground, l.line)
		}
		if s.Part == sim.InObservation && l.event.Kind != "" {
			l.reading.Event = l.event
		}
	}
	l.unlisted()
	return l.reading
}

// A listener collects what the sections say.
type listener struct {
	part    sim.Part
	at      int // byte offset of the section in the prompt
	reading sim.Reading
	event   sim.Event
	hasList bool            // a state was read to its end
	listed  map[string]bool // requests that it holds
}

func (l *listener) mention(stance sim.Stance, at int, key, value string) {
	l.reading.Mentions = append(l.reading.Mentions, sim.Mention{Key: key, Value: value, Part: l.part, Stance: stance, At: l.at + at})
}

func (l *listener) line(said string, at int) {
	switch {
	case strings.HasPrefix(said, runtimeHeading):
		if n, ok := parseNotice(said); ok {
			l.notice(n, at)
		}
	case strings.HasPrefix(said, escalatedHeading):
		if id, _, ok := strings.Cut(strings.TrimPrefix(said, escalatedHeading), " "); ok && isNumbered(id, "r_") {
			l.settled(sim.Announces, id, at)
		}
	case strings.HasPrefix(said, "["):
		if e, ok := parseEvent(said); ok {
			l.event = sim.Event{Kind: e.kind, Args: map[string]string{argRequest: e.id, argDemand: e.demand.String()}, At: l.at + at}
		}
	default:
		l.stated(said, at)
	}
}

// notice takes up a line of the runtime.
func (l *listener) notice(n notice, at int) {
	keep := bodyOf(n.body)
	if n.says == saysResult {
		l.result(keep, at)
		return
	}
	status, ok := n.status()
	switch {
	case !ok:
	case status == "":
		l.settled(sim.Announces, n.request, at)
	default:
		l.mention(sim.Announces, at, n.request+fieldTicket, n.ticket)
		l.mention(sim.Announces, at, n.request+fieldStatus, status)
		if status != running {
			l.mention(sim.Announces, at, n.request+fieldUse, carrierIn(keep))
		}
	}
}

func (l *listener) settled(stance sim.Stance, request string, at int) {
	for _, field := range []string{fieldTicket, fieldStatus, fieldUse} {
		l.mention(stance, at, request+field, "")
	}
}

// result takes up the ids that a result gives or uses up.
func (l *listener) result(keep map[string]string, at int) {
	order := keep["order"]
	for _, field := range slices.Sorted(maps.Keys(endedBy)) {
		switch {
		case !isNumbered(order, "order_"):
		case keep[endedBy[field]] != "":
			l.mention(sim.Announces, at, order+"."+field, "")
		case keep[field] != "":
			l.mention(sim.Announces, at, order+"."+field, keep[field])
		}
	}
}

// bodyOf is the texts of a result: of its fields, or of the fields of the answer
// that holds them.
func bodyOf(text string) map[string]string {
	var body map[string]any
	if err := json.Unmarshal([]byte(text), &body); err != nil {
		return nil
	}
	if data, ok := body["data"].(map[string]any); ok {
		body = data
	}
	texts := map[string]string{}
	for name, v := range body {
		if s, ok := v.(string); ok {
			texts[name] = s
		}
	}
	return texts
}

// state reads the members of a state's JSON text, whole or not: one that was cut
// is read as far as it goes.
func (l *listener) state(text string) {
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return
	}
	d := jsontext.NewDecoder(strings.NewReader(text[start:]))
	for {
		at := start + int(d.InputOffset())
		token, err := d.ReadToken()
		if err != nil {
			return
		}
		if d.StackDepth() == 0 {
			l.hasList = true
			return
		}
		path := strings.Split(string(d.StackPointer()), "/")
		if _, length := d.StackIndex(d.StackDepth()); len(path) == 4 && token.Kind() == '"' && length%2 == 0 {
			l.member(path[1], path[2], path[3], token.String(), at)
		}
	}
}

// member takes up one text of the state.
func (l *listener) member(root, owner, name, value string, at int) {
	switch {
	case root == "requests" && isNumbered(owner, "r_"):
		l.listed[owner] = true
		l.mention(sim.Says, at, owner+"."+name, value)
	case root == "orders" && isNumbered(owner, "order_"):
		l.mention(sim.Says, at, owner+"."+name, value)
	}
}

// unlisted takes it up that the request of the event is in no state and was never
// told of: it is settled. It stands before all other mentions, so that any of them
// holds against it.
func (l *listener) unlisted() {
	id := l.reading.Event.Args[argRequest]
	if !l.hasList || id == "" || l.listed[id] {
		return
	}
	l.reading.Mentions = slices.Insert(l.reading.Mentions, 0, sim.Mention{Key: id + fieldStatus, Value: "", Part: sim.InState, Stance: sim.Says})
}

// stated reads a statement of a summary.
func (l *listener) stated(said string, at int) {
	words := strings.Fields(strings.TrimSuffix(said, "."))
	switch {
	case len(words) == 4 && words[0] == "The" && words[2] == "is": // The order_4.charge is charge_1.
		if key := words[1]; isKey(key) {
			l.mention(sim.Says, at, key, words[3])
		}
	case len(words) == 3 && words[0] == "No" && words[2] == "stands": // No r_17.status stands.
		if key := words[1]; isKey(key) {
			l.mention(sim.Says, at, key, "")
		}
	}
}

// isKey reports whether a text is a key of beliefs.
func isKey(key string) bool {
	owner, field, ok := strings.Cut(key, ".")
	switch field = "." + field; {
	case !ok:
		return false
	case isNumbered(owner, "r_"):
		return field == fieldTicket || field == fieldStatus || field == fieldUse
	}
	_, known := endedBy[strings.TrimPrefix(field, ".")]
	return known && isNumbered(owner, "order_")
}
