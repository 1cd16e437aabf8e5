package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
)

func TestParametersArriveAsTheyAreSet(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, func(c *Config, _ *Deps) {
		c.Temperature, c.TopP, c.Seed, c.MaxCompletionTokens = new(0.0), new(1.0), new(int64(0)), new(64)
		c.ReasoningEffort = new("none")
		c.Extra = map[string]any{"top_k": 0, "grammar": "root ::= \"a\"", "chat_template_kwargs": map[string]any{"enable_thinking": false}, "stop": []any{}}
	})
	mustReply(t, b)
	got := map[string]string{}
	for name, value := range e.members(t) {
		got[name] = string(value)
	}
	want := map[string]string{
		"model": `"m"`, "messages": `[{"role":"user","content":"hello"}]`, "stream": "false",
		"temperature": "0", "top_p": "1", "seed": "0", "max_completion_tokens": "64", "reasoning_effort": `"none"`,
		"top_k": "0", "grammar": `"root ::= \"a\""`, "chat_template_kwargs": `{"enable_thinking":false}`, "stop": "[]",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if e.lengths[0] != int64(len(e.bodies[0])) {
		t.Errorf("Content-Length %d of a body of %d bytes", e.lengths[0], len(e.bodies[0]))
	}
	if got := e.headers[0].Get("Authorization"); got != "Bearer "+testKey {
		t.Errorf("Authorization: %q", got)
	}
	if n := strings.Count(e.bodies[0], `"temperature"`); n != 1 {
		t.Errorf("temperature is in the body %d times", n)
	}
}

func TestUnsetParametersAreNotSent(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	mustReply(t, newBench(t, e, nil))
	want := `{"model":"m","messages":[{"role":"user","content":"hello"}],"stream":false}`
	if e.bodies[0] != want {
		t.Errorf("body %s, want %s", e.bodies[0], want)
	}
}

// A transport may ask for the body again, when a connection dies early.
func TestBodyCanBeReadAgain(t *testing.T) {
	t.Parallel()
	tap, err := newTap(Config{Model: "m", Temperature: new(0.0)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	req, _ := http.NewRequest(http.MethodPost, "http://h", strings.NewReader(`{"model":"-","messages":[]}`))
	sent, err := tap.rewrite(req)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"model":"m","temperature":0,"messages":[]}`
	for range 2 {
		body, err := io.ReadAll(sent.Body)
		if err != nil || string(body) != want {
			t.Errorf("body %s (%v), want %s", body, err, want)
		}
		if sent.Body, err = sent.GetBody(); err != nil {
			t.Fatal(err)
		}
	}
	req, _ = http.NewRequest(http.MethodPost, "http://h", strings.NewReader(`{"messages":[],"model":"-"}`))
	if _, err := tap.rewrite(req); err == nil {
		t.Error("a body in another order: want an error")
	}
}

// go-openai refuses these combinations before sending, by prefix of the name.
func TestModelNamesAreNotJudgedHere(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"o1lama", "o1", "o3-mini", "o4-mini", "gpt-5", "gpt-6-astra", "openrouter/o3-mini", `a"b\c`, "text-davinci-003"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(200, okBody))
			b := newBench(t, e, func(c *Config, _ *Deps) {
				c.Model, c.Temperature, c.Extra = name, new(0.2), map[string]any{"max_tokens": 9, "logprobs": true}
			})
			mustReply(t, b)
			m := e.members(t)
			want, _ := json.Marshal(name)
			if string(m["model"]) != string(want) || string(m["temperature"]) != "0.2" || string(m["max_tokens"]) != "9" {
				t.Errorf("sent model %s, temperature %s, max_tokens %s", m["model"], m["temperature"], m["max_tokens"])
			}
		})
	}
}

func TestLayoutsKeepTheText(t *testing.T) {
	t.Parallel()
	p := prompt.Prompt{
		{prompt.Label(prompt.Instructions, "## Instructions\n"), prompt.Label(prompt.Instructions, "Be <good> & \"kind\".\n")},
		{prompt.Of(prompt.State, 3, "{\"a\":1}\n"), prompt.Label(prompt.Instructions, "late\n")},
	}
	only := p[:1]
	none := p[1:]
	for _, tc := range []struct {
		layout Layout
		p      prompt.Prompt
		roles  string
	}{{User, p, "user"}, {SystemUser, p, "system user"}, {SystemUser, only, "user"}, {SystemUser, none, "user"}} {
		e := newEndpoint(t, says(200, okBody))
		b := newBench(t, e, func(c *Config, _ *Deps) { c.Layout = tc.layout })
		if _, err := b.Generate(t.Context(), model.Request{Prompt: tc.p}); err != nil {
			t.Fatal(err)
		}
		var sent []struct{ Role, Content string }
		if err := json.Unmarshal(e.members(t)["messages"], &sent); err != nil {
			t.Fatal(err)
		}
		var roles []string
		text := ""
		for _, m := range sent {
			roles, text = append(roles, m.Role), text+m.Content
		}
		if got := strings.Join(roles, " "); got != tc.roles || text != tc.p.Text() {
			t.Errorf("%s: roles %q, text %q; want %q, %q", tc.layout, got, text, tc.roles, tc.p.Text())
		}
	}
}

const warehouse = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"inventory":{"type":"object","patternProperties":{"^shelf_":{"type":"string"}},"additionalProperties":false}},"required":["inventory"],"additionalProperties":false}`

func TestWires(t *testing.T) {
	t.Parallel()
	const envelope = `{"additionalProperties":false,"properties":{"action":{"type":"string"},"state_patch":{"additionalProperties":false,"properties":{"inventory":{"anyOf":[{"additionalProperties":false,"patternProperties":{"^shelf_":{"anyOf":[{"type":"string"},{"type":"null"}]}},"type":"object"},{"type":"null"}]}},"type":"object"}},"required":["state_patch","action"],"type":"object"}`
	for _, tc := range []struct {
		name      string
		wire, own model.Wire
		form      model.Form
		want      map[string]string
		as        SchemaAs
	}{
		{"fenced", model.Fenced, model.JSONSchema, model.Envelope, map[string]string{}, ""},
		{"no envelope", model.JSONSchema, model.Tool, model.Update, map[string]string{}, ""},
		{"json_schema", model.JSONSchema, model.Fenced, model.Envelope, map[string]string{
			"response_format": `{"type":"json_schema","json_schema":{"name":"propose_transition","schema":` + envelope + `,"strict":false}}`}, ""},
		{"json_schema as json_object", model.JSONSchema, model.Fenced, model.Envelope, map[string]string{
			"response_format": `{"type":"json_object","schema":{"additionalProperties":false,"properties":{"action":{"type":"string"},"state_patch":{"additionalProperties":false,"properties":{"inventory":{"anyOf":[{"additionalProperties":{"anyOf":[{"type":"string"},{"type":"null"}]},"type":"object"},{"type":"null"}]}},"type":"object"}},"required":["state_patch","action"],"type":"object"}}`}, AsJSONObject},
		{"from the model file", "", model.Tool, model.Envelope, map[string]string{
			"tools":               `[{"function":{"name":"propose_transition","description":"Propose the change of state and the one next action.","parameters":` + envelope + `},"type":"function"}]`,
			"tool_choice":         `{"type":"function","function":{"name":"propose_transition"}}`,
			"parallel_tool_calls": "false"}, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(200, okBody))
			b := newBench(t, e, func(c *Config, _ *Deps) { c.Wire, c.SchemaAs = tc.own, tc.as })
			req := ask("p")
			req.Form, req.Wire, req.Schema = tc.form, tc.wire, []byte(warehouse)
			if _, err := b.Generate(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for name, value := range e.members(t) {
				if name != "model" && name != "messages" && name != "stream" {
					got[name] = string(value)
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestSchemaThatNoWireCanCarry(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, nil)
	for _, schema := range []string{`[]`, `null`, `{`, `{"properties":{"a":{"$ref":"other.json#/a"}}}`} {
		req := ask("p")
		req.Form, req.Wire, req.Schema = model.Envelope, model.Tool, []byte(schema)
		if _, err := b.Generate(t.Context(), req); err == nil || !strings.HasPrefix(err.Error(), "deterministic: state schema: ") {
			t.Errorf("%s: %v", schema, err)
		}
	}
	if len(e.bodies) > 0 {
		t.Error("something was sent")
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, func(c *Config, d *Deps) {
		c.ContextTokens = 5
		d.Count = func(p prompt.Prompt) int { return len(p.Text()) }
	})
	r, err := b.Generate(t.Context(), ask("123456"))
	if err != nil || r.Finish != "context_overflow" || len(e.bodies) != 0 {
		t.Errorf("six tokens of five: %+v, %v, %d requests", r, err, len(e.bodies))
	}
	if r, err = b.Generate(t.Context(), ask("12345")); err != nil || r.Finish != "stop" || len(e.bodies) != 1 {
		t.Errorf("five tokens of five: %+v, %v, %d requests", r, err, len(e.bodies))
	}
}
