// Package openai has models behind any endpoint that speaks OpenAI's chat
// completions: hosted providers, vLLM, llama.cpp, Ollama and others.
//
// Requests are built and sent by go-openai. What comes back is read here from
// the raw bytes, because go-openai's decoder loses what a benchmark needs: a
// missing usage, a cut body, a stream that stops, an error under status 200.
package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"skillbench/harness/model"
	"skillbench/harness/model/limit"
)

// A Layout is how a prompt is spread over messages.
type Layout string

const (
	User       Layout = "user"        // one user message
	SystemUser Layout = "system_user" // the leading instructions as system message, the rest as user message
)

// SchemaAs is how the wire json_schema puts the schema into a request.
type SchemaAs string

const (
	AsJSONSchema SchemaAs = "json_schema" // response_format of type json_schema, as OpenAI defines it
	AsJSONObject SchemaAs = "json_object" // type json_object with a member schema, as llama-cpp-python has it
)

// A Config is a model file. A parameter that is not set is not sent; one that
// is set is sent as it stands, zero included.
type Config struct {
	Name    string `yaml:"name"`              // what reports call the model; default: model
	BaseURL string `yaml:"base_url"`          // up to and with /v1
	Model   string `yaml:"model"`             // what the endpoint calls the model
	KeyEnv  string `yaml:"key_env,omitempty"` // the environment variable that holds the key, never the key

	Temperature         *float64 `yaml:"temperature,omitempty"`
	TopP                *float64 `yaml:"top_p,omitempty"`
	Seed                *int64   `yaml:"seed,omitempty"`
	MaxCompletionTokens *int     `yaml:"max_completion_tokens,omitempty"` // servers that only know max_tokens: extra
	ReasoningEffort     *string  `yaml:"reasoning_effort,omitempty"`

	// Extra is added to the request body as it stands: guided decoding,
	// grammars, top_k, chat_template_kwargs, max_tokens, …
	Extra map[string]any `yaml:"extra,omitempty"`

	Wire     model.Wire `yaml:"wire"`                // for requests that name none; default fenced
	Layout   Layout     `yaml:"layout"`              // default user
	SchemaAs SchemaAs   `yaml:"schema_as,omitempty"` // default json_schema
	Stream   bool       `yaml:"stream,omitempty"`    // ask for a stream, for proxies that drop idle connections

	Timeout        time.Duration `yaml:"timeout"`         // of one attempt, to the last byte; default 10m
	ConnectTimeout time.Duration `yaml:"connect_timeout"` // default 10s
	Retries        *int          `yaml:"retries"`         // attempts after the first, for transient failures; default 5
	MaxWait        time.Duration `yaml:"max_wait"`        // longest wait between attempts, Retry-After included; default 2m

	// ContextTokens refuses longer prompts as overflow before they are sent,
	// for endpoints that cut them silently. 0: off.
	ContextTokens int `yaml:"context_tokens,omitempty"`

	Limits limit.Rates `yaml:"limits,omitempty"`
	Price  string      `yaml:"price,omitempty"` // key in the price file
}

// Parse reads a model file. Unknown keys are errors. name is the file's name,
// for messages.
func Parse(name string, data []byte) (Config, error) {
	var c Config
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil {
		return Config{}, fileError(name, err)
	}
	if err := dec.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return Config{}, fmt.Errorf("%s: want one YAML document, found more", name)
	}
	c = c.withDefaults()
	if err := c.Validate(); err != nil {
		return Config{}, atLine(name, data, err)
	}
	return c, nil
}

func (c Config) withDefaults() Config {
	setDefault(&c.Name, c.Model)
	setDefault(&c.Wire, model.Fenced)
	setDefault(&c.Layout, User)
	setDefault(&c.Timeout, 10*time.Minute)
	setDefault(&c.ConnectTimeout, 10*time.Second)
	setDefault(&c.MaxWait, 2*time.Minute)
	if c.Retries == nil {
		c.Retries = new(5)
	}
	return c
}

func setDefault[T comparable](p *T, value T) {
	var zero T
	if *p == zero {
		*p = value
	}
}

// A keyError is a fault in one key of a model file.
type keyError struct{ key, text string }

func (e keyError) Error() string { return e.key + ": " + e.text }

func wrong(key, format string, args ...any) error {
	return keyError{key, fmt.Sprintf(format, args...)}
}

// Validate names the first key that is wrong.
func (c Config) Validate() error {
	checks := []func() error{c.checkEndpoint, c.checkParameters, c.checkForms, c.checkTimes, c.Limits.Validate}
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (c Config) checkEndpoint() error {
	if c.Model == "" {
		return wrong("model", "want the endpoint's name for the model, got none")
	}
	u, err := url.Parse(c.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return wrong("base_url", "want a URL such as https://api.openai.com/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return wrong("base_url", "want no user, query or fragment: keys are named by key_env")
	}
	return nil
}

func (c Config) checkParameters() error {
	switch {
	case c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 10):
		return wrong("temperature", "want 0 to 10, got %v", *c.Temperature)
	case c.TopP != nil && !(*c.TopP >= 0 && *c.TopP <= 1):
		return wrong("top_p", "want 0 to 1, got %v", *c.TopP)
	case c.MaxCompletionTokens != nil && *c.MaxCompletionTokens < 1:
		return wrong("max_completion_tokens", "want 1 or more, got %d", *c.MaxCompletionTokens)
	case c.ContextTokens < 0:
		return wrong("context_tokens", "want 0 (off) or more, got %d", c.ContextTokens)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Extra)) {
		if slices.Contains(owned, name) {
			return wrong("extra", "%s has a key of its own or is set by the program", name)
		}
	}
	if _, err := json.Marshal(c.Extra); err != nil {
		return wrong("extra", "want values that JSON can hold: %v", err)
	}
	return nil
}

// owned are the members of the request body that extra must not repeat:
// duplicate names in JSON mean something else to every server.
var owned = []string{
	"model", "messages", "input", "stream", "stream_options", "response_format", "tools", "tool_choice", "parallel_tool_calls",
	"temperature", "top_p", "seed", "max_completion_tokens", "reasoning_effort",
}

func (c Config) checkForms() error {
	switch {
	case !slices.Contains([]model.Wire{model.Fenced, model.JSONSchema, model.Tool}, c.Wire):
		return wrong("wire", "want fenced, json_schema or tool, got %q", c.Wire)
	case c.SchemaAs != "" && c.SchemaAs != AsJSONSchema && c.SchemaAs != AsJSONObject:
		return wrong("schema_as", "want json_schema or json_object, got %q", c.SchemaAs)
	case c.Layout != User && c.Layout != SystemUser:
		return wrong("layout", "want user or system_user, got %q", c.Layout)
	}
	return nil
}

func (c Config) checkTimes() error {
	for _, t := range []struct {
		key   string
		value time.Duration
	}{{"timeout", c.Timeout}, {"connect_timeout", c.ConnectTimeout}, {"max_wait", c.MaxWait}} {
		if t.value < time.Millisecond {
			return wrong(t.key, "want a duration with its unit, such as 90s")
		}
	}
	if *c.Retries < 0 || *c.Retries > 100 {
		return wrong("retries", "want 0 to 100, got %d", *c.Retries)
	}
	return nil
}

// Decoding is what shapes replies, as JSON with sorted keys: the part of a
// model file that tells two recordings apart. It names no host, key or limit.
func (c Config) Decoding() []byte {
	c = c.withDefaults()
	shape := map[string]any{"body": c.parameters(), "layout": c.Layout, "wire": c.Wire}
	if c.SchemaAs == AsJSONObject {
		shape["schema_as"] = c.SchemaAs
	}
	data, err := json.Marshal(shape)
	if err != nil {
		return nil // Validate refuses such a file
	}
	return data
}

// parameters are the members of every request body, extra included.
func (c Config) parameters() map[string]any {
	members := map[string]any{"model": c.Model}
	maps.Copy(members, c.Extra)
	put(members, "temperature", c.Temperature)
	put(members, "top_p", c.TopP)
	put(members, "seed", c.Seed)
	put(members, "max_completion_tokens", c.MaxCompletionTokens)
	put(members, "reasoning_effort", c.ReasoningEffort)
	return members
}

func put[T any](members map[string]any, name string, value *T) {
	if value != nil {
		members[name] = *value
	}
}
