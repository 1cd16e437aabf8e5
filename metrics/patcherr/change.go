package patcherr

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/state"
)

// facts are the leaves of an object: compact JSON by pointer.
type facts map[string]string

// factsOf takes the leaves of o under the top-level names of world: other
// members, such as notes, are no facts of the task.
func factsOf(o, world state.Object) facts {
	known := map[string]any{}
	for name, v := range o.Root() {
		if _, ok := world.Root()[name]; ok {
			known[name] = v
		}
	}
	return maps.Collect(state.From(known).Leaves())
}

func (f facts) agrees(other facts, at string) bool {
	a, hasA := f[at]
	b, hasB := other[at]
	return hasA == hasB && a == b
}

// A surrounding is the world around one change of Σ. Told is the world as far
// as it was announced or caused: the same as Holds but for silent changes.
type surrounding struct {
	holdsBefore, holdsAfter state.Object
	toldBefore, toldAfter   state.Object
	refused                 string // the action, where the world refused it
}

// A change is Σ_t → Σ_{t+1} in its world, as facts.
type change struct {
	before, after           facts
	holdsBefore, holdsAfter facts
	toldBefore, toldAfter   facts
	about                   func(at string) bool // whether a path is what a refused action is about
	moves                   map[string][]string  // where members of the told world went, by where they were
}

func newChange(before, after state.Object, s surrounding) change {
	world := state.Shallow.Apply(s.holdsBefore, s.holdsAfter)
	c := change{
		before: factsOf(before, world), after: factsOf(after, world),
		holdsBefore: factsOf(s.holdsBefore, world), holdsAfter: factsOf(s.holdsAfter, world),
		toldBefore: factsOf(s.toldBefore, world), toldAfter: factsOf(s.toldAfter, world),
	}
	c.moves = map[string][]string{}
	moves("", s.toldBefore.Root(), s.toldAfter.Root(), c.moves)
	c.about = about(s.refused, c.before, c.after)
	return c
}

// findings lists what the change did wrong, by path. An error is found where it
// begins: a fact that was wrong before and was left alone is not found again.
func (c change) findings() []Finding {
	var found []Finding
	for _, at := range c.paths() {
		if class := c.class(at); class != "" {
			found = append(found, Finding{Class: class, Path: at, Before: c.before[at], After: c.after[at], Truth: c.holdsAfter[at]})
		}
	}
	return found
}

// wrong counts the facts that are wrong after the change.
func (c change) wrong() int {
	n := 0
	for _, at := range c.paths() {
		if !c.rightAfter(at) {
			n++
		}
	}
	return n
}

// wasRight reports whether nothing was wrong before the change.
func (c change) wasRight() bool {
	return !slices.ContainsFunc(c.paths(), func(at string) bool { return !c.rightBefore(at) })
}

// rightly reports whether Σ changed, and only to what holds.
func (c change) rightly() bool {
	changed := false
	for _, at := range c.paths() {
		if !c.before.agrees(c.after, at) {
			if changed = true; !c.rightAfter(at) {
				return false
			}
		}
	}
	return changed
}

func (c change) paths() []string {
	all := map[string]bool{}
	for _, f := range []facts{c.before, c.after, c.holdsBefore, c.holdsAfter, c.toldBefore, c.toldAfter} {
		for at := range f {
			all[at] = true
		}
	}
	return slices.SortedFunc(maps.Keys(all), state.Compare)
}

// A fact is right if it is as the world is, or as the world was last told to be.
func (c change) rightBefore(at string) bool {
	return c.before.agrees(c.toldBefore, at) || c.before.agrees(c.holdsBefore, at)
}

func (c change) rightAfter(at string) bool {
	return c.after.agrees(c.toldAfter, at) || c.after.agrees(c.holdsAfter, at)
}

// class says what is wrong at one path, "" for nothing that began here.
func (c change) class(at string) string {
	old, had := c.before[at]
	_, has := c.after[at]
	truth, so := c.holdsAfter[at]
	left := c.before.agrees(c.after, at)
	told := !c.toldBefore.agrees(c.toldAfter, at)
	holds := had && so && old == truth
	switch {
	case c.rightAfter(at), left && !c.rightBefore(at):
		return ""
	case left && c.copied(at):
		return Duplicate
	case left:
		return MissedUpdate
	case c.about(at):
		return Unearned
	case holds && !has:
		return PrematureDelete
	case holds:
		return Overwrite
	case told && so:
		return MissedUpdate
	case !has: // a fact that was wrong is gone; what is missing was missing before
		return ""
	}
	return Fabricated
}

// copied reports whether the fact at a path has moved and Σ has it in its new
// place as well.
func (c change) copied(at string) bool {
	for end := len(at); end > 0; end = strings.LastIndexByte(at[:end], '/') {
		for _, to := range c.moves[at[:end]] {
			if now, ok := c.after[to+at[end:]]; ok && now == c.after[at] {
				return true
			}
		}
	}
	return false
}

// maxPlaces bounds how many new places one member is followed to.
const maxPlaces = 16

// moves finds the members that left one name and came to another of the same
// object, as pointers. Only texts and objects that are not empty have an
// identity that can move; true and 3 do not.
func moves(at string, before, after map[string]any, found map[string][]string) {
	come := map[string][]string{} // new names, by what they hold
	for name, v := range after {
		if _, ok := before[name]; !ok && identifies(v) {
			come[compact(v)] = append(come[compact(v)], at+"/"+token(name))
		}
	}
	for name, v := range before {
		next, ok := after[name]
		a, isObject := v.(map[string]any)
		b, stays := next.(map[string]any)
		if ok && isObject && stays {
			moves(at+"/"+token(name), a, b, found)
		} else if !ok && identifies(v) {
			places := come[compact(v)]
			found[at+"/"+token(name)] = places[:min(len(places), maxPlaces)]
		}
	}
}

func compact(v any) string { return state.From(map[string]any{"": v}).Compact() }

func identifies(v any) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case map[string]any:
		return len(v) > 0
	}
	return false
}

var tokenEscaper = strings.NewReplacer("~", "~0", "/", "~1")

func token(name string) string { return tokenEscaper.Replace(name) }

// about says which paths a refused action is about: those with one of its words
// as a name or as their text in Σ before or after, and those that hang together
// with these by one link. Σ that says pr_3 comes from feature_2 links all of
// pr_3 and all of feature_2 to `Merge pr_3`. The first word is the verb.
func about(action string, before, after facts) func(string) bool {
	words := map[string]bool{}
	for i, word := range strings.Fields(action) {
		if i > 0 {
			words[word] = true
		}
	}
	if len(words) == 0 {
		return func(string) bool { return false }
	}
	linked := maps.Clone(words)
	for _, f := range []facts{before, after} {
		for at, text := range f {
			names := strings.Split(at, "/")
			value := unquoted(text)
			if value != "" && slices.ContainsFunc(names, func(n string) bool { return words[n] }) {
				linked[value] = true
			}
			if words[value] && len(names) > 2 {
				linked[names[len(names)-2]] = true
			}
		}
	}
	return func(at string) bool {
		names := strings.Split(at, "/")
		for _, name := range names[min(2, len(names)):] {
			if linked[name] {
				return true
			}
		}
		return words[unquoted(before[at])] || words[unquoted(after[at])]
	}
}

// unquoted is the text of a JSON string, "" for anything else.
func unquoted(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) != nil {
		return ""
	}
	return text
}
