package state_test

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/state"
)

var names = rapid.OneOf(
	rapid.SampledFrom([]string{"a", "b", "inventory", "shelf_2", "shelf_10", "shelf_02", "", "~", "a/b", "<&>", "é", "\u2028", "\n"}),
	rapid.StringN(0, 4, -1),
)

var scalars = rapid.OneOf(
	rapid.Map(rapid.SampledFrom([]string{"0", "1", "1.0", "-0", "1e3", "12345678901234567890"}), func(s string) any { return json.Number(s) }),
	rapid.Map(rapid.String(), func(s string) any { return s }),
	rapid.Map(rapid.Bool(), func(b bool) any { return b }),
)

func values(depth int, nulls bool) *rapid.Generator[any] {
	kinds := []*rapid.Generator[any]{scalars}
	if nulls {
		kinds = append(kinds, rapid.Just[any](nil))
	}
	if depth > 0 {
		kinds = append(kinds,
			rapid.Map(trees(depth-1, nulls), func(m map[string]any) any { return m }),
			rapid.Map(rapid.SliceOfN(values(depth-1, true), 0, 3), func(s []any) any { return s }))
	}
	return rapid.OneOf(kinds...)
}

func trees(depth int, nulls bool) *rapid.Generator[map[string]any] {
	return rapid.MapOfN(names, values(depth, nulls), 0, 5)
}

// objects draws objects; with nulls, null members too, which patches have and
// states built by merging have not.
func objects(nulls bool) *rapid.Generator[state.Object] {
	return rapid.Map(trees(3, nulls), state.From)
}

func mustParse(t testing.TB, text string) state.Object {
	t.Helper()
	o, err := state.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return o
}
