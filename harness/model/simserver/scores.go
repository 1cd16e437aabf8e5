package simserver

import (
	"encoding/json"
	"math"
	"net/http"

	"skillbench/harness/model/ngrams"
)

// A textRequest is what is read of a request to the completions that came before
// the chat. All that is served of them is what llmlingua needs: the prompt again
// (echo) with the log-probability of each token (logprobs), by package ngrams
// whatever the model's id. Nothing is written behind it.
type textRequest struct {
	Model    string  `json:"model"`
	Prompt   *string `json:"prompt"`
	Echo     bool    `json:"echo"`
	LogProbs *int    `json:"logprobs"`
	Stream   bool    `json:"stream"`
}

func parseTextRequest(body []byte) (*textRequest, *apiError) {
	var q textRequest
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, badRequest("", "the body is not a request for a completion: "+err.Error())
	}
	switch {
	case q.Prompt == nil || *q.Prompt == "":
		return nil, badRequest("prompt", "want one text")
	case !q.Echo || q.LogProbs == nil || *q.LogProbs < 0:
		return nil, badRequest("echo", "simulated models write nothing here: want echo and logprobs")
	case q.Stream:
		return nil, badRequest("stream", "want no stream")
	}
	return &q, nil
}

// A textChoice repeats the prompt and tells of its tokens.
type textChoice struct {
	Index    int    `json:"index"`
	Text     string `json:"text"`
	LogProbs struct {
		Tokens   []string   `json:"tokens"`
		LogProbs []*float64 `json:"token_logprobs"` // null for the first
		Offsets  []int      `json:"text_offset"`    // code points
	} `json:"logprobs"`
	Finish string `json:"finish_reason"`
}

func choiceOf(prompt string) textChoice {
	c := textChoice{Text: prompt, Finish: "length"}
	told, offset := &c.LogProbs, 0
	told.Tokens = ngrams.Tokens(prompt)
	for i, bits := range ngrams.New().Inform(told.Tokens) {
		var p *float64
		if i > 0 {
			p = new(-bits * math.Ln2)
		}
		told.LogProbs, told.Offsets = append(told.LogProbs, p), append(told.Offsets, offset)
		offset += len([]rune(told.Tokens[i]))
	}
	return c
}

// scores answers a request for them.
func (s *Server) scores(_ *http.Request, body []byte, hash [32]byte) (*answer, *apiError) {
	q, refused := parseTextRequest(body)
	if refused != nil {
		return nil, refused
	}
	if _, refused = s.simulated(q.Model); refused != nil {
		return nil, refused
	}
	tokens := s.prompts.count(*q.Prompt)
	if s.o.Context > 0 && tokens >= s.o.Context {
		return nil, s.overflow(tokens)
	}
	a := &answer{request: &chatRequest{}, choices: 1, head: s.headOf("cmpl-", q.Model, hash), usage: usage{Prompt: tokens, Total: tokens}}
	whole := struct {
		head
		Choices []textChoice `json:"choices"`
		Usage   usage        `json:"usage"`
	}{a.head, []textChoice{choiceOf(*q.Prompt)}, a.usage}
	whole.Object = "text_completion"
	a.whole = encoded(whole)
	return a, nil
}
