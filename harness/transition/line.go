package transition

import (
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

const (
	actionLabel = "action"
	updateLabel = "stateupdate"
)

// lines reads the last action line and, if wanted, the last state update.
func (r reader) lines(update bool) (record.Move, []state.Violation) {
	var move record.Move
	var found []state.Violation
	action, at := r.last(actionLabel)
	switch {
	case at < 0:
		found = r.nothing(ActionGrammar, `no action, want a last line "Action: <command>"`)
	case r.cut && strings.IndexByte(r.text[at:], '\n') < 0:
		found = one(Truncated, "the reply was cut in its action line")
	case action == "":
		found = one(ActionGrammar, `no command after "Action:"`)
	default:
		move.Action = action
	}
	if _, at := r.last(updateLabel); update && at >= 0 {
		patch, flags, wrong := r.update(at)
		move.Patch, move.Flags, found = patch, flags, append(found, wrong...)
	}
	return move, found
}

// last returns the value of the last line with a label, and where the value
// begins in the text, -1 if there is no such line.
func (r reader) last(label string) (string, int) {
	value, at := "", -1
	for from := 0; from < len(r.text); {
		line, _, _ := strings.Cut(r.text[from:], "\n")
		if v, n := labelled(line, label); n >= 0 {
			value, at = v, from+n
		}
		from += len(line) + 1
	}
	return value, at
}

// marks are what models put around labels and commands for emphasis.
const marks = "*`"

// labelled returns the value of a line `label: value` and its offset in the
// line, -1 if the line has no such label. Marks before the value are dropped,
// and such marks as were dropped are dropped after it too.
func labelled(line, label string) (string, int) {
	rest := strings.TrimLeft(line, " \t"+marks)
	if len(rest) < len(label) || !strings.EqualFold(rest[:len(label)], label) {
		return "", -1
	}
	rest = strings.TrimLeft(rest[len(label):], " \t"+marks)
	if !strings.HasPrefix(rest, ":") {
		return "", -1
	}
	rest = strings.TrimLeft(rest[1:], " \t"+marks)
	value := strings.TrimSpace(rest)
	for _, mark := range marks {
		if strings.ContainsRune(line[:len(line)-len(rest)], mark) {
			value = strings.TrimRight(value, string(mark)+" \t")
		}
	}
	return value, len(line) - len(rest)
}

// update reads the object that follows a state update label.
func (r reader) update(at int) (*state.Object, []string, []state.Violation) {
	rest := strings.TrimLeft(r.text[at:], " \t\r\n~"+marks)
	rest = strings.TrimLeft(strings.TrimPrefix(rest, "json"), " \t\r\n")
	if rest == "" && r.cut {
		return nil, nil, r.noUpdate(at, Truncated)
	}
	if rest == "" || rest[0] != '{' {
		return nil, nil, r.noUpdate(at, JSONSyntax)
	}
	b := scan(r.text, len(r.text)-len(rest), endsUpdate)
	o, found := r.object(b)
	if len(found) == 0 {
		return &o, nil, nil
	}
	if o, ok := r.mended(b, found); ok {
		return &o, mendedFlags(), nil
	}
	return nil, nil, found
}

func (r reader) noUpdate(at int, class string) []state.Violation {
	return one(class, position(r.text, at)+`: no JSON object after "StateUpdate:"; leave the line out if nothing changes`)
}

func endsUpdate(text string) bool {
	if atFence(text) {
		return true
	}
	line, _, _ := strings.Cut(text[:min(len(text), 200)], "\n")
	_, action := labelled(line, actionLabel)
	_, update := labelled(line, updateLabel)
	return action >= 0 || update >= 0
}
