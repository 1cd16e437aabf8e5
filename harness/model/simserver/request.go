package simserver

import (
	"encoding/json"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/transition"
)

// A chatRequest is what is read of a request. Temperature, top_p and the like
// change nothing in what a simulated model says.
type chatRequest struct {
	Model         string        `json:"model"`
	Messages      []chatMessage `json:"messages"`
	Stream        bool          `json:"stream"`
	StreamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
	ResponseFormat struct {
		Type string `json:"type"`
	} `json:"response_format"`
	Tools []struct {
		Function struct {
			Name string `json:"name"`
		} `json:"function"`
	} `json:"tools"`
	ToolChoice          any  `json:"tool_choice"`
	N                   *int `json:"n"`
	MaxCompletionTokens *int `json:"max_completion_tokens"`
	MaxTokens           *int `json:"max_tokens"`
}

type chatMessage struct {
	Content content `json:"content"`
}

// content is text, or a list of parts that hold text.
type content string

func (c *content) UnmarshalJSON(data []byte) error {
	var text *string
	if json.Unmarshal(data, &text) == nil {
		if text != nil {
			*c = content(*text)
		}
		return nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*c += content(p.Text)
	}
	return nil
}

func parseRequest(body []byte) (*chatRequest, *apiError) {
	var q chatRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badRequest("", "the body is not a chat request: "+err.Error())
	}
	switch limit := q.limit(); {
	case len(q.Messages) == 0:
		return nil, badRequest("messages", "want at least one message")
	case q.N != nil && *q.N != 1:
		return nil, badRequest("n", "want one choice")
	case limit != nil && *limit < 1:
		return nil, badRequest("max_completion_tokens", "want 1 or more")
	}
	for _, t := range q.Tools {
		if t.Function.Name != transition.ToolName {
			return nil, badRequest("tools", "simulated models know no tool but "+transition.ToolName)
		}
	}
	return &q, nil
}

// text is the prompt: the messages one after another, as clients split it.
func (q *chatRequest) text() string {
	var b strings.Builder
	for _, m := range q.Messages {
		b.WriteString(string(m.Content))
	}
	return b.String()
}

// limit is the number of tokens that the reply may have; nil means any.
func (q *chatRequest) limit() *int {
	if q.MaxCompletionTokens != nil {
		return q.MaxCompletionTokens
	}
	return q.MaxTokens
}

func (q *chatRequest) wire() model.Wire {
	switch {
	case len(q.Tools) > 0 && q.ToolChoice != "none":
		return model.Tool
	case q.ResponseFormat.Type == "json_schema":
		return model.JSONSchema
	}
	return model.Fenced
}
