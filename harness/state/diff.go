package state

// Diff returns the smallest patch for which Deep.Apply(from, patch) equals to.
// A merge patch cannot set a null member of an object: where to holds one that
// from does not hold just so, the patch leaves the member out instead. Nulls
// inside arrays are no trouble.
func Diff(from, to Object) Object { return wrap(diff(from.root, to.root)) }

func diff(from, to map[string]any) map[string]any {
	patch := map[string]any{}
	for name := range from {
		if _, ok := to[name]; !ok {
			patch[name] = nil
		}
	}
	for name, want := range to {
		have, held := from[name]
		if held && equal(have, want) || !held && want == nil {
			continue
		}
		a, aObject := have.(map[string]any)
		b, bObject := want.(map[string]any)
		if !aObject || !bObject {
			patch[name] = want
		} else if inner := diff(a, b); len(inner) > 0 {
			patch[name] = inner
		}
	}
	return patch
}

// Resends returns the pointers of the leaves of patch p that repeat what s holds
// already at the same place, in natural order. Numbers repeat when their text
// does. A null is never a repeat.
func Resends(s, p Object) []string {
	var found []string
	resends(s.root, p.root, "", &found)
	return found
}

func resends(s, p map[string]any, at string, found *[]string) {
	for _, name := range sortedNames(p) {
		have, ok := s[name]
		if !ok || p[name] == nil {
			continue
		}
		pointer := at + "/" + escapeToken(name)
		inner, isObject := p[name].(map[string]any)
		if old, both := have.(map[string]any); isObject && both {
			resends(old, inner, pointer, found)
		} else if !isObject && equal(have, p[name]) {
			*found = append(*found, pointer)
		}
	}
}
