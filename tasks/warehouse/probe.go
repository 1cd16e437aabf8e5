package warehouse

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

// The kinds of probes.
const (
	deferred     = "deferred"     // a notice explains a code; so many steps later an order uses it
	invalidation = "invalidation" // an item is stored; so many steps later its placement is declared void
)

// Where a deferred fact can be kept. The skill text is the same for all.
const (
	noPlace  = "no_place" // the state schema has no place for it
	notes    = "notes"    // the state schema has free notes
	field    = "field"    // the state schema has a field codes
	repeated = "repeated" // no place, but the notice is in every observation until the order
)

// stretch is the number of base events that an invalidation scores, from the
// notice on; the order of the item comes after them and is scored with them.
const stretch = 5

const maxDelay = 10_000

// A Probe asks for facts a fixed number of steps after they were told (after a
// replication of the paper). Each episode has one fact for each delay. Orders
// and arrivals of probes are free steps, asked once; base events stay the same.
type Probe struct {
	Kind      string `json:"kind" yaml:"kind"`                     // deferred or invalidation
	Condition string `json:"condition,omitempty" yaml:"condition"` // deferred only: no_place, notes, field or repeated
	After     []int  `json:"after,omitempty" yaml:"after"`         // the delays in steps, each once; default 1, 5, 10, 20, 40
}

func (p *Probe) validate() error {
	known := []string{noPlace, notes, field, repeated}
	switch {
	case p.Kind != deferred && p.Kind != invalidation:
		return fmt.Errorf("probe.kind: want %s or %s, got %q", deferred, invalidation, p.Kind)
	case p.Kind == deferred && !slices.Contains(known, p.Condition):
		return fmt.Errorf("probe.condition: want one of %q, got %q", known, p.Condition)
	case p.Kind == invalidation && p.Condition != "":
		return fmt.Errorf("probe.condition: want none with %s, got %q", invalidation, p.Condition)
	}
	seen := map[int]bool{}
	for _, n := range p.After {
		if n < 1 || n > maxDelay || seen[n] {
			return fmt.Errorf("probe.after: want different numbers of steps from 1 to %d, got %v", maxDelay, p.After)
		}
		seen[n] = true
	}
	return nil
}

// skill is the folder of a deferred probe's skill.
func (p *Probe) skill() string {
	switch p.Condition {
	case notes:
		return "warehouse-notes"
	case field:
		return "warehouse-field"
	}
	return "warehouse-codes"
}

func (p *Probe) delays() []int {
	if len(p.After) == 0 {
		return []int{1, 5, 10, 20, 40}
	}
	return p.After
}

// A probe is one fact and the steps that have to do with it. Steps are those of
// the episode, free ones included.
type probe struct {
	kind   string
	delay  int
	at     int // step of the notice (deferred) or of the arrival (invalidation)
	repeat bool
	item   string
	code   string // deferred: what the order calls the item
	aim    int    // invalidation: where the search for the item's new shelf begins
}

// order is the step at which the item is ordered.
func (p *probe) order() int {
	if p.kind == invalidation {
		return p.at + p.delay + stretch
	}
	return p.at + p.delay
}

// free lists the steps at which the probe's own events come.
func (p *probe) free() []int {
	if p.kind == invalidation {
		return []int{p.at, p.order()}
	}
	return []int{p.order()}
}

// tells reports whether a notice of the probe is in a step's observation.
func (p *probe) tells(step int) bool {
	if p.kind == invalidation {
		return step == p.at+p.delay
	}
	return step == p.at || p.repeat && p.at < step && step <= p.order()
}

// scores reports whether a step's answer depends on the fact.
func (p *probe) scores(step int) bool {
	if p.kind == invalidation {
		return step >= p.at+p.delay && step <= p.order()
	}
	return step == p.order()
}

// lastTold is the last step up to the given one whose observation explains the
// code.
func (p *probe) lastTold(step int) int {
	if p.repeat {
		return step
	}
	return p.at
}

// asked is the probe whose own event comes at a step.
func (w *world) asked(step int) *probe {
	for _, p := range w.probes {
		if slices.Contains(p.free(), step) {
			return p
		}
	}
	return nil
}

// ask makes a probe's event the present one.
func (w *world) ask(p *probe) {
	w.now.free, w.now.event = true, event{kindOrder, p.item, noShelf}
	if w.step == p.order() {
		w.now.code = p.code
	} else {
		w.now.event.kind = kindReceive
	}
}

// notify adds the notices of the present step and finds the probe that scores
// it. The void placement is openly declared, so the change it makes is part of
// what the step tells; it enters the truth before the step as a drift does.
func (w *world) notify(o *record.Observation) {
	var said []string
	for _, p := range w.probes {
		if p.scores(w.step) {
			w.now.probe = p
		}
		if !p.tells(w.step) {
			continue
		}
		if p.kind == deferred {
			said = append(said, saysWillMean.with(p.code, p.item))
			continue
		}
		var to int
		to, o.Silent = w.void(p)
		said = append(said, saysVoid.with(p.item, shelfName(to)))
	}
	w.now.alert = strings.Join(said, "\n")
}

// void puts a probe's item on another shelf, wherever it is.
func (w *world) void(p *probe) (to int, change *state.Object) {
	var slots []slot
	if from := w.floor.at(p.item); from != noShelf {
		w.floor.clear(from)
		slots = append(slots, slot{from, ""})
	}
	delete(w.dock, p.item)
	to = w.floor.nextEmpty(p.aim)
	w.floor.put(p.item, to)
	w.seen[p.item] = w.step
	return to, patch(append(slots, slot{to, p.item}))
}

// fielded reports whether the state schema has the field codes.
func (w *world) fielded() bool {
	return w.opts.Probe != nil && w.opts.Probe.Condition == field
}

// codes are those explained by the steps that are done, and not yet ordered by.
func (w *world) codes() map[string]any {
	open := map[string]any{}
	for _, p := range w.probes {
		if p.at < w.done && w.done <= p.order() {
			open[p.code] = p.item
		}
	}
	return open
}

// told adds to a step's change the codes that the step explains or uses up.
func (w *world) told(change *state.Object) *state.Object {
	if !w.fielded() {
		return change
	}
	codes := map[string]any{}
	for _, p := range w.probes {
		switch w.step {
		case p.at:
			codes[p.code] = p.item
		case p.order():
			codes[p.code] = nil
		}
	}
	if len(codes) == 0 {
		return change
	}
	members := map[string]any{}
	if change != nil {
		members = maps.Clone(change.Root())
	}
	members[memberCodes] = codes
	more := state.From(members)
	return &more
}
