package routing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills"
)

// A ruling is what the desk makes of a command.
type ruling struct {
	valid  bool
	result string   // one line
	later  string   // the same without what only the next prompt may show; "" where that is all
	look   bool     // it decided nothing
	closes bool     // the turn is over whatever was wanted
	asks   string   // the parameter that the customer is asked for
	faults []string // of the parameters of a call
	harm   bool
}

const errorHeading = "Error: "

func refuse(format string, args ...any) ruling {
	return ruling{result: errorHeading + fmt.Sprintf(format, args...)}
}

func answer(format string, args ...any) ruling {
	return ruling{valid: true, closes: true, result: fmt.Sprintf(format, args...)}
}

// rule says what a command does, and changes nothing.
func (w *world) rule(c command) ruling {
	r := c.route
	switch r.Do {
	case record.Call:
		return w.call(c)
	case record.LoadOne:
		return w.load(r.Skill)
	case record.Open:
		return w.open(r.Skill)
	case record.Ask:
		a := answer("The customer was asked for %s.", r.Param)
		a.asks = r.Param
		return a
	case record.Offer:
		for _, name := range []string{r.Skill, r.Other} {
			if !w.has(w.now(), name) {
				return unknown(name)
			}
		}
		return answer("The customer was offered %s and %s.", r.Skill, r.Other)
	case record.Clarify:
		return answer("The customer was asked what is meant.")
	case record.Decline:
		return answer("The customer was told that no skill does this.")
	}
	return answer("The customer got no answer.")
}

func unknown(name string) ruling { return refuse("there is no skill %s.", name) }

func (w *world) load(name string) ruling {
	one, ok := w.library.Find(name)
	r := ruling{valid: true, look: true, result: w.definition(one)}
	switch {
	case w.options.Arm != LazyCatalogue:
		r = refuse("there is nothing to load.")
	case !ok || !w.has(w.now(), name):
		r = unknown(name)
	}
	r.look = true
	return r
}

func (w *world) open(name string) ruling {
	text, ok := w.group(name, w.offered(w.now()))
	r := ruling{valid: true, result: text}
	switch {
	case w.options.Arm != GroupThenPick:
		r = refuse("there is nothing to open.")
	case !ok:
		r = refuse("there is no group %s.", name)
	}
	r.look = true
	return r
}

// call runs a skill, if nothing keeps it from that.
func (w *world) call(c command) ruling {
	name := c.route.Skill
	if !w.has(w.now(), name) {
		return unknown(name)
	}
	one, _ := w.library.Find(name)
	contract := w.library.Contract(name)
	args, faults := contract.Check([]byte(c.args.Compact()))
	var r ruling
	if why := w.bars(one, contract, args, faults); why != "" {
		r = refuse("%s", why)
	} else {
		r = w.done(one, args)
	}
	r.faults = w.faults(one, c.args, faults)
	r.harm = r.valid && r.closes && !(w.message().Expect.Allows(c.route) && len(r.faults) == 0)
	return r
}

// bars says why a call does not run, "" where it does. Without gates the back
// office fails in its own words where it cannot go on, and does all else.
func (w *world) bars(one skills.Skill, contract *skills.Contract, args map[string]any, faults []string) string {
	known := w.now().State
	_, lacks := contract.Fill(args, known)
	if !w.options.Gates {
		for _, f := range append(slices.Clone(faults), lacks...) {
			if !strings.HasPrefix(f, faultUnknown) {
				return "the back office failed."
			}
		}
		return ""
	}
	if why := w.closed(one); why != "" {
		return why
	}
	for _, n := range one.NotWhen {
		holds, err := n.Holds(known)
		if param, asks := asksFor(n); asks && args[param] != nil {
			continue // it was asked for, and is there
		}
		if err != nil || holds {
			return one.Name + " is not for this case: " + n.State + instead(n) + "."
		}
	}
	if faults = append(slices.Clone(faults), lacks...); len(faults) > 0 {
		return "the parameters of " + one.Name + " have faults: " + strings.Join(faults, ", ") + "."
	}
	return ""
}

// closed says why a skill cannot be used at this time, "" where it can.
func (w *world) closed(one skills.Skill) string {
	at, err := skills.ParseClock(w.now().At)
	switch {
	case !one.On():
		return one.Name + " is switched off."
	case err != nil || !one.Open(at):
		return fmt.Sprintf("%s is open %s, now it is %s.", one.Name, one.Hours, w.now().At)
	}
	return ""
}

// asksFor is the parameter that a negative wants asked for first.
func asksFor(n skills.Negative) (string, bool) { return strings.CutPrefix(n.Then, "ask:") }

// instead is what a negative sends one to.
func instead(n skills.Negative) string {
	switch param, asks := asksFor(n); {
	case asks:
		return "; ask for " + param + " first"
	case n.Use != "":
		return "; see " + n.Use
	}
	return ""
}

// Classes of faults of parameters.
const (
	faultMissing = "missing:"
	faultUnknown = "unknown:"
	faultWrong   = "wrong:"
)

// faults adds to those of the contract what the customer's words say: a value
// that was given and is another one, one that was given and left out, one that
// nobody gave. Of skills that are not right the contract alone is asked.
func (w *world) faults(one skills.Skill, args state.Object, found []string) []string {
	e := w.message().Expect
	if !e.Allows(record.Route{Do: record.Call, Skill: one.Name}) {
		return found
	}
	named := map[string]bool{}
	for _, f := range found {
		_, name, _ := strings.Cut(f, ":")
		named[name] = true
	}
	given := args.Root()
	for _, name := range slices.Sorted(maps.Keys(e.Params)) {
		if _, ok := given[name]; !ok && !named[name] {
			found, named[name] = append(found, faultMissing+name), true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if p := one.Params[name]; !named[name] && !equals(p, given[name], e.Params[name]) {
			found = append(found, faultWrong+name)
		}
	}
	return found
}

// equals compares two values of a parameter.
func equals(p skills.Param, got, want any) bool {
	a, ok := p.Normal(got)
	b, wanted := p.Normal(want)
	return ok && wanted && a == b
}

// right reports whether a command is the decision that the suite wants.
func (w *world) right(c command, r ruling) bool {
	return c.route.Do.Decides() && len(r.faults) == 0 && w.message().Expect.Allows(c.route)
}
