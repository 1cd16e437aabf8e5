package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// An answer is a completion as read from a body, streamed or not.
type answer struct {
	model, fingerprint string

	text, thinking, refusal strings.Builder
	calls                   []function
	scores                  record.Scores // of an answer to scoring
	vectors                 [][]float32   // of an answer to embedding
	finish                  string
	choices                 int
	usage                   *record.Usage
	complete                bool // it has all its parts, whatever became of the connection
	fault                   *providerError
	overflow                *providerError // how the endpoint says that the prompt does not fit; nil: it does
}

func (a *answer) served() string { return strings.TrimSpace(a.model + " " + a.fingerprint) }

// A defect is a body that holds no completion.
type defect struct{ class, text string }

func (d *defect) Error() string { return d.class + ": " + d.text }

// completion is a whole body, or one chunk of a stream. Members of the wrong
// kind are skipped: a float for created must not cost a reply.
type completion struct {
	Model       string          `json:"model"`
	Fingerprint string          `json:"system_fingerprint"`
	Choices     []choice        `json:"choices"`
	Usage       *usage          `json:"usage"`
	Error       json.RawMessage `json:"error"`

	// An error without its object, as vLLM once sent it.
	Object  string `json:"object"`
	Message string `json:"message"`
}

type choice struct {
	Index   int     `json:"index"`
	Message message `json:"message"`
	Delta   message `json:"delta"`
	Finish  string  `json:"finish_reason"`
}

type message struct {
	Content          content   `json:"content"`
	Refusal          string    `json:"refusal"`
	Reasoning        string    `json:"reasoning"`         // vLLM, OpenRouter, Ollama
	ReasoningContent string    `json:"reasoning_content"` // DeepSeek, llama.cpp, older vLLM
	ToolCalls        []call    `json:"tool_calls"`
	FunctionCall     *function `json:"function_call"`
}

type call struct {
	Index    *int     `json:"index"`
	ID       string   `json:"id"`
	Function function `json:"function"`
}

type function struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// content is text, or a list of parts of which the texts count.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*c = content(text)
		return nil
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if json.Unmarshal(data, &parts) != nil {
		return nil
	}
	for _, p := range parts {
		if p.Type == "text" || p.Type == "" {
			*c += content(p.Text)
		}
	}
	return nil
}

// arguments are a string that holds JSON, or, from some servers, the JSON.
type arguments string

func (t *arguments) UnmarshalJSON(data []byte) error {
	var text string
	switch {
	case json.Unmarshal(data, &text) == nil:
		*t = arguments(text)
	case string(data) != "null":
		*t = arguments(data)
	}
	return nil
}

// readAnswer reads a body. The error is a *defect.
func readAnswer(body []byte) (*answer, error) {
	body = stripped(body)
	switch {
	case isStream(body):
		return readStream(body)
	case !isJSON(body):
		return nil, notJSON(body)
	}
	return readWhole(body)
}

// stripped is a body without what some servers put around it.
func stripped(body []byte) []byte {
	return bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")))
}

func isJSON(body []byte) bool { return len(body) > 0 && (body[0] == '{' || body[0] == '[') }

func notJSON(body []byte) error {
	if len(body) == 0 {
		return &defect{model.EmptyBody, "nothing in the body"}
	}
	return &defect{model.NotJSON, "want JSON, got " + string(body[:min(len(body), 200)]) + " (does base_url end in /v1?)"}
}

func readWhole(body []byte) (*answer, error) {
	var c completion
	if err := decode(body, &c); err != nil {
		return nil, err
	}
	a, err := begun(body, &c, len(c.Choices), "choices")
	if err != nil || a.fault != nil {
		return a, err
	}
	a.choose(&c.Choices[0])
	if a.finish == "error" {
		return nil, &defect{model.ErrorBody, "finish_reason is error"}
	}
	return a, nil
}

// decode reads a whole body. Members of the wrong kind are skipped.
func decode(body []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	err := dec.Decode(into)
	if _, kind := errors.AsType[*json.UnmarshalTypeError](err); kind {
		err = nil
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &defect{model.CutBody, "the JSON ends early"}
	case err != nil:
		return &defect{model.NotJSON, err.Error()}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return &defect{model.Trailing, "more text after the JSON"}
	}
	return nil
}

// begun is an answer of so many choices, or what stands in their place, with all
// but them: it has one or more, or a fault.
func begun(body []byte, c *completion, choices int, what string) (*answer, error) {
	a := &answer{choices: choices, complete: true}
	a.take(c)
	if a.fault == nil && (body[0] == '[' || choices == 0 && (c.Object == "error" || c.Message != "")) {
		a.fault = faultIn(body)
	}
	if a.fault == nil && choices == 0 {
		return nil, &defect{model.NoChoices, "a success without " + what}
	}
	return a, nil
}

// take keeps what a body or chunk says beside its choices.
func (a *answer) take(c *completion) {
	if c.Model != "" {
		a.model = c.Model
	}
	if c.Fingerprint != "" {
		a.fingerprint = c.Fingerprint
	}
	if c.Usage != nil {
		a.usage = c.Usage.record()
	}
	if has(c.Error) {
		a.fault = unwrap(c.Error, 4)
	}
}

func (a *answer) choose(c *choice) {
	for _, m := range []*message{&c.Message, &c.Delta} {
		a.text.WriteString(string(m.Content))
		a.refusal.WriteString(m.Refusal)
		if m.ReasoningContent != "" {
			a.thinking.WriteString(m.ReasoningContent)
		} else {
			a.thinking.WriteString(m.Reasoning)
		}
		a.addCalls(m)
	}
	if c.Finish != "" {
		a.finish = c.Finish
	}
}

func (a *answer) addCalls(m *message) {
	for _, t := range m.ToolCalls {
		a.calls = append(a.calls, t.Function)
	}
	if m.FunctionCall != nil {
		a.calls = append(a.calls, *m.FunctionCall)
	}
}

// finish translates a finish_reason.
func finish(reason string) record.Finish {
	switch strings.ToLower(reason) {
	case "stop", "eos", "end_turn", "stop_sequence":
		return record.Stop
	case "length", "max_tokens":
		return record.Length
	case "tool_calls", "function_call", "tool_use":
		return record.ToolCalls
	case "content_filter", "safety":
		return record.ContentFilter
	}
	return record.Unknown
}
