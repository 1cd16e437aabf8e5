package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// MaxVector bounds how many numbers a vector can have.
const MaxVector = 16_384

// Embeddings are what an endpoint made of texts.
type Embeddings struct {
	Vectors [][]float32      // of the texts, in their order; all of one size, 1 to MaxVector, and none of nothing but zeros
	Usage   *record.Usage    // as the endpoint counted; nil: it did not
	Served  string           // what the endpoint says that it is
	Failed  []record.Failure // attempts before the one that was answered
}

// Embed asks for a vector of each text, in one request. Of the parameters of the
// model file it sends the model and Extra. It tries again after failures that
// pass, as Generate does; the error is a *model.Error of the same classes. A text
// that does not fit is an error, because its vector would be of a part.
func (c *Client) Embed(ctx context.Context, texts []string) (Embeddings, error) {
	if err := c.fitting(texts); err != nil {
		return Embeddings{}, err
	}
	var made Embeddings
	failed, err := c.insist(ctx, func() *fault {
		a, f := c.attempt(ctx, body{embedding: &embedding{texts}})
		switch {
		case f != nil:
			return f
		case a.overflow != nil:
			return &fault{class: model.Deterministic, message: c.line.line("a text does not fit the context of the endpoint: " + a.overflow.message)}
		}
		made = Embeddings{Vectors: a.vectors, Usage: a.usage, Served: c.line.line(a.served())}
		return nil
	})
	made.Failed = failed
	return made, err
}

// fitting refuses what need not be sent.
func (c *Client) fitting(texts []string) error {
	refuse := func(format string, args ...any) error {
		return &model.Error{Class: model.Deterministic, Message: c.line.line(fmt.Sprintf(format, args...))}
	}
	if len(texts) == 0 {
		return refuse("want texts to embed, got none")
	}
	for i, text := range texts {
		if text == "" {
			return refuse("text %d of %d is empty: want something to embed", i+1, len(texts))
		}
		if c.cfg.ContextTokens == 0 {
			continue
		}
		if n := c.deps.Count(prompt.Prompt{{prompt.Label(prompt.Observation, text)}}); n > c.cfg.ContextTokens {
			return refuse("text %d of %d has %d tokens, context_tokens of the model file is %d", i+1, len(texts), n, c.cfg.ContextTokens)
		}
	}
	return nil
}

// An embedding asks for the vectors of texts.
type embedding struct{ texts []string }

func (e *embedding) request(cfg Config) api.EmbeddingRequestStrings {
	return api.EmbeddingRequestStrings{Input: e.texts, Model: api.EmbeddingModel(cfg.Model), ExtraBody: cfg.Extra}
}

// vectors is the body of an answer.
type vectors struct {
	completion
	Data []struct {
		Index  int             `json:"index"`
		Vector json.RawMessage `json:"embedding"`
	} `json:"data"`
}

// noNumber is how Python writes numbers that JSON has not.
var noNumber = regexp.MustCompile(`[\[,:]\s*-?(?:NaN|Infinity)\b`)

// read reads it. The error is a *defect: deterministic where the endpoint would
// say the same again.
func (e *embedding) read(data []byte) (*answer, error) {
	if data = stripped(data); !isJSON(data) {
		return nil, notJSON(data)
	}
	var b vectors
	if err := decode(data, &b); err != nil {
		if noNumber.Match(data) {
			return nil, useless("the endpoint returns a vector with a number that is none (NaN or Infinity)")
		}
		return nil, err
	}
	a, err := begun(data, &b.completion, len(b.Data), "vectors")
	if err != nil || a.fault != nil {
		return a, err
	}
	if a.vectors, err = e.place(b); err != nil {
		return nil, err
	}
	return a, nil
}

// place puts each vector at its text, by its index.
func (e *embedding) place(b vectors) ([][]float32, error) {
	n := len(e.texts)
	if len(b.Data) != n {
		return nil, useless("the endpoint returns %d vectors for %d texts", len(b.Data), n)
	}
	list := make([][]float32, n)
	for _, d := range b.Data {
		if d.Index < 0 || d.Index >= n || list[d.Index] != nil {
			return nil, useless("want one vector of each index from 0 to %d, found index %d twice or beyond", n-1, d.Index)
		}
		v, err := vectorOf(d.Vector)
		if err != nil {
			return nil, useless("the vector of index %d: %s", d.Index, err)
		}
		if list[d.Index] = v; len(v) != len(list[b.Data[0].Index]) {
			return nil, useless("want vectors of one size, found %d and %d numbers", len(list[b.Data[0].Index]), len(v))
		}
	}
	return list, nil
}

// vectorOf reads a vector whose every member is a number, one of them not zero.
func vectorOf(data json.RawMessage) ([]float32, error) {
	var numbers []*float64
	if err := json.Unmarshal(data, &numbers); err != nil {
		return nil, errors.New("want a list of numbers that 64 bits can hold")
	}
	if len(numbers) == 0 || len(numbers) > MaxVector {
		return nil, fmt.Errorf("want 1 to %d numbers, found %d", MaxVector, len(numbers))
	}
	v, some := make([]float32, len(numbers)), false
	for i, x := range numbers {
		if x == nil {
			return nil, fmt.Errorf("number %d is null", i+1)
		}
		if v[i] = float32(*x); math.IsInf(float64(v[i]), 0) {
			return nil, fmt.Errorf("number %d is %g, too large for 32 bits", i+1, *x)
		}
		some = some || v[i] != 0
	}
	if !some {
		return nil, fmt.Errorf("all of its %d numbers are 0", len(v))
	}
	return v, nil
}

// hopeless is how servers say under status 500 what another attempt does not mend:
// llama.cpp about a text beyond its batch, Ollama about a vector of no numbers.
var hopeless = regexp.MustCompile(`(?i)not support embedding|too large to process|unsupported value: NaN`)

// never reports whether the same request would fail again: an answer that is too
// large, or what the endpoint says that it cannot do.
func (e *embedding) never(f *fault) bool {
	if e == nil {
		return false
	}
	return f.class == model.OversizeBody || f.class == model.Unavailable && (f.status == http.StatusNotImplemented || hopeless.MatchString(f.message))
}
