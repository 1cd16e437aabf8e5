package engine

import (
	"maps"

	"skillbench/harness/record"
)

// A Consumer takes the events of an engine for whoever follows its tickets. With
// order it takes them by their number: one that is missing is fetched, one that
// was taken is passed over. Without, it takes what comes.
type Consumer struct {
	order bool
	last  map[string]int // number of the last event taken, by ticket
}

// NewConsumer follows an engine from its begin.
func NewConsumer(m Mechanisms) *Consumer {
	return &Consumer{order: m.EventOrder, last: map[string]int{}}
}

// Clone is a consumer that goes its own way.
func (c *Consumer) Clone() *Consumer { return &Consumer{c.order, maps.Clone(c.last)} }

// Take returns what the consumer takes of the events that have come, in the order
// in which it takes them. Beats make it miss a lost end, too.
func (c *Consumer) Take(e *Engine, arrived []Event, beats []Beat) []Event {
	if !c.order {
		return arrived
	}
	var taken []Event
	upTo := func(ticket string, number int) {
		for _, ev := range e.Log(ticket, c.last[ticket]+1) {
			if ev.Number <= number {
				taken = append(taken, ev)
				c.last[ticket] = ev.Number
			}
		}
	}
	for _, ev := range arrived {
		upTo(ev.Ticket, ev.Number)
	}
	for _, b := range beats {
		upTo(b.Ticket, b.Last)
	}
	return taken
}

// A Watch holds what a consumer took against what happened.
type Watch struct {
	sent    map[string]int // events of a ticket so far
	taken   map[string]int // of these, taken or given up
	highest map[string]int // number of those taken
}

// NewWatch watches from the begin of an engine.
func NewWatch() *Watch { return &Watch{map[string]int{}, map[string]int{}, map[string]int{}} }

// Clone is a watch that goes its own way.
func (w *Watch) Clone() *Watch {
	return &Watch{maps.Clone(w.sent), maps.Clone(w.taken), maps.Clone(w.highest)}
}

// Disorder counts events that were taken behind a later one, and those that were
// not taken when their ticket was over: of all events.
func (w *Watch) Disorder(taken []Event, beats []Beat) record.Count {
	var c record.Count
	for _, ev := range taken {
		if ev.Number < w.highest[ev.Ticket] {
			c.N++
		}
		w.highest[ev.Ticket] = max(w.highest[ev.Ticket], ev.Number)
		w.taken[ev.Ticket]++
	}
	for _, b := range beats {
		c.Of += b.Last - w.sent[b.Ticket]
		w.sent[b.Ticket] = b.Last
		if b.Over {
			c.N += max(0, b.Last-w.taken[b.Ticket])
			w.taken[b.Ticket] = b.Last
		}
	}
	return c
}

// longResult is the size of a result, in bytes, that is too much for a prompt.
const longResult = 1500

// Unbounded counts results that are shown beyond the bound: of results beyond it.
func Unbounded(taken []Event) record.Count {
	var c record.Count
	for _, ev := range taken {
		if len(ev.Raw) > longResult {
			c.Of++
			if len(ev.Shown) > longResult {
				c.N++
			}
		}
	}
	return c
}
