package warehouse

import (
	"strings"

	"skillbench/harness/model/sim"
)

// state reads every `"shelf_3": "item_5"` and `"code_7": "item_5"` of a JSON
// text, whole or not, and the notes: a state that was cut or lies under other
// keys is read as far as it goes.
func (l *listener) state(text string) {
	for at := 0; ; {
		i := strings.IndexByte(text[at:], '"')
		if i < 0 {
			return
		}
		at += i
		name, after := quoted(text[at:])
		if name == memberNotes {
			l.notes(after, at+len(text[at:])-len(after))
		} else if value, ok := pairedWith(after); ok {
			if _, shelf := shelfNumber(name); shelf {
				l.mention(sim.Says, value, name, at)
			} else if isCode(name) {
				l.mention(sim.Says, name, value, at)
			}
		}
		at++
	}
}

// notes reads the sentences of a JSON string that follows a key.
func (l *listener) notes(after string, at int) {
	rest := strings.TrimLeft(after, ": \n\t")
	at += len(after) - len(rest)
	rest, ok := strings.CutPrefix(rest, `"`)
	if !ok {
		return
	}
	at++
	text, _, _ := strings.Cut(rest, `"`)
	for said := range strings.SplitAfterSeq(text, ".") {
		if names, ok := saysMeans.heard(strings.TrimSpace(said)); ok {
			l.mention(sim.Says, names[0], names[1], at)
		}
		at += len(said)
	}
}

// quoted takes the name between the quotes that text begins with, and what
// comes after them.
func quoted(text string) (name, after string) {
	n := wordLen(text[1:])
	name, after = text[1:1+n], text[1+n:]
	after, ok := strings.CutPrefix(after, `"`)
	if !ok {
		return "", ""
	}
	return name, after
}

// pairedWith takes the item that follows a key, if one does.
func pairedWith(after string) (string, bool) {
	after, ok := strings.CutPrefix(strings.TrimLeft(after[:min(len(after), 80)], " \n\t"), ":")
	after = strings.TrimLeft(after, " \n\t")
	if !ok || !strings.HasPrefix(after, `"`) {
		return "", false
	}
	item, _ := quoted(after)
	return item, isItem(item)
}

// reply reads the last action of a reply: a line `Action: <command>`, or else
// the JSON member "action".
func (l *listener) reply(text string) {
	action, at := sim.LastAction(text)
	c, err := parse(action)
	if at < 0 || err != nil {
		return
	}
	switch c.verb {
	case verbStore, verbMove:
		l.mention(sim.Tries, c.item, shelfName(c.to), at)
	case verbShip:
		l.mention(sim.Tries, c.item, "", at)
	}
}
