package routing

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
)

// A command is one action of the task, taken apart.
type command struct {
	route record.Route
	args  state.Object // of a call
}

// The verbs, and the deed that each is.
const (
	verbCall    = "Call"
	verbAsk     = "Ask"
	verbOffer   = "Offer"
	verbClarify = "Clarify"
	verbDecline = "Decline"
	verbLoad    = "Load"
	verbOpen    = "Open"
	verbWait    = "Wait"
)

var deeds = map[string]record.Deed{
	verbCall: record.Call, verbAsk: record.Ask, verbOffer: record.Offer, verbClarify: record.Clarify,
	verbDecline: record.Decline, verbLoad: record.LoadOne, verbOpen: record.Open, verbWait: record.Nothing,
}

// maxAction bounds a command, in bytes.
const maxAction = 4_000

var paramName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// Grammar reports why an action is no command. It knows no library: a skill
// that is in no catalogue is for the world to refuse.
func Grammar(action string) error {
	_, err := parse(action)
	return err
}

// parse takes an action apart. Words are parted by single spaces and letter case
// counts; the parameters of a call are one strict JSON object to the end of the
// line. Text is hostile: it is bounded before it is split.
func parse(action string) (command, error) {
	if len(action) > maxAction {
		return command{}, fmt.Errorf("want a command of at most %d bytes, got %d", maxAction, len(action))
	}
	verb, rest, more := strings.Cut(action, " ")
	do, ok := deeds[verb]
	if !ok {
		return command{}, fmt.Errorf("want Call, Ask, Offer, Clarify, Decline, Load, Open or Wait, got %s", excerpt(verb))
	}
	c := command{route: record.Route{Do: do}}
	var err error
	switch verb {
	case verbCall:
		err = c.call(rest)
	case verbAsk:
		c.route.Param, err = rest, named("a parameter such as order_id", rest, paramName.MatchString)
	case verbOffer:
		err = c.offer(rest)
	case verbLoad, verbOpen:
		c.route.Skill, err = rest, named("a name such as order-status", rest, skills.IsName)
	default:
		if more {
			err = errors.New("want nothing after it")
		}
	}
	if err != nil {
		return command{}, fmt.Errorf("%s: %w", verb, err)
	}
	return c, nil
}

func (c *command) call(rest string) error {
	name, params, _ := strings.Cut(rest, " ")
	if err := named("a skill such as order-status", name, skills.IsName); err != nil {
		return err
	}
	if !strings.HasPrefix(params, "{") || strings.ContainsAny(params, "\r\n") {
		return fmt.Errorf(`want one JSON object on the line of the skill, {} for none, got %s`, excerpt(params))
	}
	args, err := state.Parse([]byte(params))
	if err != nil {
		return fmt.Errorf("parameters: %w", err)
	}
	for name := range args.Root() {
		if !paramName.MatchString(name) {
			return fmt.Errorf("parameters: want names such as order_id, got %s", excerpt(name))
		}
	}
	c.route.Skill, c.args = name, args
	return nil
}

func (c *command) offer(rest string) error {
	one, other, _ := strings.Cut(rest, " ")
	if !skills.IsName(one) || !skills.IsName(other) || one == other {
		return fmt.Errorf("want two skills such as order-status and order-cancel, got %s", excerpt(rest))
	}
	c.route.Skill, c.route.Other = one, other
	return nil
}

func named(want, got string, fits func(string) bool) error {
	if !fits(got) {
		return fmt.Errorf("want %s, got %s", want, excerpt(got))
	}
	return nil
}

// written is the command of a route, parameters and all.
func written(r record.Route, args state.Object) string {
	switch r.Do {
	case record.Call:
		return verbCall + " " + r.Skill + " " + args.Compact()
	case record.Ask:
		return verbAsk + " " + r.Param
	case record.Offer:
		return verbOffer + " " + r.Skill + " " + r.Other
	case record.Clarify:
		return verbClarify
	case record.Decline:
		return verbDecline
	case record.LoadOne:
		return verbLoad + " " + r.Skill
	case record.Open:
		return verbOpen + " " + r.Skill
	}
	return verbWait
}

func excerpt(s string) string {
	const limit = 40
	if r := []rune(s); len(r) > limit {
		s = string(r[:limit]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
