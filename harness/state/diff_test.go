package state_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/state"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, want string }{
		{`{}`, `{}`, `{}`},
		{`{"a":{"b":1,"c":2}}`, `{"a":{"b":1,"c":3}}`, `{"a":{"c":3}}`},
		{`{"a":{"b":1}}`, `{"a":{}}`, `{"a":{"b":null}}`},
		{`{"a":{"b":1}}`, `{"a":5}`, `{"a":5}`},
		{`{"a":5}`, `{"a":{"b":1}}`, `{"a":{"b":1}}`},
		{`{}`, `{"a":{}}`, `{"a":{}}`},
		{`{"a":[1,{"x":null}]}`, `{"a":[{"x":null}]}`, `{"a":[{"x":null}]}`},
		{`{"a":1}`, `{"a":1.0}`, `{"a":1.0}`},
		{`{"a":1}`, `{"a":null}`, `{"a":null}`}, // the best a merge patch can do
		{`{}`, `{"a":null}`, `{}`},
		{`{"a":null}`, `{"a":null,"b":2}`, `{"b":2}`},
	} {
		if got := state.Diff(mustParse(t, c.from), mustParse(t, c.to)).Compact(); got != c.want {
			t.Errorf("Diff(%s, %s) = %s, want %s", c.from, c.to, got, c.want)
		}
	}
}

func TestDiffRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from := objects(true).Draw(t, "from")
		to := rapid.OneOf(objects(false), rapid.Map(objects(true), func(p state.Object) state.Object {
			return state.Deep.Apply(state.Replace.Apply(from, from), p) // near to from
		})).Draw(t, "to")
		patch := state.Diff(from, to)
		if got := state.Deep.Apply(from, patch); got.Compact() != to.Compact() {
			t.Fatalf("%s ⊕ %s = %s, want %s", from.Compact(), patch.Compact(), got.Compact(), to.Compact())
		}
		checkMinimal(t, from, to, patch)
	})
}

// checkMinimal drops each leaf of the patch in turn: the result must change.
func checkMinimal(t *rapid.T, from, to, patch state.Object) {
	for name := range patch.Root() {
		less := map[string]any{}
		for other, v := range patch.Root() {
			if other != name {
				less[other] = v
			}
		}
		if state.Deep.Apply(from, state.From(less)).Equal(to) {
			t.Fatalf("patch %s does not need %q", patch.Compact(), name)
		}
	}
	if again := state.Resends(from, patch); len(again) > 0 {
		t.Fatalf("patch %s resends %q of %s", patch.Compact(), again, from.Compact())
	}
}

func TestResends(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"inventory":{"shelf_2":"item_2","shelf_10":"item_10"},"list":[1],"n":1,"none":null,"a/b":true}`)
	p := mustParse(t, `{"inventory":{"shelf_10":"item_10","shelf_2":"item_2","shelf_3":null,"shelf_4":"x"},"list":[1],"n":1.0,"none":null,"a/b":true}`)
	want := []string{"/a~1b", "/inventory/shelf_2", "/inventory/shelf_10", "/list"}
	if diff := cmp.Diff(want, state.Resends(s, p)); diff != "" {
		t.Error(diff)
	}
	if got := state.Resends(s, mustParse(t, `{"inventory":"item_2","n":{"x":1}}`)); got != nil {
		t.Errorf("got %q, want none", got)
	}
}
