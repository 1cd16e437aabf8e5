package warehouse

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
)

// Answer follows the rules of the skill on what is believed. Where a needed
// fact is unknown, BestGuess takes the likeliest value under the lowest-empty
// rule: an ordered item to be on the lowest shelf that no item is believed to
// be on, for shelves fill from below; and the item of a maintenance shelf to be
// the lowest-numbered one that nothing is believed of, for what is forgotten is
// old. What is known to be nowhere is not guessed at: the answer is Wait.
func (language) Answer(e sim.Event, beliefs sim.Beliefs, guess sim.Guess) sim.Answer {
	f := believed(beliefs)
	switch e.Kind {
	case kindReceive:
		return f.receive(e.Args[argItem])
	case kindOrder:
		if code, ok := e.Args[argCode]; ok {
			return f.orderByCode(code, guess)
		}
		return f.order(e.Args[argItem], guess)
	case kindMaintenance:
		return f.maintain(e.Args[argShelf], guess)
	}
	return waitFor("The observation holds no event.", "")
}

func waitFor(because, lacks string) sim.Answer {
	return sim.Answer{Because: because, Action: waiting.String(), Lacks: lacks}
}

// A notion is the floor as a model believes it to be.
type notion struct {
	floor
	beliefs sim.Beliefs
}

// believed places the items. Of two items on one shelf the later arrival has
// it, for a shelf that was emptied unseen may have been filled again.
func believed(beliefs sim.Beliefs) *notion {
	n := &notion{newFloor(), beliefs}
	for _, item := range keys(beliefs) {
		if shelf, ok := shelfNumber(beliefs[item]); ok {
			n.clear(shelf)
			n.put(item, shelf)
		}
	}
	return n
}

func (n *notion) receive(item string) sim.Answer {
	to := n.lowest()
	if !isItem(item) || to == noShelf {
		return waitFor("No shelf is free.", "")
	}
	return n.does(storing(item, to), "An arrival goes to the lowest empty shelf.", shelfName(to), "")
}

func (n *notion) order(item string, guess sim.Guess) sim.Answer {
	if !isItem(item) {
		return waitFor("The order names no item.", "")
	}
	place, known := n.beliefs[item]
	from, placed := shelfNumber(place)
	switch {
	case placed:
		return n.does(shipping(item, from), "An ordered item is shipped from its shelf.", "", "")
	case known:
		return waitFor("The ordered item has left.", "")
	case guess == sim.BestGuess && n.lowest() != noShelf:
		return n.does(shipping(item, n.lowest()), "Its shelf is not known, so the likeliest is tried.", "", item)
	}
	return waitFor("Its shelf is not known.", item)
}

// orderByCode ships the item that the code stands for and forgets the code. An
// unknown code leaves nothing to guess from.
func (n *notion) orderByCode(code string, guess sim.Guess) sim.Answer {
	item := n.beliefs[code]
	if !isItem(item) {
		return waitFor("What the code stands for is not known.", code)
	}
	a := n.order(item, guess)
	if a.Then != nil {
		a.Then[code] = ""
	}
	return a
}

func (n *notion) maintain(shelf string, guess sim.Guess) sim.Answer {
	from, ok := shelfNumber(shelf)
	if !ok {
		return waitFor("The notice names no shelf.", "")
	}
	to := n.lowestBut(from)
	item, lacks, because := n.held[from], "", "An item is moved off a shelf under maintenance."
	if item == "" {
		lacks, because = shelf, "What is on the shelf is not known, so the likeliest item is tried."
		if guess == sim.BestGuess {
			item = n.forgotten()
		}
	}
	switch {
	case to == noShelf:
		return waitFor("No shelf is free.", lacks)
	case item == "":
		return waitFor("What is on the shelf is not known.", lacks)
	}
	return n.does(moving(item, from, to), because, shelfName(to), lacks)
}

// does answers with a command after which its item is on the given shelf.
func (n *notion) does(c command, because, shelf, lacks string) sim.Answer {
	return sim.Answer{Because: because, Action: c.String(), Then: sim.Beliefs{c.item: shelf}, Lacks: lacks}
}

// forgotten is the lowest-numbered item that nothing is believed of.
func (n *notion) forgotten() string {
	for i := 1; ; i++ {
		if _, known := n.beliefs[itemName(i)]; !known {
			return itemName(i)
		}
	}
}

// Render lists the occupied shelves. Of two items on one shelf the later
// arrival has it.
func (language) Render(beliefs sim.Beliefs) map[string]any {
	inventory := map[string]any{}
	for shelf, item := range believed(beliefs).held {
		if item != "" {
			inventory[shelfName(shelf)] = item
		}
	}
	return map[string]any{"inventory": inventory}
}

// The members of a state that only the schemas of some probes have.
const (
	memberCodes = "codes"
	memberNotes = "notes"
)

// Keep shows what codes stand for, as a field and as notes.
func (language) Keep(beliefs sim.Beliefs) map[string]any {
	held, lines := map[string]any{}, []string{}
	for _, code := range codesOf(beliefs) {
		held[code] = beliefs[code]
		lines = append(lines, saysMeans.with(code, beliefs[code]))
	}
	return map[string]any{memberCodes: held, memberNotes: strings.Join(lines, " ")}
}

// codesOf lists the codes whose items are known, in natural order.
func codesOf(beliefs sim.Beliefs) []string {
	var codes []string
	for key, value := range beliefs {
		if isCode(key) && isItem(value) {
			codes = append(codes, key)
		}
	}
	slices.SortFunc(codes, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
	return codes
}

// Summarize writes one line for each item, in natural order, then one for each
// code. Beliefs about what is neither are left out.
func (language) Summarize(beliefs sim.Beliefs) string {
	var b strings.Builder
	for _, item := range keys(beliefs) {
		place := beliefs[item]
		if _, ok := shelfNumber(place); ok {
			b.WriteString(saysIsOn.with(item, place) + "\n")
		} else if place == "" {
			b.WriteString(saysNowhere.with(item) + "\n")
		}
	}
	for _, code := range codesOf(beliefs) {
		b.WriteString(saysMeans.with(code, beliefs[code]) + "\n")
	}
	return b.String()
}

// keys lists the items in order of arrival.
func keys(beliefs sim.Beliefs) []string {
	items := slices.DeleteFunc(slices.Collect(maps.Keys(beliefs)), func(key string) bool { return !isItem(key) })
	slices.SortFunc(items, func(a, b string) int { return itemNumber(a) - itemNumber(b) })
	return items
}
