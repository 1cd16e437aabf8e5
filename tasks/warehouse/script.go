package warehouse

import (
	"fmt"
	"math/rand/v2"
)

// The kinds of events, as observations and the reader name them.
const (
	kindReceive     = "receive"
	kindOrder       = "order"
	kindMaintenance = "maintenance"
)

// An event is what happens at one step.
type event struct {
	kind  string
	item  string
	shelf int // Maintenance: the item's shelf in the script's world
}

// A script is the base events of an episode (paper §4.1), drawn against ground
// truth: a world in which every event is answered by the oracle. It depends on
// (seed, T, options) and on nothing else, so noise, drift and the agent cannot
// change it, and placement does not either: items are drawn, not shelves.
type script struct {
	events []event
	items  int // item_1 to item_<items> are all that it names
	peak   int // most items stored at once
}

// A draft is a script being drawn. Everything random comes from one
// math/rand/v2 PCG seeded with (seed, T), in this order for each step: one
// number for the kind, by weight among the possible ones in the order receive,
// order, maintenance; then, for the latter two, one for the item.
type draft struct {
	script
	source *rand.Rand
	opts   *Options
	floor  floor
	ripe   []string   // items that may be asked for
	unripe []ripening // the others, soonest first
}

// A ripening item may be asked for from a step on.
type ripening struct {
	item string
	from int
}

// write draws T base events. It fails where the options leave a step without
// any possible event.
func write(seed uint64, horizon int, opts *Options) (script, error) {
	d := draft{source: rand.New(rand.NewPCG(seed, uint64(horizon))), opts: opts, floor: newFloor()}
	d.events = make([]event, 0, horizon)
	for range opts.WarmStart {
		d.store(d.arrival(), 0)
	}
	d.peak = opts.WarmStart
	for step := range horizon {
		if err := d.draw(step); err != nil {
			return script{}, err
		}
		d.peak = max(d.peak, d.floor.load())
	}
	return d.script, nil
}

func (d *draft) draw(step int) error {
	for len(d.unripe) > 0 && d.unripe[0].from <= step {
		d.ripe = append(d.ripe, d.unripe[0].item)
		d.unripe = d.unripe[1:]
	}
	switch d.kind() {
	case kindReceive:
		item := d.arrival()
		d.events = append(d.events, event{kindReceive, item, noShelf})
		d.store(item, step+1)
	case kindOrder:
		item := d.pick()
		d.events = append(d.events, event{kindOrder, item, noShelf})
		d.floor.clear(d.floor.at(item))
	case kindMaintenance:
		item := d.pick()
		from := d.floor.at(item)
		d.events = append(d.events, event{kindMaintenance, item, from})
		to := d.floor.lowest()
		d.floor.clear(from)
		d.put(item, to, step+1)
	default:
		return fmt.Errorf("min_age: step %d has no possible event: the warehouse is full and no item is %d steps old", step, d.opts.MinAge)
	}
	return nil
}

// kind draws among the possible kinds: Receive and Maintenance need an empty
// shelf, Order and Maintenance an item old enough. It is "" where there is none.
func (d *draft) kind() string {
	w := d.opts.Weights
	if d.floor.load() == Shelves {
		w.Receive, w.Maintenance = 0, 0
	}
	if len(d.ripe) == 0 {
		w.Order, w.Maintenance = 0, 0
	}
	total := w.Receive + w.Order + w.Maintenance
	if total == 0 {
		return ""
	}
	switch n := d.source.IntN(total); {
	case n < w.Receive:
		return kindReceive
	case n < w.Receive+w.Order:
		return kindOrder
	}
	return kindMaintenance
}

// pick draws an item that may be asked for and takes it off that list.
func (d *draft) pick() string {
	i, last := d.source.IntN(len(d.ripe)), len(d.ripe)-1
	item := d.ripe[i]
	d.ripe[i] = d.ripe[last]
	d.ripe = d.ripe[:last]
	return item
}

func (d *draft) arrival() string {
	d.items++
	return itemName(d.items)
}

func (d *draft) store(item string, observed int) { d.put(item, d.floor.lowest(), observed) }

// put places an item; the agent reads of it at step observed, at the earliest.
func (d *draft) put(item string, shelf, observed int) {
	d.floor.put(item, shelf)
	d.unripe = append(d.unripe, ripening{item, observed + d.opts.MinAge})
}
