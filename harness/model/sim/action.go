package sim

import (
	"encoding/json"
	"strings"
)

// Where a reply holds its action.
const (
	actionLine = "Action:"
	actionKey  = `"action"`
)

// LastAction finds the last action of a past reply, for languages: a line
// `Action: <command>`, or else the JSON member "action". At is the byte at which
// the line or the member begins, -1 where there is none.
func LastAction(reply string) (action string, at int) {
	if action, at = lastLine(reply); at < 0 {
		action, at = lastMember(reply)
	}
	return action, at
}

func lastLine(text string) (action string, at int) {
	at = -1
	offset := 0
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), actionLine); ok {
			action, at = strings.Trim(rest, " `*"), offset
		}
		offset += len(line)
	}
	return action, at
}

func lastMember(text string) (action string, at int) {
	at = strings.LastIndex(text, actionKey)
	if at < 0 {
		return "", -1
	}
	rest := strings.TrimLeft(text[at+len(actionKey):], " \n\t")
	rest, _ = strings.CutPrefix(rest, ":")
	if err := json.NewDecoder(strings.NewReader(rest)).Decode(&action); err != nil {
		return "", -1
	}
	return action, at
}

// EachLine calls f with each line of a text and the byte at which it begins, up
// to a line that is the label end. Space at the end of a line is dropped.
func EachLine(text, end string, f func(line string, at int)) {
	end = strings.TrimSuffix(end, "\n")
	at := 0
	for line := range strings.Lines(text) {
		said := strings.TrimRight(line, "\r\n ")
		if said == end {
			return
		}
		f(said, at)
		at += len(line)
	}
}
