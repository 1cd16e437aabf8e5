package warehouse

import (
	"math/rand/v2"

	"skillbench/harness/model/sim"
)

// Refused ships an item that nobody ordered, or moves one onto a shelf that
// another item is on.
func (language) Refused(e sim.Event, beliefs sim.Beliefs, r *rand.Rand) (sim.Answer, bool) {
	n := believed(beliefs)
	var items []string
	for _, item := range keys(beliefs) {
		if n.at(item) != noShelf && item != e.Args[argItem] {
			items = append(items, item)
		}
	}
	if len(items) == 0 {
		return sim.Answer{}, false
	}
	r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	item := items[0]
	if len(items) == 1 || r.IntN(2) == 0 {
		return n.does(shipping(item, n.at(item)), "The item is sent from its shelf.", "", ""), true
	}
	other := items[1]
	a := n.does(moving(item, n.at(item), n.at(other)), "The item goes to another shelf.", shelfName(n.at(other)), "")
	a.Then[other] = ""
	return a, true
}
