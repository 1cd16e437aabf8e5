package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/tokens"
)

// tabs keeps text from making cells and lines of its own.
var tabs = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// A patient is an endpoint under examination.
type patient struct {
	cfg       openai.Config
	key       string
	encoding  *tokens.Encoding
	questions map[model.Wire]model.Request
	transport *headerTap
	say       func(string)
	findings  []finding
	calls     int
}

// doctorExperiment has the first prompt of an episode on each wire.
const doctorExperiment = `
name: doctor
tasks: [warehouse]
agents:
  - {base: skillstate, name: fenced, wire: fenced}
  - {base: skillstate, name: json_schema, wire: json_schema}
  - {base: skillstate, name: tool, wire: tool}
models: [sim:perfect]
horizons: 10
seeds: 1
`

func newPatient(s system, cfg openai.Config, key string) (*patient, error) {
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		return nil, err
	}
	retries := min(*cfg.Retries, 2)
	cfg.Retries, cfg.MaxWait = &retries, min(cfg.MaxWait, 10*time.Second)
	p := &patient{cfg: cfg, key: key, encoding: encoding, questions: map[model.Wire]model.Request{}}
	p.say = func(text string) { fmt.Fprintln(s.stderr, "skillbench: "+plain(text)) }
	p.transport = &headerTap{next: &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: cfg.ConnectTimeout}).DialContext, MaxResponseHeaderBytes: 1 << 20,
	}}
	x, node, err := harness.ParseExperiment("doctor", []byte(doctorExperiment), nil)
	if err != nil {
		return nil, err
	}
	plan, err := kit(nil).Plan(x, node)
	if err != nil {
		return nil, err
	}
	for _, c := range plan.Cells {
		e, err := plan.Episode(c, func(*harness.Model, harness.Task) (model.Model, error) { return nil, nil })
		if err == nil {
			p.questions[e.Settings.Wire], err = firstRequest(e)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// firstRequest is what an episode asks first.
func firstRequest(e *harness.Episode) (model.Request, error) {
	world, err := e.Task.New(e.Spec)
	if err != nil {
		return model.Request{}, err
	}
	agent, err := e.New(harness.Setup{Skill: e.Skill, Settings: e.Settings, Templates: e.Templates, Encoding: e.Encoding, Task: e.Task, Spec: e.Spec})
	if err != nil {
		return model.Request{}, err
	}
	o, _ := world.Observe()
	p, err := agent.Prompt(harness.View{Step: o.Step, Observation: o.Text, State: state.Deep.Apply(e.Skill.Initial, world.Truth())})
	return model.Request{Prompt: p, Form: agent.Form(), Wire: e.Settings.Wire, Schema: e.Skill.Schema.Raw(), Purpose: record.ForStep}, err
}

// A call is what became of one.
type call struct {
	request model.Request
	reply   record.Reply
	header  http.Header
	err     *model.Error
}

// call asks once with the model file changed as given; nil changes nothing.
func (p *patient) call(ctx context.Context, wire model.Wire, change func(*openai.Config)) call {
	cfg := p.cfg
	if change != nil {
		change(&cfg)
	}
	return p.ask(ctx, p.questions[wire], cfg)
}

// ask makes one request under a model file.
func (p *patient) ask(ctx context.Context, r model.Request, cfg openai.Config) call {
	p.calls++
	c := call{request: r}
	client, err := openai.New(cfg, p.key, openai.Deps{
		Clock: model.Wall(), Jitter: func() float64 { return 0.5 }, Transport: p.transport, Notice: p.say,
		Count: func(q prompt.Prompt) int { return p.encoding.Count(q.Text()) },
	})
	if err == nil {
		c.reply, err = client.Generate(ctx, c.request)
	}
	c.header = p.transport.last()
	if err != nil && !errors.As(err, &c.err) {
		c.err = &model.Error{Class: model.Deterministic, Message: err.Error()}
	}
	return c
}

// A headerTap keeps the header of the last response.
type headerTap struct {
	next http.RoundTripper
	mu   sync.Mutex
	seen http.Header
}

func (h *headerTap) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := h.next.RoundTrip(r)
	if err == nil {
		h.mu.Lock()
		h.seen = resp.Header
		h.mu.Unlock()
	}
	return resp, err
}

func (h *headerTap) last() http.Header {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.seen
}

// A listing is what GET /models says.
type listing struct {
	models map[string]int // context in tokens, 0 where it is not stated
	err    string
}

// find looks a model up; what follows a question mark are settings of an id.
func (l listing) find(id string) (context int, known bool) {
	context, known = l.models[id]
	if name, _, set := strings.Cut(id, "?"); set && !known {
		context, known = l.models[name]
	}
	return context, known
}

// maxList bounds the list of models, in bytes.
const maxList = 16 << 20

func (p *patient) list(ctx context.Context) listing {
	ctx, cancel := context.WithTimeout(ctx, min(p.cfg.Timeout, 30*time.Second))
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(p.cfg.BaseURL, "/")+"/models", nil)
	if err != nil {
		return listing{err: "cannot be asked for"}
	}
	if p.key != "" {
		request.Header.Set("Authorization", "Bearer "+p.key)
	}
	response, err := p.transport.RoundTrip(request)
	if err != nil {
		return listing{err: "none"}
	}
	defer response.Body.Close() // only read from
	if response.StatusCode != http.StatusOK {
		return listing{err: fmt.Sprintf("none (HTTP %d)", response.StatusCode)}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxList))
	if err != nil {
		return listing{err: "broke off"}
	}
	return parseList(body)
}

func parseList(body []byte) listing {
	var list struct {
		Data []struct {
			ID     string  `json:"id"`
			VLLM   float64 `json:"max_model_len"`
			Router float64 `json:"context_length"`
			Groq   float64 `json:"context_window"`
			Meta   struct {
				Trained float64 `json:"n_ctx_train"` // llama.cpp
			} `json:"meta"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return listing{err: "not as OpenAI lists models"}
	}
	l := listing{models: map[string]int{}}
	for _, m := range list.Data {
		id := strings.TrimPrefix(m.ID, "models/") // Gemini lists its models so
		l.models[id] = int(max(m.VLLM, m.Router, m.Groq, m.Meta.Trained))
	}
	return l
}
