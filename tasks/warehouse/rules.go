package warehouse

// A verdict is what the world says of one command.
type verdict struct {
	accepted bool
	result   string   // the line that opens the next observation
	shown    []string // the items whose places that line states
	change   []slot
}

// A slot is a shelf and what it will hold, "" for nothing.
type slot struct {
	shelf int
	item  string
}

func refused(result string, shown ...string) verdict { return verdict{result: result, shown: shown} }

// rule says what would become of a command in this world now, whatever the
// event. It changes nothing.
func (w *world) rule(c command) verdict {
	switch c.verb {
	case verbStore:
		return w.ruleStore(c)
	case verbShip:
		return w.ruleShip(c)
	case verbMove:
		return w.ruleMove(c)
	}
	return verdict{accepted: true, result: string(saysWaited)}
}

// ruleStore wants an item that is on the dock and an empty shelf.
func (w *world) ruleStore(c command) verdict {
	to := shelfName(c.to)
	if holds := w.floor.held[c.to]; holds != "" {
		return refused(saysHeld.with(c.item, to, holds), holds)
	}
	if !w.dock[c.item] {
		return refused(saysNoDock.with(c.item, to))
	}
	return verdict{true, saysStored.with(c.item, to), []string{c.item}, []slot{{c.to, c.item}}}
}

// ruleShip wants the item's own shelf and an open order for the item.
func (w *world) ruleShip(c command) verdict {
	from := shelfName(c.from)
	if w.floor.at(c.item) != c.from {
		return refused(saysNotThere.with(c.item, from))
	}
	if !w.orders[c.item] {
		return refused(saysNoOrder.with(c.item, from), c.item)
	}
	return verdict{true, saysShipped.with(c.item, from), nil, []slot{{c.from, ""}}}
}

// ruleMove wants the item's own shelf and an empty one, which its own is not.
func (w *world) ruleMove(c command) verdict {
	from, to := shelfName(c.from), shelfName(c.to)
	if w.floor.at(c.item) != c.from {
		return refused(saysNotThere.with(c.item, from))
	}
	if holds := w.floor.held[c.to]; holds != "" {
		return refused(saysBlocked.with(c.item, from, to, holds), c.item, holds)
	}
	return verdict{true, saysMoved.with(c.item, from, to), []string{c.item}, []slot{{c.from, ""}, {c.to, c.item}}}
}

// oracle returns a right action for an event in this world now. There is none
// where an earlier miss left the item nowhere, or no shelf empty. Maintenance is
// momentary: the shelf may be used again at once, only not as its own target.
func (w *world) oracle(e event) (command, bool) {
	at, empty := w.floor.at(e.item), w.floor.lowest()
	switch e.kind {
	case kindReceive:
		if empty != noShelf {
			return storing(e.item, empty), true
		}
	case kindOrder:
		if at != noShelf {
			return shipping(e.item, at), true
		}
	case kindMaintenance:
		if at != noShelf && empty != noShelf {
			return moving(e.item, at, empty), true
		}
	}
	return waiting, false
}

// right reports whether an accepted command is the answer to the present
// event. Under any_empty the target is free, for the world has seen that it is
// empty.
func (w *world) right(c command) bool {
	want := w.now.oracle
	if w.opts.Placement == AnyEmpty {
		want.to = c.to
	}
	return w.now.possible && c == want
}

// apply makes an accepted command so.
func (w *world) apply(c command, v verdict) {
	for _, s := range v.change {
		if s.item == "" {
			w.floor.clear(s.shelf)
		} else {
			w.floor.put(s.item, s.shelf)
		}
	}
	switch c.verb {
	case verbStore:
		delete(w.dock, c.item)
	case verbShip:
		delete(w.orders, c.item)
		delete(w.seen, c.item)
	}
}
