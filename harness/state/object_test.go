package state_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/state"
)

func TestRender(t *testing.T) {
	t.Parallel()
	o := mustParse(t, `{"shelf_10":"<&>\u2028","shelf_2":{"b":[],"a":{}},"shelf_02":[1,[2.50],null,false]}`)
	compact := `{"shelf_02":[1,[2.50],null,false],"shelf_2":{"a":{},"b":[]},"shelf_10":"<&>` + "\u2028" + `"}`
	if got := o.Compact(); got != compact {
		t.Errorf("Compact: %s", got)
	}
	indent := `{
  "shelf_02": [
    1,
    [
      2.50
    ],
    null,
    false
  ],
  "shelf_2": {
    "a": {},
    "b": []
  },
  "shelf_10": "<&>` + "\u2028" + `"
}`
	if diff := cmp.Diff(indent, o.Indent()); diff != "" {
		t.Error(diff)
	}
	var zero state.Object
	if zero.Compact() != "{}" || zero.Indent() != "{}" || !zero.IsEmpty() || o.IsEmpty() {
		t.Error("the zero Object is not {}")
	}
	if got, want := zero.Hash(), "44136fa355b3678a1146ad16f7e8649e"; got != want {
		t.Errorf("Hash of {}: got %s, want %s", got, want)
	}
}

func TestGetAndLeaves(t *testing.T) {
	t.Parallel()
	o := mustParse(t, `{"a~/b":{"shelf_10":[{"x":1}],"shelf_9":"item_1"},"e":{},"n":null}`)
	var got []string
	for pointer, text := range o.Leaves() {
		got = append(got, pointer+" "+text)
	}
	want := []string{`/a~0~1b/shelf_9 "item_1"`, `/a~0~1b/shelf_10 [{"x":1}]`, `/n null`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for pointer := range o.Leaves() {
		if pointer != "/a~0~1b/shelf_9" {
			t.Fatalf("first leaf: %s", pointer)
		}
		break
	}
	if v, ok := o.Get("a~/b", "shelf_10", "0", "x"); !ok || v != json.Number("1") {
		t.Errorf("Get: %v %v", v, ok)
	}
	if v, ok := o.Get("n"); !ok || v != nil {
		t.Errorf("Get null: %v %v", v, ok)
	}
	for _, path := range [][]string{{"x"}, {"n", "x"}, {"a~/b", "shelf_10", "1"}, {"a~/b", "shelf_10", "-1"}, {"a~/b", "shelf_10", "x"}} {
		if v, ok := o.Get(path...); ok {
			t.Errorf("Get(%q) = %v, want nothing", path, v)
		}
	}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	type item string
	cyclic := map[string]any{}
	cyclic["self"] = cyclic
	source := map[string]any{
		"int": 500, "u8": uint8(7), "f": 1.5, "big": 1e300, "f32": float32(0.1), "million": 1e6, "nan": math.NaN(),
		"bad": json.Number("abc"), "hex": json.Number("0x10"), "space": json.Number(" 1"), "none": json.Number(""), "ok": json.Number("1e5"),
		"strings": map[item][]item{"x": {"y"}}, "nested": state.From(map[string]any{"k": true}), "zero": state.Object{},
		"chan": make(chan int), "struct": struct{ X int }{1}, "nil": nil, "\xff": "\xfe", "\xfe": "second",
	}
	want := `{"bad":"abc","big":1e+300,"chan":"chan int","f":1.5,"f32":0.1,"hex":"0x10","int":500,"million":1000000,"nan":"NaN","nested":{"k":true},` +
		`"nil":null,"none":"","ok":1e5,"space":" 1","strings":{"x":["y"]},"struct":"struct { X int }","u8":7,"zero":{},"` + "\uFFFD" + `":"second"}`
	o := state.From(source)
	if diff := cmp.Diff(want, o.Compact()); diff != "" {
		t.Error(diff)
	}
	mustParse(t, o.Compact())
	mustParse(t, state.From(cyclic).Compact())

	inner := map[string]any{"x": 1}
	kept := state.From(map[string]any{"inner": inner})
	inner["x"] = 2
	if got := kept.Compact(); got != `{"inner":{"x":1}}` {
		t.Errorf("From shares its argument: %s", got)
	}
}

func TestTextRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := objects(true).Draw(t, "o")
		for _, text := range []string{o.Compact(), o.Indent()} {
			back, err := state.Parse([]byte(text))
			if err != nil || !back.Equal(o) || back.Compact() != o.Compact() || back.Hash() != o.Hash() {
				t.Fatalf("%s came back as %s, %v", text, back.Compact(), err)
			}
		}
		event, err := json.Marshal(struct{ State state.Object }{o})
		if err != nil {
			t.Fatal(err)
		}
		var read struct{ State state.Object }
		if err := json.Unmarshal(event, &read); err != nil || !read.State.Equal(o) {
			t.Fatalf("%s came back as %s, %v", event, read.State.Compact(), err)
		}
	})
}

func TestEqualIsEqualText(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := objects(true).Draw(t, "a")
		b := rapid.OneOf(objects(true), rapid.Just(a), rapid.Just(state.Deep.Apply(a, objects(true).Draw(t, "p")))).Draw(t, "b")
		if a.Equal(b) != (a.Compact() == b.Compact()) {
			t.Fatalf("Equal(%s, %s) = %v", a.Compact(), b.Compact(), a.Equal(b))
		}
	})
}

func TestCompare(t *testing.T) {
	t.Parallel()
	sorted := []string{"", "0", "00", "01", "1", "2", "10", "99999999999999999999", "100000000000000000000", "a", "a1b01", "a1b1", "a01b2", "shelf_", "shelf_2", "shelf_2a", "shelf_10", "shelf_010x", "é"}
	for i, a := range sorted {
		for j, b := range sorted {
			if (state.Compare(a, b) < 0) != (i < j) {
				t.Errorf("Compare(%q, %q) = %d", a, b, state.Compare(a, b))
			}
		}
	}
}

func TestCompareIsTotal(t *testing.T) {
	t.Parallel()
	keys := rapid.OneOf(rapid.StringMatching(`[a0-2_]{0,6}`), rapid.StringMatching(`[a\-/:]?0{0,2}[0-9]{0,25}[a:]?`), rapid.String())
	rapid.Check(t, func(t *rapid.T) {
		three := []string{keys.Draw(t, "a"), keys.Draw(t, "b"), keys.Draw(t, "c")}
		a, b := three[0], three[1]
		if n := count(state.Compare(a, b) < 0, state.Compare(b, a) < 0, a == b); n != 1 {
			t.Fatalf("%d of a<b, b<a, a=b hold for %q, %q", n, a, b)
		}
		slices.SortFunc(three, state.Compare)
		if state.Compare(three[2], three[0]) < 0 {
			t.Fatalf("not transitive: %q", three)
		}
	})
}

func count(facts ...bool) int {
	n := 0
	for _, fact := range facts {
		if fact {
			n++
		}
	}
	return n
}
