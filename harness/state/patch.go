package state

// Patch returns the patch with which m.Apply(from, patch) equals to: the
// smallest one under Deep, whole top-level members under Shallow, and to itself
// under Replace.
func (m Merge) Patch(from, to Object) Object {
	switch m {
	case Shallow:
		return wrap(diffShallow(from.root, to.root))
	case Replace:
		return to
	}
	return Diff(from, to)
}

func diffShallow(from, to map[string]any) map[string]any {
	changed := Diff(wrap(from), wrap(to)).root
	out := make(map[string]any, len(changed))
	for name := range changed {
		out[name] = to[name] // nil, that is null, where the member is gone
	}
	return out
}
