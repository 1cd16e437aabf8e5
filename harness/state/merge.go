package state

import "maps"

// Merge names how ⊕ applies a patch. The paper does not fix the depth, so it is a
// configuration key; an empty or unknown Merge works as [Deep].
//
// Under all three a null member of an object never enters the state; nulls inside
// arrays are values and stay.
type Merge string

const (
	Deep    Merge = "deep"    // RFC 7396: objects merge member by member, null deletes
	Shallow Merge = "shallow" // members of the patch replace those of the state whole, null deletes
	Replace Merge = "replace" // the patch is the new state
)

// Apply returns s ⊕ p. It changes neither; the result shares with them whatever
// lies off the changed paths.
func (m Merge) Apply(s, p Object) Object {
	switch m {
	case Shallow:
		return wrap(mergeShallow(s.root, p.root))
	case Replace:
		return wrap(mergeDeep(nil, p.root))
	}
	return wrap(mergeDeep(s.root, p.root))
}

func mergeDeep(s, p map[string]any) map[string]any {
	out := clone(s, len(p))
	for name, v := range p {
		switch v := v.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			old, _ := s[name].(map[string]any)
			out[name] = mergeDeep(old, v)
		default:
			out[name] = v
		}
	}
	return out
}

func mergeShallow(s, p map[string]any) map[string]any {
	out := clone(s, len(p))
	for name, v := range p {
		switch v := v.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			out[name] = mergeDeep(nil, v)
		default:
			out[name] = v
		}
	}
	return out
}

func clone(s map[string]any, size int) map[string]any {
	if s == nil {
		return make(map[string]any, size)
	}
	return maps.Clone(s)
}
