package trial

import (
	"maps"
	"slices"
	"strings"

	"skillbench/harness/state"
)

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// at is the object that holds a value at a JSON pointer and nothing else.
func at(pointer string, value any) state.Object {
	names := strings.Split(pointer, "/")[1:]
	for _, name := range slices.Backward(names) {
		value = map[string]any{unescape.Replace(name): value}
	}
	root, _ := value.(map[string]any)
	return state.From(root)
}

// A spoiler makes states that a schema may refuse out of one that it accepts.
type spoiler struct {
	from  state.Object
	name  string // a text that is in no state
	found []state.Object
}

// keys adds a member that no schema knows: at the top, and in each object there.
func (s *spoiler) keys() {
	s.with("/"+s.name, 1)
	for key, value := range s.members() {
		if _, ok := value.(map[string]any); ok {
			s.with("/"+escape.Replace(key)+"/"+s.name, 1)
		}
	}
}

// types gives every member at the top, and every leaf, values of other types.
func (s *spoiler) types() {
	for key := range s.members() {
		for _, value := range []any{7, s.name, []any{}, true} {
			s.with("/"+escape.Replace(key), value)
		}
	}
	for pointer := range s.from.Leaves() {
		for _, value := range []any{7, s.name, []any{}} {
			s.with(pointer, value)
		}
	}
}

// values drops each member at the top, and gives each leaf odd values.
func (s *spoiler) values() {
	for key := range s.members() {
		left := maps.Clone(s.from.Root())
		delete(left, key)
		s.found = append(s.found, state.From(left))
	}
	for pointer := range s.from.Leaves() {
		for _, value := range []any{-7, 7e9, s.name, ""} {
			s.with(pointer, value)
		}
	}
}

func (s *spoiler) with(pointer string, value any) {
	s.found = append(s.found, state.Deep.Apply(s.from, at(pointer, value)))
}

// members yields what stands at the top, in a fixed order.
func (s *spoiler) members() func(func(string, any) bool) {
	return func(yield func(string, any) bool) {
		root := s.from.Root()
		for _, key := range slices.Sorted(maps.Keys(root)) {
			if !yield(key, root[key]) {
				return
			}
		}
	}
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")
