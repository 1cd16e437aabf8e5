package openai

import (
	"encoding/json"
	"fmt"
	"regexp"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A scoring asks how likely the tokens of a text are. It goes to the completions
// that came before the chat, which can repeat a prompt (echo) and tell of its
// tokens (logprobs), as vLLM and llama-cpp-python do. OpenAI's own models refuse
// the two together; llama.cpp's server refuses to repeat, or tells of what is
// written only.
type scoring struct {
	text   string // before it, and judged
	before int    // bytes that are only read
}

func newScoring(p prompt.Prompt) *scoring {
	before, text := model.Judged(p)
	return &scoring{before + text, len(before)}
}

// request has no parameter of the model file but the model: what shapes replies
// must not bend probabilities, and at temperature 1 nothing is scaled. It lets one
// token be written, because llama-cpp-python takes none for no bound.
func (s *scoring) request() api.CompletionRequest {
	return api.CompletionRequest{Model: placeholder, Prompt: s.text, Echo: true, LogProbs: 1, MaxTokens: 1, Temperature: 1}
}

// scored is the body of an answer.
type scored struct {
	completion
	Choices []struct {
		LogProbs *struct {
			Tokens   []string          `json:"tokens"`
			LogProbs []json.RawMessage `json:"token_logprobs"`
		} `json:"logprobs"`
	} `json:"choices"`
}

// read reads it. The error is a *defect: deterministic where the endpoint would
// say the same again.
func (s *scoring) read(body []byte) (*answer, error) {
	if body = stripped(body); !isJSON(body) {
		return nil, notJSON(body)
	}
	var b scored
	if err := decode(body, &b); err != nil {
		return nil, err
	}
	a, err := begun(body, &b.completion, len(b.Choices), "choices")
	if err != nil || a.fault != nil {
		return a, err
	}
	told := b.Choices[0].LogProbs
	switch {
	case told == nil || len(told.Tokens) == 0:
		return nil, useless("the endpoint returns no log-probabilities")
	case len(told.Tokens) != len(told.LogProbs):
		return nil, useless("the endpoint returns %d tokens and %d log-probabilities", len(told.Tokens), len(told.LogProbs))
	}
	a.scores, err = align(s.text, s.before, told.Tokens, numbers(told.LogProbs))
	a.finish = string(record.Stop)
	return a, err
}

// numbers are nil where there is none.
func numbers(list []json.RawMessage) []*float64 {
	out := make([]*float64, len(list))
	for i, data := range list {
		if json.Unmarshal(data, &out[i]) != nil {
			out[i] = nil
		}
	}
	return out
}

// useless is an answer that another attempt would not mend.
func useless(format string, args ...any) error {
	return &defect{model.Deterministic, fmt.Sprintf(format, args...)}
}

// incapable is how servers say that they cannot tell, under whatever status.
var incapable = regexp.MustCompile(`(?i)log_?probs?\b|logits_all|\becho\b`)

// never reports whether the endpoint says that it cannot do what is asked:
// llama-cpp-python does so with status 500.
func (s *scoring) never(f *fault) bool {
	return s != nil && f.class == model.Unavailable && incapable.MatchString(f.message)
}
