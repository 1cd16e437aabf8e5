package openai

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/model/limit"
)

const fullFile = `name: local
base_url: http://127.0.0.1:8000/v1
model: qwen
key_env: QWEN_KEY
temperature: 0
top_p: 1
seed: 7
max_completion_tokens: 512
reasoning_effort: low
extra:
  top_k: 20
  chat_template_kwargs: {enable_thinking: false}
wire: tool
layout: system_user
stream: true
timeout: 90s
connect_timeout: 3s
retries: 0
max_wait: 1m
context_tokens: 4096
limits: {rpm: 60, tpm: 9000, concurrency: 4}
price: qwen-hosted
`

func TestParse(t *testing.T) {
	t.Parallel()
	got, err := Parse("m.yaml", []byte(fullFile))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Name: "local", BaseURL: "http://127.0.0.1:8000/v1", Model: "qwen", KeyEnv: "QWEN_KEY",
		Temperature: new(0.0), TopP: new(1.0), Seed: new(int64(7)), MaxCompletionTokens: new(512), ReasoningEffort: new("low"),
		Extra: map[string]any{"top_k": 20, "chat_template_kwargs": map[string]any{"enable_thinking": false}},
		Wire:  model.Tool, Layout: SystemUser, Stream: true,
		Timeout: 90 * time.Second, ConnectTimeout: 3 * time.Second, Retries: new(0), MaxWait: time.Minute, ContextTokens: 4096,
		Limits: limit.Rates{RPM: 60, TPM: 9000, Concurrency: 4}, Price: "qwen-hosted",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	const decoding = `{"body":{"chat_template_kwargs":{"enable_thinking":false},"max_completion_tokens":512,"model":"qwen","reasoning_effort":"low","seed":7,"temperature":0,"top_k":20,"top_p":1},"layout":"system_user","wire":"tool"}`
	if got := string(got.Decoding()); got != decoding {
		t.Errorf("decoding %s", got)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	got, err := Parse("m.yaml", []byte("model: a\nbase_url: https://h/v1\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := Config{Name: "a", Model: "a", BaseURL: "https://h/v1", Wire: model.Fenced, Layout: User,
		Timeout: 10 * time.Minute, ConnectTimeout: 10 * time.Second, Retries: new(5), MaxWait: 2 * time.Minute}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWrongFiles(t *testing.T) {
	t.Parallel()
	const ok = "model: a\nbase_url: https://h/v1\n"
	for in, want := range map[string]string{
		"":                                            "m.yaml: want a model file, got an empty one",
		"\t":                                          "m.yaml: found character that cannot start any token",
		ok + "api_key: x\n":                           "m.yaml:3: field api_key is not a key of a model file",
		ok + "temperature: hot\n":                     "m.yaml:3: cannot unmarshal !!str `hot` into float64",
		ok + "temperature: -1\n":                      "m.yaml:3: temperature: want 0 to 10, got -1",
		ok + "temperature: .nan\n":                    "m.yaml:3: temperature: want 0 to 10, got NaN",
		ok + "top_p: 2\n":                             "m.yaml:3: top_p: want 0 to 1, got 2",
		ok + "max_completion_tokens: 0\n":             "m.yaml:3: max_completion_tokens: want 1 or more, got 0",
		ok + "extra: {temperature: 1}\n":              "m.yaml:3: extra: temperature has a key of its own or is set by the program",
		ok + "extra: {messages: []}\n":                "m.yaml:3: extra: messages has a key of its own or is set by the program",
		ok + "extra: {a: .inf}\n":                     "m.yaml:3: extra: want values that JSON can hold: json: unsupported value: +Inf",
		ok + "extra: {a: {1: 2}}\n":                   "m.yaml:3: extra: want values that JSON can hold: json: unsupported type: map[interface {}]interface {}",
		ok + "wire: xml\n":                            `m.yaml:3: wire: want fenced, json_schema or tool, got "xml"`,
		ok + "layout: x\n":                            `m.yaml:3: layout: want user or system_user, got "x"`,
		ok + "timeout: 60\n":                          "m.yaml:3: cannot unmarshal !!int `60` into a duration such as 90s",
		ok + "timeout: 60ns\n":                        "m.yaml:3: timeout: want a duration with its unit, such as 90s",
		ok + "limits: {rps: 1}\n":                     "m.yaml:3: field rps is not a key of limits",
		ok + "retries: -1\n":                          "m.yaml:3: retries: want 0 to 100, got -1",
		ok + "limits:\n  rpm: 5\n  tpm: -2\n":         "m.yaml:5: limits.tpm: want 0 (no limit) or more, got -2",
		ok + "model: b\n":                             `m.yaml:3: mapping key "model" already defined at line 1`,
		ok + "---\na: b\n":                            "m.yaml: want one YAML document, found more",
		"base_url: https://h/v1\n":                    "m.yaml:1: model: want the endpoint's name for the model, got none",
		"model: a\n":                                  "m.yaml:1: base_url: want a URL such as https://api.openai.com/v1",
		"model: a\nbase_url: h/v1\n":                  "m.yaml:2: base_url: want a URL such as https://api.openai.com/v1",
		"model: a\nbase_url: https://u:secret@h/v1\n": "m.yaml:2: base_url: want no user, query or fragment: keys are named by key_env",
	} {
		_, err := Parse("m.yaml", []byte(in))
		if err == nil || err.Error() != want {
			t.Errorf("%q:\n got %v\nwant %s", in, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%v tells a password", err)
		}
	}
}

func TestNewWantsItsParts(t *testing.T) {
	t.Parallel()
	cfg := Config{Model: "a", BaseURL: "https://h/v1"}
	if _, err := New(cfg, "", Deps{}); err == nil {
		t.Error("no clock: want an error")
	}
	cfg.ContextTokens = 5
	if _, err := New(cfg, "", Deps{Clock: model.Wall(), Jitter: func() float64 { return 0 }}); err == nil {
		t.Error("context_tokens without a counter: want an error")
	}
	if _, err := New(Config{Model: "a"}, "", Deps{}); err == nil {
		t.Error("no base_url: want an error")
	}
}
