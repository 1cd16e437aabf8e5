package warehouse

import (
	"strings"

	"skillbench/harness/record"
)

// describe fills in what the step shows and what the harness knows about it.
func (w *world) describe(o *record.Observation) {
	o.Text = w.text()
	o.Kind, o.Item = w.now.kind, w.now.item
	o.Oracle = w.now.oracle.String()
	o.Impossible = !w.now.possible
	o.Age = w.age()
	o.Load = w.floor.load()
	o.Free = w.now.free
	if w.now.drift != nil {
		o.Drift = w.now.drift.name
	}
	if p := w.now.probe; p != nil {
		o.Probe, o.Delay = p.kind, p.delay
	}
}

// age is the number of steps since the place of the item asked for was last
// shown: in a result line, the opening stock, or an alert; for an order by a
// code, since the code was last explained. It is nil for arrivals, and for items
// that are on no shelf.
func (w *world) age() *int {
	if w.now.code != "" {
		n := w.step - w.now.probe.lastTold(w.step)
		return &n
	}
	if w.now.kind == kindReceive || w.floor.at(w.now.item) == noShelf {
		return nil
	}
	n := w.step - w.seen[w.now.item]
	return &n
}

// text is O_t: the result of the previous action or the opening stock, an
// alert, the event, the noise; one line each.
func (w *world) text() string {
	var b strings.Builder
	line := func(text string) {
		if text != "" {
			b.WriteString(text)
			b.WriteByte('\n')
		}
	}
	if w.step == 0 {
		line(w.opening())
	}
	line(w.result)
	line(w.now.alert)
	line(w.now.text())
	b.WriteString(noise(w.spec.Seed, w.step, w.spec.Noise))
	return b.String()
}

// opening lists what was stored before the first step, in shelf order.
func (w *world) opening() string {
	pairs := make([]string, 0, w.floor.load())
	for shelf, item := range w.floor.held {
		if item != "" {
			pairs = append(pairs, stockPair.with(item, shelfName(shelf)))
		}
	}
	if len(pairs) == 0 {
		return ""
	}
	return stockHeading + strings.Join(pairs, ", ") + "."
}

// text is the event's line.
func (o occasion) text() string {
	if o.code != "" {
		return saysOrderedCode.with(o.code)
	}
	return o.event.String()
}

// String is the event's line.
func (e event) String() string {
	switch e.kind {
	case kindReceive:
		return saysReceived.with(e.item)
	case kindOrder:
		return saysOrdered.with(e.item)
	}
	return saysMaintenance.with(shelfName(e.shelf))
}
