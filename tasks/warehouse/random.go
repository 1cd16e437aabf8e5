package warehouse

import (
	"maps"
	"math/rand/v2"
	"slices"

	"skillbench/harness/state"
)

// Random returns a random command, each verb as likely as the others: Ship and
// Move name an item that truth stores and its own shelf, Store any item up to
// some past the highest stored, for truth does not tell what is on the dock.
// Where nothing is stored it is Store or Wait.
func Random(r *rand.Rand, truth state.Object) string {
	inventory, _ := truth.Get("inventory")
	stored, _ := inventory.(map[string]any)
	shelves := slices.SortedFunc(maps.Keys(stored), state.Compare)
	highest := 0
	for _, shelf := range shelves {
		item, _ := stored[shelf].(string)
		highest = max(highest, itemNumber(item))
	}
	verbs := []string{verbStore, verbWait, verbShip, verbMove}
	if len(shelves) == 0 {
		verbs = verbs[:2]
	}
	verb := verbs[r.IntN(len(verbs))]
	switch verb {
	case verbStore:
		return storing(itemName(1+r.IntN(highest+3)), r.IntN(Shelves)).String()
	case verbWait:
		return verb
	}
	shelf := shelves[r.IntN(len(shelves))]
	item, _ := stored[shelf].(string)
	if verb == verbShip {
		return verb + " " + item + " " + shelf
	}
	return verb + " " + item + " " + shelf + " " + shelfName(r.IntN(Shelves))
}
