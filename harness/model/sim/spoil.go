package sim

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

// wrong writes a reply that is accepted and leaves a wrong state behind.
func (f faulty) wrong(class string) (record.Reply, bool) {
	if f.shown == nil {
		return record.Reply{}, false
	}
	if class == "unearned" {
		return f.unearned()
	}
	var choices []state.Object
	switch class {
	case "premature_delete":
		choices = f.deletions()
	case "overwrite":
		choices = f.overwritten()
	case "duplicate":
		choices = f.duplicates(nil, f.shown.Root(), f.after.Root())
	case "missed_update":
		choices = f.missed()
	case "fabricated":
		choices = f.inventions()
	}
	for _, i := range f.draw.Perm(len(choices)) {
		if f.allows(choices[i]) {
			f.after = choices[i]
			return f.reply(f.patch()), true
		}
	}
	return record.Reply{}, false
}

// allows reports whether the schema lets a state pass.
func (f faulty) allows(o state.Object) bool { return f.schema == nil || len(f.schema.Check(o)) == 0 }

// spare reports whether the shown state has what rates ask for: facts that can
// be deleted or overwritten. Prompts without a state need none.
func (f faulty) spare(rates map[string]float64) bool {
	if f.shown == nil {
		return true
	}
	can := func(class string, choices []state.Object) bool {
		return rates[class] == 0 || slices.ContainsFunc(choices, f.allows)
	}
	return can("premature_delete", f.deletions()) && can("overwrite", f.overwritten())
}

// unearned answers with an action that the world refuses, and records what it
// would have done.
func (f faulty) unearned() (record.Reply, bool) {
	spoiler, ok := f.model.language.(Spoiler)
	if !ok {
		return record.Reply{}, false
	}
	if f.answer, ok = spoiler.Refused(f.event, f.beliefs, f.draw); !ok {
		return record.Reply{}, false
	}
	f.after = f.model.after(f.draft, f.answer.Then)
	if f.after.Equal(*f.shown) || !f.allows(f.after) {
		return record.Reply{}, false
	}
	return f.reply(f.patch()), true
}

// A leaf is a scalar or an array of a state.
type leaf struct {
	path  []string
	value any
}

func leavesOf(at []string, node map[string]any) []leaf {
	var all []leaf
	for _, name := range slices.Sorted(maps.Keys(node)) {
		path := append(slices.Clone(at), name)
		if inner, ok := node[name].(map[string]any); ok {
			all = append(all, leavesOf(path, inner)...)
		} else {
			all = append(all, leaf{path, node[name]})
		}
	}
	return all
}

// put is o with a value at a path; nil deletes it.
func put(o state.Object, path []string, value any) state.Object {
	for _, name := range slices.Backward(path) {
		value = map[string]any{name: value}
	}
	return state.Deep.Apply(o, state.From(value.(map[string]any)))
}

// untouched are the leaves that the right patch leaves as they are.
func (f faulty) untouched() []leaf {
	return slices.DeleteFunc(leavesOf(nil, f.shown.Root()), func(l leaf) bool { return !same(f.after, l) })
}

func same(o state.Object, l leaf) bool {
	v, ok := o.Get(l.path...)
	return ok && state.From(map[string]any{"": v}).Equal(state.From(map[string]any{"": l.value}))
}

func (f faulty) deletions() []state.Object {
	var choices []state.Object
	for _, l := range f.untouched() {
		choices = append(choices, put(f.after, l.path, nil))
	}
	return choices
}

// overwritten has another number in a text, or the text of another leaf with the
// same name.
func (f faulty) overwritten() []state.Object {
	var choices []state.Object
	all := leavesOf(nil, f.shown.Root())
	for _, l := range f.untouched() {
		text, ok := l.value.(string)
		if !ok {
			continue
		}
		others := []string{renumber(text, 1+f.draw.IntN(9))}
		for _, o := range all {
			if other, ok := o.value.(string); ok && o.path[len(o.path)-1] == l.path[len(l.path)-1] {
				others = append(others, other)
			}
		}
		for _, other := range others {
			if other != text {
				choices = append(choices, put(f.after, l.path, other))
			}
		}
	}
	return choices
}

// duplicates has a member that the right patch moves to another name left under
// the old one too.
func (f faulty) duplicates(at []string, before, after map[string]any) []state.Object {
	var choices []state.Object
	for _, name := range slices.Sorted(maps.Keys(before)) {
		path := append(slices.Clone(at), name)
		inner, isObject := before[name].(map[string]any)
		stays, held := after[name]
		if held {
			if next, ok := stays.(map[string]any); ok && isObject {
				choices = append(choices, f.duplicates(path, inner, next)...)
			}
			continue
		}
		if _, isText := before[name].(string); !isText && len(inner) == 0 {
			continue
		}
		for other := range after {
			if _, old := before[other]; !old && same(f.after, leaf{append(slices.Clone(at), other), before[name]}) {
				choices = append(choices, put(f.after, path, before[name]))
				break
			}
		}
	}
	return choices
}

// missed has the whole patch left out, or one of the values it sets.
func (f faulty) missed() []state.Object {
	if f.after.Equal(*f.shown) {
		return nil
	}
	whole := *f.shown
	choices := []state.Object{whole}
	for _, l := range leavesOf(nil, f.after.Root()) {
		if same(*f.shown, l) {
			continue
		}
		old, _ := f.shown.Get(l.path...)
		if part := put(f.after, l.path, old); !part.Equal(whole) {
			choices = append(choices, part)
		}
	}
	return choices
}

// inventions have one more member beside those of a top-level object: a copy of
// one with other numbers.
func (f faulty) inventions() []state.Object {
	var choices []state.Object
	for _, top := range slices.Sorted(maps.Keys(f.shown.Root())) {
		node, _ := f.shown.Root()[top].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(node)) {
			fresh := renumber(name, 1+f.draw.IntN(400))
			_, taken := f.after.Get(top, fresh)
			if _, was := node[fresh]; taken || was || fresh == name {
				continue
			}
			choices = append(choices, put(f.after, []string{top, fresh}, invented(node[name])))
		}
	}
	return choices
}

// far is added to the numbers of things that are to exist nowhere.
const far = 500_000

func invented(v any) any {
	switch v := v.(type) {
	case string:
		return renumber(v, far)
	case map[string]any:
		out := map[string]any{}
		for name, member := range v {
			out[name] = invented(member)
		}
		return out
	}
	return v
}

// renumber adds to the last number in a name; one without stays as it is.
func renumber(name string, add int) string {
	end := strings.LastIndexAny(name, "0123456789") + 1
	begin := end
	for begin > 0 && name[begin-1] >= '0' && name[begin-1] <= '9' {
		begin--
	}
	n, err := strconv.Atoi(name[begin:end])
	if err != nil {
		return name
	}
	return name[:begin] + strconv.Itoa(n+add) + name[end:]
}
