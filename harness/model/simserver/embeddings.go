package simserver

import (
	"encoding/json"
	"fmt"
	"net/http"

	"skillbench/harness/model/sim"
)

// An Embedder makes vectors of texts.
type Embedder interface {
	Name() string // the id of the model
	Embed(text string) []float64
}

// embeddings answers a request for vectors of texts.
func (s *Server) embeddings(_ *http.Request, body []byte, hash [32]byte) (*answer, *apiError) {
	var q struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	switch err := json.Unmarshal(body, &q); {
	case err != nil:
		return nil, badRequest("input", "want a list of texts as input: "+err.Error())
	case q.Model != s.o.Embedder.Name():
		return nil, &apiError{status: http.StatusNotFound, Kind: "invalid_request_error", Message: fmt.Sprintf("the model %q does not exist, the one of vectors is %s", q.Model, s.o.Embedder.Name())}
	case len(q.Input) == 0:
		return nil, badRequest("input", "want at least one text")
	}
	type vector struct {
		Object string    `json:"object"`
		Index  int       `json:"index"`
		Vector []float64 `json:"embedding"`
	}
	whole := struct {
		Object string   `json:"object"`
		Data   []vector `json:"data"`
		Model  string   `json:"model"`
		Served string   `json:"system_fingerprint"`
		Usage  usage    `json:"usage"`
	}{Object: "list", Model: q.Model, Served: sim.Served}
	for i, text := range q.Input {
		n := s.prompts.count(text)
		if s.o.Context > 0 && n > s.o.Context {
			return nil, s.overflow(n)
		}
		whole.Data = append(whole.Data, vector{"embedding", i, s.o.Embedder.Embed(text)})
		whole.Usage.Prompt += n
	}
	whole.Usage.Total = whole.Usage.Prompt
	return &answer{request: &chatRequest{}, choices: 1, head: s.headOf("embd-", q.Model, hash), usage: whole.Usage, whole: encoded(whole)}, nil
}
