package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

const testKey = "Zq7Wv3/+secret&key"

const okBody = `{"id":"c","created":1,"model":"served-1","system_fingerprint":"fp_9","choices":[{"index":0,"message":{"role":"assistant","content":"Action: Wait"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`

// An endpoint is a loopback server that answers attempts in turn, the last
// answer again and again, and keeps what arrived.
type endpoint struct {
	*httptest.Server
	mu      sync.Mutex
	answers []http.HandlerFunc
	bodies  []string
	headers []http.Header
	lengths []int64
}

func newEndpoint(t *testing.T, answers ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{answers: answers}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	e.mu.Lock()
	e.bodies = append(e.bodies, string(body))
	e.headers = append(e.headers, r.Header.Clone())
	e.lengths = append(e.lengths, r.ContentLength)
	answer := e.answers[0]
	if len(e.answers) > 1 {
		e.answers = e.answers[1:]
	}
	e.mu.Unlock()
	answer(w, r)
}

func (e *endpoint) members(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.bodies) == 0 {
		t.Fatal("nothing was sent")
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(e.bodies[len(e.bodies)-1]), &m); err != nil {
		t.Fatalf("body %q: %v", e.bodies[len(e.bodies)-1], err)
	}
	return m
}

func says(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// A bench is a client with what it was told to wait and say.
type bench struct {
	*Client
	sleeps  []time.Duration
	notices []string
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newBench(t *testing.T, e *endpoint, change func(*Config, *Deps)) *bench {
	t.Helper()
	b := &bench{}
	cfg := Config{Model: "m", BaseURL: e.URL + "/v1", KeyEnv: "TEST_KEY", Timeout: 20 * time.Second}
	deps := Deps{
		Clock: model.Clock{
			Now:   func() time.Time { return noon },
			Sleep: func(ctx context.Context, d time.Duration) error { b.sleeps = append(b.sleeps, d); return ctx.Err() },
		},
		Jitter: func() float64 { return 0.5 },
		Notice: func(s string) { b.notices = append(b.notices, s) },
	}
	if change != nil {
		change(&cfg, &deps)
	}
	c, err := New(cfg, testKey, deps)
	if err != nil {
		t.Fatal(err)
	}
	b.Client = c
	return b
}

func ask(text string) model.Request {
	return model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, text)}}, Form: model.ActionLine}
}

func mustReply(t *testing.T, b *bench) record.Reply {
	t.Helper()
	r, err := b.Generate(t.Context(), ask("hello"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustFail(t *testing.T, b *bench) *model.Error {
	t.Helper()
	r, err := b.Generate(t.Context(), ask("hello"))
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("want a *model.Error, got reply %+v, error %v", r, err)
	}
	return e
}

func show(u *record.Usage) string {
	if u == nil {
		return "none"
	}
	n := func(p *int) string {
		if p == nil {
			return "-"
		}
		return fmt.Sprint(*p)
	}
	return n(u.Prompt) + " " + n(u.Completion) + " " + n(u.Cached) + " " + n(u.Reasoning)
}
