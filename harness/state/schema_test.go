package state_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/state"
)

const warehouse = `{"type":"object","properties":{"inventory":{"type":"object","patternProperties":{"^shelf_(0|[1-9][0-9]?|[1-4][0-9][0-9])$":{"type":"string","pattern":"^item_[0-9]+$"}},"additionalProperties":false}},"required":["inventory"],"additionalProperties":false}`

func mustCompile(t testing.TB, text string) *state.Schema {
	t.Helper()
	s, err := state.Compile("schema.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func lines(found []state.Violation) []string {
	var out []string
	for _, v := range found {
		out = append(out, v.String())
	}
	return out
}

func TestCheckWarehouse(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, warehouse)
	const shelf = ` want a key matching ^shelf_(0|[1-9][0-9]?|[1-4][0-9][0-9])$`
	for object, want := range map[string][]string{
		`{"inventory":{}}`: nil,
		`{"inventory":{"shelf_0":"item_1","shelf_499":"item_2"}}`: nil,
		`{}`:                 {`schema_value /inventory: required key "inventory" is missing: it cannot be deleted or left out`},
		`{"inventory":null}`: {`schema_type /inventory: got null, want object`},
		`{"inventory":[1]}`:  {`schema_type /inventory: got an array, want object`},
		`{"inventory":{"shelf_500":"item_1","shelf_01":"item_2"}}`: {
			`schema_unknown_key /inventory/shelf_01: unknown key "shelf_01",` + shelf,
			`schema_unknown_key /inventory/shelf_500: unknown key "shelf_500",` + shelf,
		},
		`{"inventory":{"shelf_10":7,"shelf_9":{},"shelf_8":"box","shelf_7":false}}`: {
			`schema_type /inventory/shelf_7: got false, want string`,
			`schema_value /inventory/shelf_8: got string "box", want a string matching ^item_[0-9]+$`,
			`schema_type /inventory/shelf_9: got an object, want string`,
			`schema_type /inventory/shelf_10: got number 7, want string`,
		},
		`{"inventory":{},"notes":"x","a/b":1}`: {
			`schema_unknown_key /a~1b: unknown key "a/b", want "inventory"`,
			`schema_unknown_key /notes: unknown key "notes", want "inventory"`,
		},
	} {
		if diff := cmp.Diff(want, lines(schema.Check(mustParse(t, object)))); diff != "" {
			t.Errorf("%s:\n%s", object, diff)
		}
	}
}

func TestCheckKeywords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":["string","null"]}`, `5`, `schema_type /x: got number 5, want null or string`},
		{`{"type":"integer"}`, `1.5`, `schema_type /x: got number 1.5, want integer`},
		{`{"const":{"a":1}}`, `2`, `schema_value /x: got number 2, want {"a":1}`},
		{`{"enum":["a",1,null]}`, `"b"`, `schema_value /x: got string "b", want one of "a", 1, null`},
		{`{"minimum":1e3}`, `1`, `schema_value /x: got number 1, want at least 1000`},
		{`{"maximum":0.1}`, `1234567890123456789012`, `schema_value /x: got number 1234567890123456789012, want at most 0.1`},
		{`{"exclusiveMinimum":0}`, `0`, `schema_value /x: got number 0, want more than 0`},
		{`{"exclusiveMaximum":1e300}`, `1e300`, `schema_value /x: got number 1e300, want less than 1e+300`},
		{`{"multipleOf":0.5}`, `0.3`, `schema_value /x: got number 0.3, want a multiple of 0.5`},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, `schema_value /x: got 2 keys, want at most 1`},
		{`{"minProperties":1}`, `{}`, `schema_value /x: got 0 keys, want at least 1`},
		{`{"maxItems":1}`, `[1,2]`, `schema_value /x: got 2 items, want at most 1`},
		{`{"minItems":1}`, `[]`, `schema_value /x: got 0 items, want at least 1`},
		{`{"maxLength":1}`, `"éé"`, `schema_value /x: got 2 characters, want at most 1`},
		{`{"minLength":1}`, `""`, `schema_value /x: got 0 characters, want at least 1`},
		{`{"uniqueItems":true}`, `[1,2,1.0]`, `schema_value /x: items 0 and 2 are equal, want all different`},
		{`{"contains":{"const":1}}`, `[2,3]`, `schema_value /x: got 0 items that fit contains, want at least 1`},
		{`{"contains":{"const":1},"minContains":2}`, `[1]`, `schema_value /x: got 1 items that fit contains, want at least 2`},
		{`{"contains":{"const":1},"maxContains":1}`, `[1,1]`, `schema_value /x: got 2 items that fit contains, want at most 1`},
		{`{"items":{"type":"string"}}`, `["a",[]]`, `schema_type /x/1: got an array, want string`},
		{`{"items":false}`, `[1]`, `schema_value /x/0: no value is allowed here`},
		{`{"not":{"const":1}}`, `1`, `schema_value /x: got number 1, want none of what the schema excludes here`},
		{`{"properties":{"a":true},"unevaluatedProperties":false}`, `{"b":1}`, `schema_unknown_key /x/b: unknown key "b", want no such key`},
		{`{"properties":{"a":true},"additionalProperties":false}`, `{"b":1}`, `schema_unknown_key /x/b: unknown key "b", want "a"`},
		{`{"additionalProperties":false}`, `{"b":1}`, `schema_unknown_key /x/b: unknown key "b", want no keys here`},
		{`{"propertyNames":{"maxLength":2}}`, `{"abc":1,"b":2}`, `schema_unknown_key /x/abc: unknown key "abc": got 3 characters, want at most 2`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `schema_value /x/b: key "b" is missing, want it beside "a"`},
		{`{"anyOf":[{"type":"string"},{"$ref":"#/$defs/nothing"}]}`, `5`, `schema_type /x: got number 5, want null or string`},
		{`{"anyOf":[{"type":"string","maxLength":1},{"type":"null"}]}`, `"ab"`, `schema_value /x: got 2 characters, want at most 1`},
		{`{"oneOf":[{"type":"object","required":["a"]},{"type":"string"}]}`, `{}`, `schema_value /x/a: required key "a" is missing: it cannot be deleted or left out`},
		{`{"oneOf":[{"const":1},{"const":2}]}`, `3`, `schema_value /x: fits none of the 2 forms allowed here`},
		{`{"oneOf":[{"minimum":1},{"minimum":2}]}`, `3`, `schema_value /x: fits more than one of the forms of which exactly one is wanted`},
		{`{"allOf":[{"type":"string"},{"type":"string"}]}`, `3`, `schema_type /x: got number 3, want string`},
		{`{"if":{"type":"string"},"then":{"maxLength":1}}`, `"ab"`, `schema_value /x: got 2 characters, want at most 1`},
		{`{"$ref":"#/$defs/nothing"}`, `1`, `schema_type /x: got number 1, want null`},
		{`{"type":"string"}`, `1e1000001`, `schema_value /x: got number 1e1000001, want one of at most 400 digits and decimal places`},
		{`{"minimum":0}`, `[{"a":-1e-401}]`, `schema_value /x/0/a: got number -1e-401, want one of at most 400 digits and decimal places`},
		{`{"minimum":0}`, `1E+1000001`, `schema_value /x: got number 1E+1000001, want one of at most 400 digits and decimal places`},
		{`{"minimum":0}`, `1e99999999999999999999`, `schema_value /x: got number 1e99999999999999999999, want one of at most 400 digits and decimal places`},
	} {
		schema := mustCompile(t, `{"$defs":{"nothing":{"type":"null"}},"properties":{"x":`+c.schema+`}}`)
		got := lines(schema.Check(mustParse(t, `{"x":`+c.value+`}`)))
		if diff := cmp.Diff([]string{c.want}, got); diff != "" {
			t.Errorf("%s with %s:\n%s", c.schema, c.value, diff)
		}
	}
}

// Older drafts take another way through the library.
func TestCheckPropertyNamesOfDraft7(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, `{"$schema":"http://json-schema.org/draft-07/schema#","propertyNames":{"enum":["a"]},"dependencies":{"a":["b"]}}`)
	want := []string{
		`schema_value /b: key "b" is missing, want it beside "a"`,
		`schema_unknown_key /c: unknown key "c": want one of "a"`,
	}
	if diff := cmp.Diff(want, lines(schema.Check(mustParse(t, `{"a":1,"c":2}`)))); diff != "" {
		t.Error(diff)
	}
}

func TestCheckAfterNullDeletion(t *testing.T) {
	t.Parallel()
	next := state.Deep.Apply(mustParse(t, `{"inventory":{"shelf_1":"item_1"}}`), mustParse(t, `{"inventory":null}`))
	got := mustCompile(t, warehouse).Check(next)
	if len(got) != 1 || got[0].Class != state.ClassValue || got[0].Path != "/inventory" || !strings.Contains(got[0].Hint, "cannot be deleted") {
		t.Errorf("got %v", got)
	}
}

// The library walks maps and siblings in random order, and its locations for
// propertyNames depend on that.
func TestCheckOrderIsStable(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, `{"additionalProperties":{"additionalProperties":{"type":"string","maxLength":1,"pattern":"^x"},"propertyNames":{"pattern":"^k"},"required":["k1"]},"maxProperties":3}`)
	o := mustParse(t, `{"a":{"k1":1,"bad":2,"k10":"yy","k2":3},"b":{"worse":"x"},"c":{},"d":{"bad":"x","k1":"x"},"e":{"k1":"x"}}`)
	want := []string{
		`schema_value: got 5 keys, want at most 3`,
		`schema_type /a/bad: got number 2, want string`,
		`schema_unknown_key /a/bad: unknown key "bad": want a string matching ^k`,
		`schema_type /a/k1: got number 1, want string`,
		`schema_type /a/k2: got number 3, want string`,
		`schema_value /a/k10: got 2 characters, want at most 1`,
		`schema_value /a/k10: got string "yy", want a string matching ^x`,
		`schema_value /b/k1: required key "k1" is missing: it cannot be deleted or left out`,
		`schema_unknown_key /b/worse: unknown key "worse": want a string matching ^k`,
		`schema_value /c/k1: required key "k1" is missing: it cannot be deleted or left out`,
		`schema_unknown_key /d/bad: unknown key "bad": want a string matching ^k`,
	}
	for range 50 {
		if diff := cmp.Diff(want, lines(schema.Check(o))); diff != "" {
			t.Fatal(diff)
		}
	}
}

func TestCheckIsBounded(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, warehouse)
	for wrong, want := range map[int]int{19: 19, 20: 20, 21: 20, 45_000: 20} {
		members := make([]string, wrong)
		for i, n := range rand.New(rand.NewPCG(1, 1)).Perm(wrong) {
			members[i] = fmt.Sprintf(`"x_%d":"item_1"`, n)
		}
		got := schema.Check(mustParse(t, `{"inventory":{`+strings.Join(members, ",")+`}}`))
		if len(got) != want || got[0].Path != "/inventory/x_0" || got[18].Path != "/inventory/x_18" {
			t.Errorf("%d wrong keys: got %d violations: %v", wrong, len(got), got)
		}
		rest := state.Violation{Class: state.ClassUnknownKey, Hint: fmt.Sprintf("and %d more violations", wrong-19)}
		if wrong > 20 && got[19] != rest {
			t.Errorf("last of %d: got %v", wrong, got[19])
		}
	}
}

// Model text reaches hints and paths, and from there prompts: it must stay short,
// on one line, and without invisible characters.
func TestCheckHostile(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, `{"properties":{"s":{"type":"integer"},"p":{"pattern":"^(a|aa)+$"},"n":{"minimum":0},"u":{"uniqueItems":true}},"additionalProperties":false}`)
	long := strings.Repeat("a\u202e\n", 100_000)
	numbers := strings.TrimSuffix(strings.Repeat("1e999999,", 100_000), ",")
	for _, o := range []state.Object{
		state.From(map[string]any{long: 1}),
		state.From(map[string]any{"s": long}),
		state.From(map[string]any{"p": strings.Repeat("a", 1<<20) + "b"}),
		state.From(map[string]any{"\x00\x1b[31m\u200b": "x"}),
		mustParse(t, `{"n":`+strings.Repeat("9", 1<<19)+`}`),
		mustParse(t, `{"n":-1e400}`),
		mustParse(t, `{"n":[`+numbers+`]}`),
		mustParse(t, `{"u":[`+numbers+`]}`),
		mustParse(t, `{"s":`+depthBomb(state.MaxDepth-1)+`}`),
	} {
		found := schema.Check(o)
		if len(found) == 0 {
			t.Errorf("no violation in %.60q", o.Compact())
		}
		for _, v := range found {
			checkLine(t, v.Hint, 200)
			checkLine(t, v.Path, 400)
		}
	}
}

func TestCheckConcurrently(t *testing.T) {
	t.Parallel()
	schema, o := mustCompile(t, warehouse), mustParse(t, `{"inventory":{"shelf_1":1,"x":2},"y":3}`)
	want := lines(schema.Check(o))
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if diff := cmp.Diff(want, lines(schema.Check(o))); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
	group.Wait()
}

func TestCompileRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{\n\"type\":\n}":                        `schema.json:3: missing value after object name`,
		`[]`:                                     `schema.json:1: got an array, want an object (byte 0)`,
		`{"type":"object","type":"object"}`:      `schema.json:1: duplicate key "type"`,
		`{"properties":{"a":{"type":"strng"}}}`:  `schema.json: /properties/a/type: not a valid schema: got string "strng", want one of "array"`,
		`{"required":"a"}`:                       `schema.json: /required: not a valid schema: got string "a", want array`,
		`{"maxLength":-1}`:                       `schema.json: /maxLength: not a valid schema: got number -1, want at least 0`,
		`{"pattern":"(?=a)"}`:                    `schema.json: /pattern: not a valid schema: got string "(?=a)", want a regular expression without`,
		`{"$ref":"https://example.com/s.json"}`:  `schema.json: reference to "https://example.com/s.json": want one inside the schema, such as "#/$defs/name", because nothing else is loaded`,
		`{"$ref":"other.json#/a"}`:               `schema.json: reference to "other.json"`,
		`{"$ref":"file:///etc/passwd"}`:          `schema.json: reference to "file:///etc/passwd"`,
		`{"$schema":"https://example.com/meta"}`: `schema.json: reference to "https://example.com/meta"`,
		`{"$ref":"#/$defs/none"}`:                `schema.json: json-pointer in "#/$defs/none" not found`,
		`{"minimum":1e1000000}`:                  `schema.json: /minimum: got number 1e1000000`,
	} {
		_, err := state.Compile("schema.json", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("Compile(%s): got %v, want %s", text, err, want)
			continue
		}
		checkLine(t, err.Error(), 400)
	}
}

func TestCompileLoadsNoFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(path, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := state.Compile("schema.json", fmt.Appendf(nil, `{"$ref":"file://%s"}`, filepath.ToSlash(path)))
	if err == nil || !strings.Contains(err.Error(), "nothing else is loaded") {
		t.Errorf("got %v, want a refusal", err)
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	schema := mustCompile(t, warehouse)
	schema.Raw()[0] = 'x'
	if got := string(schema.Raw()); got != warehouse {
		t.Errorf("got %s", got)
	}
}

func TestViolationIsBounded(t *testing.T) {
	t.Parallel()
	v := state.NewViolation("no_json", strings.Repeat("/é", 500), "a\nb\u202e"+strings.Repeat("ü", 500))
	checkLine(t, v.Hint, 200)
	checkLine(t, v.Path, 400)
	if !strings.HasPrefix(v.Hint, `a\u000ab\u202eü`) || !strings.HasSuffix(v.Hint, "ü…") {
		t.Errorf("hint: %s", v.Hint)
	}
	if got := (state.Violation{Class: "no_json", Hint: "x"}).String(); got != "no_json: x" {
		t.Errorf("got %s", got)
	}
	exact := strings.Repeat("ü", 200)
	if got := state.NewViolation("c", "", exact).Hint; got != exact {
		t.Errorf("200 characters were cut to %s", got)
	}
}
