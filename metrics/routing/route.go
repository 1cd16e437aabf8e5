package routing

import (
	"skillbench/harness/record"
)

// Labels of decisions that call no skill. No skill can have such a name.
const (
	none    = "(none)"    // any of the next four
	ask     = "(ask)"     //
	offer   = "(offer)"   //
	clarify = "(clarify)" //
	decline = "(decline)" //
	nothing = "(nothing)" // no decision was made
)

var deedLabels = map[record.Deed]string{record.Ask: ask, record.Offer: offer, record.Clarify: clarify, record.Decline: decline}

// label is the skill that a route calls, or what it does instead.
func label(r record.Route) string {
	if r.Do == record.Call {
		return r.Skill
	}
	if l, ok := deedLabels[r.Do]; ok {
		return l
	}
	return nothing
}

// coarse takes all that calls no skill as one.
func coarse(label string) string {
	switch label {
	case ask, offer, clarify, decline:
		return none
	}
	return label
}

// fits reports whether a decision is the one wanted. Parameters of a call play
// no part; a question fits where it asks for what is to be asked for, an offer
// in either order.
func fits(want, got record.Route) bool {
	if want.Do != got.Do {
		return false
	}
	switch want.Do {
	case record.Call:
		return want.Skill == got.Skill
	case record.Ask:
		return want.Param == "" || want.Param == got.Param
	case record.Offer:
		return want.Skill == got.Skill && want.Other == got.Other || want.Skill == got.Other && want.Other == got.Skill
	}
	return want.Do == record.Clarify || want.Do == record.Decline
}

// accepted returns the first route that a decision fits, the wanted one first.
func accepted(r *record.Routing) (record.Route, bool) {
	if fits(r.Want, r.Got) {
		return r.Want, true
	}
	for _, a := range r.Accept {
		if fits(a, r.Got) {
			return a, true
		}
	}
	return r.Want, false
}

// names lists the skills that a route calls or offers. Declining names none that
// is right.
func names(r record.Route) []string {
	switch r.Do {
	case record.Call:
		return []string{r.Skill}
	case record.Offer:
		return []string{r.Skill, r.Other}
	}
	return nil
}

// rightSkills are those that the wanted route or an accepted one calls, offers or
// asks a parameter of.
func rightSkills(r *record.Routing) []string {
	list := names(r.Want)
	if r.About != "" {
		list = append(list, r.About)
	}
	for _, a := range r.Accept {
		list = append(list, names(a)...)
	}
	return list
}

// asksBack reports whether a route answers with a question.
func asksBack(r record.Route) bool {
	return r.Do == record.Ask || r.Do == record.Offer || r.Do == record.Clarify
}

// mayAskBack reports whether a question of any kind is wanted or accepted.
func mayAskBack(r *record.Routing) bool {
	if asksBack(r.Want) {
		return true
	}
	for _, a := range r.Accept {
		if asksBack(a) {
			return true
		}
	}
	return false
}
