package openai

import (
	"encoding/json"
	"fmt"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
)

// FunctionName is the one function of wire tool.
const FunctionName = "propose_transition"

// A body is the part of a request that differs from call to call.
type body struct {
	api.ChatCompletionRequest        // the model name in it is a placeholder (see head)
	members                   []byte // further members, which go-openai cannot express

	scoring   *scoring   // asks for scores in place of the chat
	embedding *embedding // asks for vectors in its place; both nil: it is a chat
}

// read reads a body that answers it. The error is a *defect.
func (b body) read(data []byte) (*answer, error) {
	switch {
	case b.scoring != nil:
		return b.scoring.read(data)
	case b.embedding != nil:
		return b.embedding.read(data)
	}
	return readAnswer(data)
}

// unable makes a fault final where another attempt would meet it again, though
// its class is one of those that pass.
func (b body) unable(f *fault) *fault {
	if f != nil && (b.scoring.never(f) || b.embedding.never(f)) {
		f.class, f.retryAfter = model.Deterministic, 0
	}
	return f
}

// body builds it.
func (c *Client) body(req model.Request) (body, error) {
	if req.Form == model.Scores {
		return body{scoring: newScoring(req.Prompt)}, nil
	}
	return c.chat(req)
}

func (c *Client) chat(req model.Request) (body, error) {
	chat := body{ChatCompletionRequest: api.ChatCompletionRequest{Model: placeholder, Messages: messages(req.Prompt, c.cfg.Layout), Stream: c.cfg.Stream}}
	if chat.Stream {
		chat.StreamOptions = &api.StreamOptions{IncludeUsage: true}
	}
	wire := req.Wire
	setDefault(&wire, c.cfg.Wire)
	if req.Form != model.Envelope || wire == model.Fenced {
		return chat, nil
	}
	e, err := c.envelopes.of(req.Schema)
	if err != nil {
		return chat, err
	}
	if wire == model.JSONSchema && c.cfg.SchemaAs == AsJSONObject {
		schema, err := withoutPatterns(e.schema)
		chat.members = fmt.Appendf(nil, `,"response_format":{"type":"json_object","schema":%s}`, schema)
		return chat, err
	}
	if wire == model.JSONSchema {
		chat.ResponseFormat = &api.ChatCompletionResponseFormat{
			Type:       api.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &api.ChatCompletionResponseFormatJSONSchema{Name: FunctionName, Schema: e.schema, Strict: e.strict},
		}
		return chat, nil
	}
	chat.Tools = []api.Tool{{Type: api.ToolTypeFunction, Function: &api.FunctionDefinition{
		Name:        FunctionName,
		Description: "Propose the change of state and the one next action.",
		Strict:      e.strict,
		Parameters:  json.RawMessage(e.schema),
	}}}
	chat.ToolChoice = api.ToolChoice{Type: api.ToolTypeFunction, Function: api.ToolFunction{Name: FunctionName}}
	chat.ParallelToolCalls = false
	return chat, nil
}

// messages spread a prompt so that their contents, one after another, are
// exactly its text. A message is never empty: go-openai would leave its
// content out.
func messages(p prompt.Prompt, layout Layout) []api.ChatCompletionMessage {
	text, system := p.Text(), 0
	if layout == SystemUser {
		system = leading(p)
	}
	if system == 0 || system == len(text) {
		return []api.ChatCompletionMessage{{Role: api.ChatMessageRoleUser, Content: text}}
	}
	return []api.ChatCompletionMessage{
		{Role: api.ChatMessageRoleSystem, Content: text[:system]},
		{Role: api.ChatMessageRoleUser, Content: text[system:]},
	}
}

// leading is the length in bytes of the instructions that open a prompt.
func leading(p prompt.Prompt) int {
	n := 0
	for s := range p.Segments() {
		if s.Kind != prompt.Instructions {
			break
		}
		n += len(s.Text)
	}
	return n
}
