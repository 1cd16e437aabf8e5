package repo

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/harness/model/sim"
)

// state reads the members of a state's JSON text, whole or not: one that was
// cut is read as far as it goes. Where a pull request has no member approved,
// it is not approved.
func (l *listener) state(text string) {
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return
	}
	d := jsontext.NewDecoder(strings.NewReader(text[start:]))
	approved := false
	for {
		at := start + int(d.InputOffset())
		token, err := d.ReadToken()
		if err != nil {
			return
		}
		path := strings.Split(string(d.StackPointer()), "/")
		switch kind := token.Kind(); {
		case d.StackDepth() == 0:
			return
		case kind == '{':
			approved = false
		case kind == '}' && len(path) == 3 && path[1] == "prs" && prWord.fits(path[2]) && !approved:
			l.say(at, fact{path[2] + fieldApproved, no})
		case len(path) == 4:
			if _, isName := d.StackIndex(d.StackDepth()); isName%2 == 0 { // a value, not a name
				approved = l.member(path, token, at) || approved
			}
		}
	}
}

// member takes up one scalar of the state, if it is one that the schema
// allows, and reports whether it says that a pull request is approved.
func (l *listener) member(path []string, token jsontext.Token, at int) bool {
	owner, name, value := path[2], path[3], token.String()
	switch {
	case path[1] == "branches" && branchWord.fits(owner) && fileWord.fits(name) && token.Kind() == 't':
		l.say(at, fileFact(owner, name, changed))
	case path[1] != "prs" || !prWord.fits(owner):
	case name == "approved" && token.Kind() == 't':
		l.say(at, fact{owner + fieldApproved, yes})
		return true
	case name == "branch" && token.Kind() == '"' && branchWord.fits(value), name == "ci" && token.Kind() == '"' && isCI(value):
		l.say(at, fact{owner + "." + name, value})
	}
	return false
}

// reply reads the last action of a reply: a line `Action: <command>`, or else
// the JSON member "action". Result is the heading of the result line after it:
// what an action did that succeeded, or that no line tells of, was tried; only
// the latter becomes part of the view, for the former is said again.
func (l *listener) reply(text, result string) {
	action, at := sim.LastAction(text)
	c, err := parse(action)
	if at < 0 || err != nil || result == errorHeading {
		return
	}
	var opened string
	if c.verb == verbCreatePR {
		opened = l.promised[c.args[0]]
	}
	for _, f := range l.view.after(c, opened) {
		l.mention(sim.Tries, f, at)
		if result == "" {
			l.view.take(f)
		}
	}
}
