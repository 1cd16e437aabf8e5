package openai

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"
)

// An envelope is the schema of {"state_patch": …, "action": …} for one state
// schema, as the wires json_schema and tool send it.
//
// It is a relaxation: it admits every patch that can lead to a valid state,
// and more. A patch may leave out any member and may delete any by null, so
// `required` goes and every value may be null. What cannot be said of a patch
// (not, if, dependencies, counts of members) is left out; the harness checks
// the merged state against the real schema in any case.
//
// Strict mode wants every member required, no other members, and no
// patternProperties. A patch that may leave members out breaks the first
// rule, so strict is true only for states without optional members. Servers
// that decode under a grammar (vLLM, SGLang, llama.cpp) obey the schema
// whatever strict says.
type envelope struct {
	schema json.RawMessage
	strict bool
}

// envelopes keeps the envelope of each state schema it has met.
type envelopes struct {
	mu    sync.Mutex
	known map[string]envelope
}

func (es *envelopes) of(state []byte) (envelope, error) {
	es.mu.Lock()
	defer es.mu.Unlock()
	if e, ok := es.known[string(state)]; ok {
		return e, nil
	}
	e, err := newEnvelope(state)
	if err != nil {
		return e, err
	}
	if es.known == nil {
		es.known = map[string]envelope{}
	}
	es.known[string(state)] = e
	return e, nil
}

func newEnvelope(state []byte) (envelope, error) {
	var schema map[string]any
	if err := json.Unmarshal(state, &schema); err != nil || schema == nil {
		return envelope{}, fmt.Errorf("state schema: want a JSON object, which the wires json_schema and tool need: %v", err)
	}
	r := relaxer{defs: map[string]any{}}
	patch := r.object(schema, true)
	if r.err != nil {
		return envelope{}, r.err
	}
	whole := map[string]any{
		"type":                 "object",
		"properties":           map[string]any{"state_patch": patch, "action": map[string]any{"type": "string"}},
		"required":             []any{"state_patch", "action"},
		"additionalProperties": false,
	}
	if len(r.defs) > 0 {
		whole["$defs"] = r.defs
	}
	data, err := json.Marshal(whole)
	return envelope{data, fitsStrict(whole)}, err
}

// A relaxer turns schemas of values into schemas of patches. Definitions move
// to the root of the envelope: under their own name as they are, for the
// items of arrays, which a patch replaces whole, and as "<name>.patch".
type relaxer struct {
	defs map[string]any
	err  error
}

// dropped are the keywords that a patch cannot be held to, and the names of a
// schema that is now part of another.
var dropped = []string{
	"required", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies",
	"not", "if", "then", "else", "unevaluatedProperties", "default", "examples", "$schema", "$id", "$comment",
}

func (r *relaxer) object(schema map[string]any, root bool) map[string]any {
	patch := maps.Clone(schema)
	for _, name := range dropped {
		delete(patch, name)
	}
	for _, name := range []string{"$defs", "definitions"} {
		if defs, ok := patch[name].(map[string]any); ok {
			if !root {
				r.fail("definitions below the root")
			}
			r.define(name, defs)
			delete(patch, name)
		}
	}
	if ref, ok := patch["$ref"].(string); ok {
		patch["$ref"] = r.ref(ref) + ".patch"
	}
	for _, name := range []string{"properties", "patternProperties"} {
		if members, ok := patch[name].(map[string]any); ok {
			patch[name] = r.members(members)
		}
	}
	if rest, ok := patch["additionalProperties"].(map[string]any); ok {
		patch["additionalProperties"] = r.nullable(rest)
	}
	if oneOf, ok := patch["oneOf"]; ok && patch["anyOf"] == nil {
		patch["anyOf"] = oneOf // relaxed branches overlap
		delete(patch, "oneOf")
	}
	for _, name := range []string{"anyOf", "oneOf", "allOf"} {
		if branches, ok := patch[name].([]any); ok {
			patch[name] = r.branches(branches)
		}
	}
	for _, name := range []string{"items", "prefixItems", "contains", "additionalItems"} {
		if value, ok := patch[name]; ok {
			patch[name] = r.whole(value)
		}
	}
	return patch
}

func (r *relaxer) members(members map[string]any) map[string]any {
	patch := make(map[string]any, len(members))
	for name, value := range members {
		patch[name] = value
		if schema, ok := value.(map[string]any); ok {
			patch[name] = r.nullable(schema)
		}
	}
	return patch
}

func (r *relaxer) nullable(schema map[string]any) any {
	return map[string]any{"anyOf": []any{r.object(schema, false), map[string]any{"type": "null"}}}
}

func (r *relaxer) branches(branches []any) []any {
	patch := make([]any, len(branches))
	for i, value := range branches {
		patch[i] = value
		if schema, ok := value.(map[string]any); ok {
			patch[i] = r.object(schema, false)
		}
	}
	return patch
}

// whole is a schema as it is, but for where its references lead.
func (r *relaxer) whole(value any) any {
	switch value := value.(type) {
	case map[string]any:
		kept := make(map[string]any, len(value))
		for name, part := range value {
			if ref, ok := part.(string); ok && name == "$ref" {
				kept[name] = r.ref(ref)
				continue
			}
			kept[name] = r.whole(part)
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, part := range value {
			kept[i] = r.whole(part)
		}
		return kept
	}
	return value
}

func (r *relaxer) define(place string, defs map[string]any) {
	for name, value := range defs {
		name = defName(place, name)
		r.defs[name] = r.whole(value)
		r.defs[name+".patch"] = value
		if schema, ok := value.(map[string]any); ok {
			r.defs[name+".patch"] = r.object(schema, false)
		}
	}
}

func defName(place, name string) string {
	if place == "definitions" {
		return "definitions." + name
	}
	return name
}

// ref is where a reference leads in the envelope.
func (r *relaxer) ref(ref string) string {
	place, name, ok := strings.Cut(strings.TrimPrefix(ref, "#/"), "/")
	if !ok || !strings.HasPrefix(ref, "#/") || place != "$defs" && place != "definitions" || strings.Contains(name, "/") {
		r.fail(fmt.Sprintf("$ref %q", ref))
		return ref
	}
	return "#/$defs/" + defName(place, name)
}

func (r *relaxer) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("state schema: the wires json_schema and tool follow $ref to #/$defs/<name> only, got %s: use wire fenced", what)
	}
}
