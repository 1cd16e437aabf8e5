package warehouse

import (
	"fmt"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A world is one episode: the script, and a warehouse that follows this
// agent's actions. Kinds and items of the base events are the same for all
// agents; the shelf of a Maintenance is where the item is in this world.
type world struct {
	spec   harness.Spec
	opts   *Options
	script script
	drifts []*drift // by time; nil where the episode has none
	probes []*probe // nil where the episode has none

	floor  floor
	dock   map[string]bool // received and not yet stored
	orders map[string]bool // ordered and not yet shipped
	seen   map[string]int  // step at which an item's place was last observed
	names  int             // highest item number in use

	step   int    // of the present observation; -1 before the first
	done   int    // steps finished
	base   int    // index of the next base event
	result string // of the last action
	now    occasion
	wait   wait
}

// An occasion is the event of the present step, as this agent's world has it.
type occasion struct {
	event
	code     string // the name by which a probe's order calls the item; "" for its own
	free     bool
	drift    *drift // the one that the step alerts to, waits for or touches
	probe    *probe // the one that scores the step
	alert    string // or notices, a line each
	oracle   command
	possible bool
}

func begin(spec harness.Spec) (harness.World, error) {
	opts, err := decode(spec.Options)
	if err != nil {
		return nil, err
	}
	if spec.Horizon < 1 {
		return nil, fmt.Errorf("horizon: want a positive integer, got %d", spec.Horizon)
	}
	if spec.Noise < 0 {
		return nil, fmt.Errorf("noise: want 0 or more lines, got %d", spec.Noise)
	}
	s, err := write(spec.Seed, spec.Horizon, opts)
	if err != nil {
		return nil, err
	}
	w := &world{spec: spec, opts: opts, script: s, step: -1, names: s.items, floor: newFloor(),
		dock: map[string]bool{}, orders: map[string]bool{}, seen: map[string]int{}}
	if err := w.plan(); err != nil {
		return nil, err
	}
	if err := w.planProbes(); err != nil {
		return nil, err
	}
	for n := range opts.WarmStart {
		w.stock(itemName(n + 1))
	}
	return w, nil
}

// stock stores an item before the first step, which shows it.
func (w *world) stock(item string) {
	w.floor.put(item, w.floor.lowest())
	w.seen[item] = 0
}

// Truth lists the occupied shelves of this agent's world, and the codes that
// were explained where the state schema has a field for them.
func (w *world) Truth() state.Object {
	inventory := make(map[string]any, w.floor.load())
	for item, shelf := range w.floor.where {
		inventory[shelfName(shelf)] = item
	}
	truth := map[string]any{"inventory": inventory}
	if w.fielded() {
		truth[memberCodes] = w.codes()
	}
	return state.From(truth)
}

// Observe begins the next step: an open event or a probe's own while there is
// one, else the next base event.
func (w *world) Observe() (record.Observation, bool) {
	if w.wait.event > 0 {
		return w.again(), true
	}
	w.now = occasion{}
	open, asked := w.open(), w.asked(w.step+1)
	if open == nil && asked == nil && w.base == len(w.script.events) {
		return record.Observation{}, false
	}
	w.step++
	o := record.Observation{Step: w.shown()}
	switch {
	case open != nil:
		w.announce(open)
		o.Announced = open.announced
	case asked != nil:
		w.ask(asked)
		o.Announced = 1
	default:
		o.Silent = w.advance()
	}
	if len(w.probes) > 0 {
		w.notify(&o)
	}
	w.happen()
	w.describe(&o)
	return o, true
}

// advance takes the next base event and whatever drift is due with it. It
// returns the change that nothing announces.
func (w *world) advance() *state.Object {
	silent := w.strike(w.base)
	w.now.event = w.script.events[w.base]
	w.now.drift = w.alerting(w.base)
	w.base++
	return silent
}

// happen lets the present event into the world and settles what is right.
func (w *world) happen() {
	switch w.now.kind {
	case kindReceive:
		w.dock[w.now.item] = true
	case kindOrder:
		w.orders[w.now.item] = true
	case kindMaintenance:
		if at := w.floor.at(w.now.item); at != noShelf {
			w.now.shelf = at
		}
	}
	if w.now.drift != nil {
		w.now.alert = w.alert(w.now.drift)
	}
	w.now.oracle, w.now.possible = w.oracle(w.now.event)
	if w.now.drift == nil {
		w.now.drift = w.touched()
	}
}

// Judge says what would become of an action and changes nothing.
func (w *world) Judge(action string) record.Outcome {
	_, _, outcome := w.judge(action)
	return outcome
}

func (w *world) judge(action string) (command, verdict, record.Outcome) {
	c, v := w.decide(action)
	out := record.Outcome{Valid: v.accepted, Result: v.result, World: w.told(patch(v.change))}
	out.Correct = v.accepted && w.right(c)
	out.Used = w.used(c, out.Correct)
	return c, v, out
}

// decide reads an action and rules on it.
func (w *world) decide(action string) (command, verdict) {
	if action == record.None {
		return command{}, refused(string(saysNone))
	}
	c, err := parse(action)
	if err != nil {
		return command{}, refused(string(saysUnread))
	}
	return c, w.rule(c)
}

// Act does the action and ends the step.
func (w *world) Act(action string) record.Outcome {
	c, v, out := w.judge(action)
	if v.accepted {
		w.apply(c, v)
	}
	for _, item := range v.shown {
		w.seen[item] = w.step + 1
	}
	if w.now.drift != nil {
		w.settle(out.Correct)
	}
	w.result, w.done = out.Result, w.step+1
	w.now, w.wait.event = occasion{}, 0
	return out
}

// patch puts changed shelves in the terms of the state schema; nil for none.
func patch(change []slot) *state.Object {
	if len(change) == 0 {
		return nil
	}
	inventory := make(map[string]any, len(change))
	for _, s := range change {
		if s.item == "" {
			inventory[shelfName(s.shelf)] = nil
		} else {
			inventory[shelfName(s.shelf)] = s.item
		}
	}
	p := state.From(map[string]any{"inventory": inventory})
	return &p
}
