package warehouse

import "skillbench/harness/state"

// A drift is one silent change of the world and what follows from it: an alert
// some base steps later, then an open event that depends on the changed fact
// and is announced, with the alert, until it is done rightly or patience ends.
type drift struct {
	name    string // scenario#n
	kind    string
	at, due int    // indices of the base events at which it happens and is alerted to
	item    string // what it befalls
	label   string // secret_barcode: its new name
	aim     int    // secret_move: where the search for its new shelf begins

	phase     phase
	old       int    // the shelf that the obsolete fact names; noShelf where it names none
	arrival   string // secret_audit: the item that waits on the dock
	announced int
}

// A phase of a drift. Only a recovered one can be relapsed into.
type phase int

const (
	pending phase = iota
	struck
	opened
	recovered
	givenUp
)

// wanted is the item that the open event is about.
func (d *drift) wanted() string {
	switch d.kind {
	case secretAudit:
		return d.arrival
	case secretBarcode:
		return d.label
	}
	return d.item
}

// strike does the silent change that is due with a base event and returns it as
// a patch; nil where nothing of the inventory changed.
func (w *world) strike(base int) *state.Object {
	for _, d := range w.drifts {
		if d.at != base || d.phase != pending {
			continue
		}
		d.phase = struck
		d.old = w.floor.at(d.item)
		return patch(w.upset(d))
	}
	return nil
}

// upset changes the world and returns what changed. A canceled order is
// unrecoverable by design: an agent that has not shipped the item loses it.
func (w *world) upset(d *drift) []slot {
	if d.kind == canceledOrder {
		delete(w.dock, d.item)
		delete(w.orders, d.item)
	}
	if d.old == noShelf {
		return nil
	}
	change := []slot{{d.old, ""}}
	if d.kind == secretMove {
		to := w.floor.nextEmpty(d.aim)
		if to == noShelf {
			return nil
		}
		change = append(change, slot{to, d.item})
	}
	w.floor.clear(d.old)
	if d.kind == secretBarcode {
		change[0].item = d.label
	}
	for _, s := range change {
		if s.item != "" {
			w.floor.put(s.item, s.shelf)
		}
	}
	return change
}

// alerting returns the drift whose alert is due with a base event, and opens
// its event for the steps that follow.
func (w *world) alerting(base int) *drift {
	for _, d := range w.drifts {
		if d.due == base && d.phase == struck {
			d.phase = opened
			return d
		}
	}
	return nil
}

// open returns the drift whose event is open.
func (w *world) open() *drift {
	for _, d := range w.drifts {
		if d.phase == opened {
			return d
		}
	}
	return nil
}

// announce makes the open event the present one. An audit is answered by an
// arrival; one that was put elsewhere is followed by another.
func (w *world) announce(d *drift) {
	d.announced++
	w.now.free, w.now.drift = true, d
	if d.kind != secretAudit {
		w.now.event = event{kindOrder, d.wanted(), noShelf}
		return
	}
	if !w.dock[d.arrival] {
		d.arrival = w.newItem()
	}
	w.now.event = event{kindReceive, d.arrival, noShelf}
}

// alert states the new fact as it is now, and so shows it.
func (w *world) alert(d *drift) string {
	item := d.wanted()
	at := w.floor.at(item)
	if at != noShelf && d.kind != secretAudit {
		w.seen[item] = w.step
	}
	switch d.kind {
	case secretMove:
		return saysNowOn.with(item, shelfName(at))
	case secretBarcode:
		return saysRelabel.with(d.item, shelfName(at), item)
	case secretAudit:
		return saysLost.with(shelfName(d.old), d.item)
	}
	return saysCanceled.with(item)
}

// settle ends the present step for the drift whose event is open.
func (w *world) settle(correct bool) {
	d := w.now.drift
	if !w.now.free {
		return
	}
	switch {
	case correct:
		d.phase = recovered
	case d.announced >= w.spec.Patience:
		d.phase = givenUp
		delete(w.orders, d.wanted())
	}
}

// touched returns the latest recovered drift whose shelf the present event's
// answer names: a step at which an agent may relapse.
func (w *world) touched() *drift {
	var last *drift
	for _, d := range w.drifts {
		if d.phase == recovered && d.touches(w.now.oracle) {
			last = d
		}
	}
	return last
}

func (d *drift) touches(c command) bool {
	return d.old != noShelf && (c.from == d.old || c.to == d.old)
}

// used says which fact a command rests on, at a step that has to do with a
// drift: current where it is right because of the new one, obsolete where it
// takes the item to be where, what or as present as it was, or avoids as its
// target the shelf that the drift emptied.
func (w *world) used(c command, correct bool) string {
	d := w.now.drift
	if d == nil {
		return ""
	}
	switch {
	case correct && (w.now.free || d.touches(w.now.oracle)):
		return "current"
	case correct || c.item == "":
		return ""
	case d.kind == secretMove && c.item == d.item && c.from == d.old,
		d.kind != secretMove && c.item == d.item,
		w.avoids(c, d.old):
		return "obsolete"
	}
	return ""
}

// avoids reports whether a command goes to the shelf that would be the lowest
// empty one if the given shelf, which is, were not.
func (w *world) avoids(c command, shelf int) bool {
	return shelf != noShelf && w.opts.Placement == LowestEmpty &&
		w.floor.lowest() == shelf && c.to == w.floor.lowestBut(shelf) && w.now.oracle.to == shelf
}
