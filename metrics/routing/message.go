package routing

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/record"
)

// A Message is what became of one message of a case, over all times it was played.
// Routes are in short form: call <skill>, ask <param>, offer <skill> <skill>,
// clarify, decline, nothing.
type Message struct {
	Wanted  string         `json:"wanted"`
	Right   int            `json:"right"`   // first decisions that are wanted or accepted
	Called  int            `json:"called"`  // of these, calls, where a call is wanted
	Decided map[string]int `json:"decided"` // first decisions; the rarest of many are together under (others)
}

// mostDecided is how many routes of one message are told apart.
const mostDecided = 5

// others stand for routes that are not told apart. No route has such a form.
const others = "(others)"

// heard is a message that is being counted.
type heard struct {
	want          string
	right, called int
	decided       map[string]int
}

// message is the one of a turn, from 0.
func (p *played) message(turn int, want string) *heard {
	if p.messages[turn] == nil {
		p.messages[turn] = &heard{want: want, decided: map[string]int{}}
	}
	h := p.messages[turn]
	h.want = min(h.want, want) // equal, unless somebody mixed suites
	return h
}

// first takes the first decision of a turn.
func (p *played) first(r *record.Routing, ok bool) {
	h := p.message(r.Turn, short(r.Want))
	h.right += one(ok)
	h.called += one(ok && r.Want.Do == record.Call && r.Got.Do == record.Call)
	h.decided[short(r.Got)]++
	p.triggered += one(len(rightSkills(r)) == 0 && r.Got.Do == record.Call)
}

func (p *played) add(o *played) {
	p.plays, p.routed, p.resolved = p.plays+o.plays, p.routed+o.routed, p.resolved+o.resolved
	p.wrong, p.triggered = p.wrong+o.wrong, p.triggered+o.triggered
	for turn, h := range o.messages {
		own := p.message(turn, h.want)
		own.right, own.called = own.right+h.right, own.called+h.called
		for route, n := range h.decided {
			own.decided[route] += n
		}
	}
}

// list is what a case's messages came to, in their order.
func (p *played) list() []Message {
	list := []Message{}
	for _, turn := range slices.Sorted(maps.Keys(p.messages)) {
		h := p.messages[turn]
		list = append(list, Message{h.want, h.right, h.called, frequent(h.decided)})
	}
	return list
}

// frequent keeps the routes that were decided most often.
func frequent(all map[string]int) map[string]int {
	routes := slices.SortedFunc(maps.Keys(all), func(a, b string) int { return cmp.Or(all[b]-all[a], cmp.Compare(a, b)) })
	out := map[string]int{}
	for i, route := range routes {
		if i >= mostDecided {
			route = others
		}
		out[route] += all[routes[i]]
	}
	return out
}

// callOf is how the short form of a call begins.
const callOf = "call "

// short is a route in few words.
func short(r record.Route) string {
	switch r.Do {
	case record.Call:
		return callOf + r.Skill
	case record.Offer:
		return strings.Join([]string{"offer", r.Skill, r.Other}, " ")
	}
	return strings.TrimSpace(string(r.Do) + " " + r.Param)
}
