package openai

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/state"
)

// patchOf is the schema of state_patch in the envelope of a state schema.
func patchOf(t *testing.T, schema string) (patch string, e envelope) {
	t.Helper()
	e, err := newEnvelope([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	var whole struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(e.schema, &whole); err != nil {
		t.Fatal(err)
	}
	return string(whole.Properties["state_patch"]), e
}

func TestPatchSchemas(t *testing.T) {
	t.Parallel()
	null := `{"type":"null"}`
	for in, want := range map[string]string{
		`{"type":"object"}`: `{"type":"object"}`,
		`{"type":"object","properties":{"a":{"enum":["x","y"]}},"required":["a"],"minProperties":1}`:                            `{"properties":{"a":{"anyOf":[{"enum":["x","y"]},` + null + `]}},"type":"object"}`,
		`{"additionalProperties":{"type":"object","required":["b"],"properties":{"b":true}}}`:                                   `{"additionalProperties":{"anyOf":[{"properties":{"b":true},"type":"object"},` + null + `]}}`,
		`{"properties":{"l":{"type":"array","items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}}}`: `{"properties":{"l":{"anyOf":[{"items":{"properties":{"k":{"type":"string"}},"required":["k"],"type":"object"},"type":"array"},` + null + `]}}}`,
		`{"oneOf":[{"required":["a"]},{"required":["b"]}],"not":{},"if":{},"then":{}}`:                                          `{"anyOf":[{},{}]}`,
	} {
		if got, _ := patchOf(t, in); got != want {
			t.Errorf("%s:\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestDefinitionsMoveToTheRoot(t *testing.T) {
	t.Parallel()
	_, e := patchOf(t, `{"$defs":{"pr":{"type":"object","required":["n"],"properties":{"n":{"type":"integer"},"next":{"$ref":"#/$defs/pr"}}}},
		"properties":{"prs":{"additionalProperties":{"$ref":"#/$defs/pr"}},"log":{"items":{"$ref":"#/$defs/pr"}}}}`)
	var whole map[string]any
	if err := json.Unmarshal(e.schema, &whole); err != nil {
		t.Fatal(err)
	}
	defs := whole["$defs"].(map[string]any)
	full, patch := defs["pr"].(map[string]any), defs["pr.patch"].(map[string]any)
	if d := cmp.Diff([]any{"n"}, full["required"]); d != "" {
		t.Error(d)
	}
	if _, found := patch["required"]; found {
		t.Errorf("a patch requires %v", patch["required"])
	}
	text := string(e.schema)
	for _, want := range []string{`"items":{"$ref":"#/$defs/pr"}`, `{"$ref":"#/$defs/pr.patch"}`} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s in %s", want, text)
		}
	}
	if _, err := state.Compile("envelope.json", e.schema); err != nil {
		t.Error(err)
	}
}

func TestOldDefinitionsMoveAsWell(t *testing.T) {
	t.Parallel()
	_, e := patchOf(t, `{"definitions":{"pr":{"properties":{"log":{"items":{"$ref":"#/definitions/pr"}}}}},"properties":{"log":{"items":{"anyOf":[{"$ref":"#/definitions/pr"}]}},"one":{"$ref":"#/definitions/pr"}}}`)
	if strings.Contains(string(e.schema), "#/definitions") || strings.Count(string(e.schema), `{"$ref":"#/$defs/definitions.pr"}`) != 3 {
		t.Errorf("%s", e.schema)
	}
	if _, err := state.Compile("envelope.json", e.schema); err != nil {
		t.Error(err)
	}
}

// What the envelope is for: replies the contract allows pass it.
func TestEnvelopeAdmitsPatches(t *testing.T) {
	t.Parallel()
	_, e := patchOf(t, warehouse)
	schema, err := state.Compile("envelope.json", e.schema)
	if err != nil {
		t.Fatal(err)
	}
	for in, ok := range map[string]bool{
		`{"state_patch":{},"action":"Wait"}`: true,
		`{"state_patch":{"inventory":{"shelf_1":null,"shelf_2":"item_1"}},"action":"Ship item shelf"}`: true,
		`{"state_patch":{"inventory":{"shelf_1":5}},"action":"Wait"}`:                                  false,
		`{"state_patch":{"stock":{}},"action":"Wait"}`:                                                 false,
		`{"action":"Wait"}`:                           false,
		`{"state_patch":{},"action":"Wait","more":1}`: false,
	} {
		o, err := state.Parse([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if got := schema.Check(o); (len(got) == 0) != ok {
			t.Errorf("%s: violations %v", in, got)
		}
	}
}

func TestStrict(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		`{"type":"object","properties":{},"additionalProperties":false}`:                      true,
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`: false, // a patch may leave a out
		`{"type":"object"}`: false,
		`{"type":"object","properties":{},"patternProperties":{},"additionalProperties":false}`: false,
	} {
		if _, e := patchOf(t, in); e.strict != want {
			t.Errorf("%s: strict %t", in, e.strict)
		}
	}
	for in, want := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":["string","null"]}},"required":["a"],"additionalProperties":false}`:                  true,
		`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object"}}},"required":["a"],"additionalProperties":false}`:  false,
		`{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"oneOf":[]}]}},"required":["a"],"additionalProperties":false}`:  false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"],"additionalProperties":false}`:                           false,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","a"],"additionalProperties":false}`: false,
		`{"type":"object","properties":{"a":{}},"required":["a"],"additionalProperties":true}`:                                           false,
		`{"type":["object","null"]}`: false,
		`{"type":"object","properties":{"a":true},"required":["a"],"additionalProperties":false}`: false,
	} {
		var schema any
		if err := json.Unmarshal([]byte(in), &schema); err != nil {
			t.Fatal(err)
		}
		if got := fitsStrict(schema); got != want {
			t.Errorf("%s: %t", in, got)
		}
	}
}
