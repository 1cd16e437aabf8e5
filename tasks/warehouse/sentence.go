package warehouse

import "strings"

// A sentence is one line that an observation or a summary may hold, written
// and read by the same pattern: %i stands for an item, %s for a shelf, %c for a
// code.
type sentence string

const (
	// Events.
	saysReceived    sentence = "Received %i."
	saysOrdered     sentence = "Customer ordered %i."
	saysMaintenance sentence = "Maintenance due on %s."
	saysOrderedCode sentence = "Customer ordered %c."

	// Notices of probes.
	saysWillMean sentence = "NOTICE: an order for %c means %i."
	saysVoid     sentence = "NOTICE: the placement of %i is void, it is on %s."

	// Results.
	saysStored   sentence = "Success: stored %i on %s."
	saysShipped  sentence = "Success: shipped %i from %s."
	saysMoved    sentence = "Success: moved %i from %s to %s."
	saysWaited   sentence = "Success: waited."
	saysNone     sentence = "Error: no valid action"
	saysUnread   sentence = "Error: not a command"
	saysHeld     sentence = "Error: cannot store %i on %s: it holds %i."
	saysNoDock   sentence = "Error: cannot store %i on %s: the item is not on the dock."
	saysNotThere sentence = "Error: %i is not on %s."
	saysNoOrder  sentence = "Error: cannot ship %i from %s: nobody ordered it."
	saysBlocked  sentence = "Error: cannot move %i from %s to %s, which holds %i."

	// Alerts.
	saysNowOn    sentence = "ALERT: %i is now on %s."
	saysLost     sentence = "ALERT: %s was found empty, %i is gone."
	saysRelabel  sentence = "ALERT: %i on %s now has the barcode %i."
	saysCanceled sentence = "ALERT: the order for %i was canceled after shipping, it is gone and wanted again."

	// Summaries and the opening stock line.
	saysIsOn     sentence = "%i is on %s."
	saysNowhere  sentence = "%i is nowhere."
	saysMeans    sentence = "An order for %c means %i."
	stockHeading          = "Stock: "
	stockPair    sentence = "%i on %s"

	errorHeading = "Error: "
)

// with writes the sentence; names fill its places in order.
func (s sentence) with(names ...string) string {
	var b strings.Builder
	rest := string(s)
	for _, name := range names {
		i := strings.IndexByte(rest, '%')
		b.WriteString(rest[:i])
		b.WriteString(name)
		rest = rest[i+len("%i"):]
	}
	b.WriteString(rest)
	return b.String()
}

// A hearing is the names in a line, in order.
type hearing [4]string

// heard reads a line that is the sentence and nothing else.
func (s sentence) heard(line string) (names hearing, ok bool) {
	rest, n := string(s), 0
	for {
		i := strings.IndexByte(rest, '%')
		if i < 0 {
			return names, line == rest
		}
		after, found := strings.CutPrefix(line, rest[:i])
		if !found {
			return names, false
		}
		names[n] = after[:wordLen(after)]
		if !fits(rest[i+1], names[n]) {
			return names, false
		}
		line, rest, n = after[len(names[n]):], rest[i+len("%i"):], n+1
	}
}

func fits(place byte, name string) bool {
	switch place {
	case 'i':
		return isItem(name)
	case 'c':
		return isCode(name)
	}
	_, ok := shelfNumber(name)
	return ok
}

// wordLen is the length of the name that text begins with.
func wordLen(text string) int {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return i
		}
	}
	return len(text)
}
