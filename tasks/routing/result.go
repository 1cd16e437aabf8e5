package routing

import (
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness/state"
	"skillbench/tasks/skills"
)

const resultHeading = "Result of "

// done is a call that ran. Its result shows the fields that the definition keeps
// or shows once; those that are dropped never leave the back office.
func (w *world) done(one skills.Skill, args map[string]any) ruling {
	full := w.fields(one, args, append(slices.Clone(one.Output.Keep), one.Output.Now...))
	r := ruling{valid: true, closes: one.Effect == skills.Write, result: resultHeading + one.Name + ": " + full.Compact()}
	if len(one.Output.Now) > 0 {
		r.later = resultHeading + one.Name + ": " + w.fields(one, args, one.Output.Keep).Compact()
	}
	return r
}

// fields makes up the values of a result: those of the call and of what the desk
// knows where a field has their name, and others that look like what the name
// says. Equal calls in a dialogue have equal results.
func (w *world) fields(one skills.Skill, args map[string]any, names []string) state.Object {
	root := map[string]any{}
	for _, path := range names {
		at, node := strings.Split(path, "."), root
		for _, name := range at[:len(at)-1] {
			inner, ok := node[name].(map[string]any)
			if !ok {
				inner = map[string]any{}
				node[name] = inner
			}
			node = inner
		}
		last := at[len(at)-1]
		switch value, given := args[last]; {
		case given:
			node[last] = value
		case scalar(w.now().State[last]):
			node[last] = w.now().State[last]
		default:
			node[last] = imagined(last, w.now().ID+"/"+one.Name+"/"+path)
		}
	}
	return state.From(root)
}

// scalar reports whether a value has no parts and is there.
func scalar(v any) bool {
	switch v.(type) {
	case string, bool, int, int64, float64:
		return true
	}
	return false
}

var (
	weekdays = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday"}
	windows  = []string{"08:00-10:00", "10:00-13:00", "13:00-16:00", "16:00-19:00"}
	stages   = []string{"received", "in work", "checked", "done"}
	carriers = []string{"Northline", "Postbus", "Quickway"}
)

// imagined is a value that goes with a field's name, the same for the same salt.
func imagined(name, salt string) any {
	h := fnv.New64a()
	h.Write([]byte(salt)) // a hash takes every write
	n := h.Sum64()
	pick := func(of []string) string { return of[n%uint64(len(of))] }
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(name, part) })
	}
	switch {
	case has("day", "date", "until", "expires"):
		return pick(weekdays)
	case has("window"):
		return pick(windows)
	case has("link", "url"):
		return "https://desk.example/" + strconv.FormatUint(n%1e8, 36)
	case has("amount", "total", "value", "difference", "price"):
		return strconv.FormatUint(5+n%190, 10) + ".90"
	case has("minutes"):
		return int64(1 + n%9)
	case has("number", "ticket", "reference", "id"):
		return strings.ToUpper(name[:1]) + "-" + strconv.FormatUint(100_000+n%900_000, 10)
	case has("stage", "status", "scan"):
		return pick(stages)
	case has("carrier"):
		return pick(carriers)
	case has("cancelled", "paid", "booked"):
		return true
	}
	return "see the record " + strconv.FormatUint(1000+n%9000, 10)
}
