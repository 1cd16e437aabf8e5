package state_test

import (
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/state"
)

// The examples of RFC 7396, appendix A.
var appendixA = []struct{ original, patch, result string }{
	{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
	{`{"a":"b"}`, `{"a":null}`, `{}`},
	{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
	{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
	{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
	{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
	{`["a","b"]`, `["c","d"]`, `["c","d"]`},
	{`{"a":"b"}`, `["c"]`, `["c"]`},
	{`{"a":"foo"}`, `null`, `null`},
	{`{"a":"foo"}`, `"bar"`, `"bar"`},
	{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
	{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
	{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
}

func TestDeepAppendixA(t *testing.T) {
	t.Parallel()
	for _, example := range appendixA {
		if example.original[0] == '{' && example.patch[0] == '{' {
			checkDeep(t, example.original, example.patch, example.result)
		}
		result := `{"x":` + example.result + `}`
		if example.result == "null" { // under a key, a null patch deletes the key
			result = `{}`
		}
		checkDeep(t, `{"x":`+example.original+`}`, `{"x":`+example.patch+`}`, result)
	}
}

func checkDeep(t *testing.T, original, patch, result string) {
	t.Helper()
	got := state.Deep.Apply(mustParse(t, original), mustParse(t, patch))
	if want := mustParse(t, result); got.Compact() != want.Compact() || !got.Equal(want) {
		t.Errorf("%s ⊕ %s = %s, want %s", original, patch, got.Compact(), want.Compact())
	}
}

func TestMergeModes(t *testing.T) {
	t.Parallel()
	const s = `{"inventory":{"shelf_1":"item_1","shelf_2":"item_2"},"n":1,"gone":true}`
	const p = `{"inventory":{"shelf_2":null,"shelf_3":"item_3"},"n":0,"gone":null,"list":[null]}`
	for merge, want := range map[state.Merge]string{
		state.Deep:    `{"inventory":{"shelf_1":"item_1","shelf_3":"item_3"},"list":[null],"n":0}`,
		"":            `{"inventory":{"shelf_1":"item_1","shelf_3":"item_3"},"list":[null],"n":0}`,
		state.Shallow: `{"inventory":{"shelf_3":"item_3"},"list":[null],"n":0}`,
		state.Replace: `{"inventory":{"shelf_3":"item_3"},"list":[null],"n":0}`,
	} {
		if got := merge.Apply(mustParse(t, s), mustParse(t, p)).Compact(); got != want {
			t.Errorf("%q: got %s, want %s", merge, got, want)
		}
	}
	kept := state.Shallow.Apply(mustParse(t, s), mustParse(t, `{"n":2}`)).Compact()
	if want := `{"gone":true,"inventory":{"shelf_1":"item_1","shelf_2":"item_2"},"n":2}`; kept != want {
		t.Errorf("shallow: got %s, want %s", kept, want)
	}
}

func TestMergeLaws(t *testing.T) {
	t.Parallel()
	var zero state.Object
	rapid.Check(t, func(t *rapid.T) {
		s, p, q := objects(true).Draw(t, "s"), objects(true).Draw(t, "p"), objects(true).Draw(t, "q")
		before, patch := s.Compact(), p.Compact()
		for _, merge := range []state.Merge{state.Deep, state.Shallow, state.Replace} {
			once := merge.Apply(s, p)
			if s.Compact() != before || p.Compact() != patch {
				t.Fatalf("%s changed its arguments", merge)
			}
			if twice := merge.Apply(once, p); !twice.Equal(once) {
				t.Fatalf("%s twice: %s, once: %s", merge, twice.Compact(), once.Compact())
			}
			snapshot := once.Compact()
			merge.Apply(once, q)
			if once.Compact() != snapshot {
				t.Fatalf("%s changed an earlier result", merge)
			}
		}
		for _, merge := range []state.Merge{state.Deep, state.Shallow} {
			if same := merge.Apply(s, zero); !same.Equal(s) {
				t.Fatalf("%s with {}: %s", merge, same.Compact())
			}
		}
		fresh := state.Deep.Apply(zero, p)
		if got := state.Replace.Apply(s, p); !got.Equal(fresh) {
			t.Fatalf("replace depends on the old state: %s, want %s", got.Compact(), fresh.Compact())
		}
		shallow := state.Shallow.Apply(s, p)
		for name := range s.Root() {
			if _, patched := p.Get(name); patched {
				continue
			}
			if _, kept := shallow.Get(name); !kept {
				t.Fatalf("shallow lost %q", name)
			}
		}
	})
}
