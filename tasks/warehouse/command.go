package warehouse

import (
	"fmt"
	"strconv"
	"strings"
)

// The verbs of commands.
const (
	verbStore = "Store"
	verbShip  = "Ship"
	verbMove  = "Move"
	verbWait  = "Wait"
)

// A command is one action, read. Shelves it does not name are noShelf.
type command struct {
	verb     string
	item     string
	from, to int
}

func storing(item string, to int) command      { return command{verbStore, item, noShelf, to} }
func shipping(item string, from int) command   { return command{verbShip, item, from, noShelf} }
func moving(item string, from, to int) command { return command{verbMove, item, from, to} }

var waiting = command{verbWait, "", noShelf, noShelf}

// String is the command as the grammar has it.
func (c command) String() string {
	switch c.verb {
	case verbStore:
		return c.verb + " " + c.item + " " + shelfName(c.to)
	case verbShip:
		return c.verb + " " + c.item + " " + shelfName(c.from)
	case verbMove:
		return c.verb + " " + c.item + " " + shelfName(c.from) + " " + shelfName(c.to)
	}
	return c.verb
}

// forms gives each verb's grammar: the words that follow it.
var forms = map[string]string{
	verbStore: "<item> <shelf>",
	verbShip:  "<item> <shelf>",
	verbMove:  "<item> <from> <to>",
	verbWait:  "",
}

const grammar = "Store <item> <shelf>, Ship <item> <shelf>, Move <item> <from> <to> or Wait"

// Grammar reports why an action is not a command, whatever the world looks
// like. Words are parted by single spaces, letter case counts, and a shelf that
// the warehouse does not have is no shelf.
func Grammar(action string) error {
	_, err := parse(action)
	return err
}

// parse reads an action. Text is hostile: it is bounded before it is split.
func parse(action string) (command, error) {
	if len(action) > 100 {
		return command{}, fmt.Errorf("action of %d bytes is no command, want %s", len(action), grammar)
	}
	words := strings.Split(action, " ")
	form, ok := forms[words[0]]
	if !ok {
		return command{}, fmt.Errorf("%q is no command, want %s", action, grammar)
	}
	if want := 1 + strings.Count(form, "<"); len(words) != want {
		return command{}, fmt.Errorf("%q has the wrong number of words, want %s", action, strings.TrimSpace(words[0]+" "+form))
	}
	return withWords(words)
}

func withWords(words []string) (command, error) {
	if len(words) == 1 {
		return waiting, nil
	}
	if !isItem(words[1]) {
		return command{}, fmt.Errorf("%q is no item, want item_<number>", words[1])
	}
	shelves := [2]int{noShelf, noShelf}
	for i, word := range words[2:] {
		shelf, ok := shelfNumber(word)
		if !ok {
			return command{}, fmt.Errorf("%q is no shelf, want shelf_0 to shelf_%d", word, Shelves-1)
		}
		shelves[i] = shelf
	}
	switch words[0] {
	case verbStore:
		return storing(words[1], shelves[0]), nil
	case verbShip:
		return shipping(words[1], shelves[0]), nil
	}
	return moving(words[1], shelves[0], shelves[1]), nil
}

func itemName(n int) string  { return "item_" + strconv.Itoa(n) }
func shelfName(n int) string { return "shelf_" + strconv.Itoa(n) }

// isItem reports whether a word is item_1 to item_999999999.
func isItem(word string) bool {
	digits, ok := strings.CutPrefix(word, "item_")
	return ok && len(digits) <= 9 && digits != "0" && isNumber(digits)
}

// isCode reports whether a word is code_0 to code_999999999.
func isCode(word string) bool {
	digits, ok := strings.CutPrefix(word, "code_")
	return ok && len(digits) <= 9 && isNumber(digits)
}

// itemNumber is the number of an item, 0 for what is none.
func itemNumber(item string) int {
	if !isItem(item) {
		return 0
	}
	n, _ := strconv.Atoi(item[len("item_"):])
	return n
}

// shelfNumber reads shelf_0 to shelf_499.
func shelfNumber(word string) (int, bool) {
	digits, ok := strings.CutPrefix(word, "shelf_")
	if !ok || len(digits) > 3 || !isNumber(digits) {
		return noShelf, false
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n >= Shelves {
		return noShelf, false
	}
	return n, true
}

// isNumber reports whether digits are a decimal number without leading zeros.
func isNumber(digits string) bool {
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return false
		}
	}
	return digits == "0" || digits != "" && digits[0] != '0'
}
