package openai

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// hangUp ends the connection after what was written.
func hangUp(w http.ResponseWriter, reset bool) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok && reset {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func cutAfter(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "5000")
		_, _ = io.WriteString(w, text)
		_ = http.NewResponseController(w).Flush()
		hangUp(w, false)
	}
}

// Every failure here is followed by a reply, and the reply tells of it.
func TestFailuresThatPass(t *testing.T) {
	t.Parallel()
	html := "<html><body>502 Bad Gateway</body></html>"
	for _, tc := range []struct {
		name   string
		answer http.HandlerFunc
		class  string
		status int
		usage  string
	}{
		{"408", says(408, ""), model.Unavailable, 408, "none"},
		{"409", says(409, "{}"), model.Unavailable, 409, "none"},
		{"425", says(425, ""), model.Unavailable, 425, "none"},
		{"429", says(429, `{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}`), model.RateLimited, 429, "none"},
		{"429 about tokens", says(429, `{"error":{"message":"too many tokens per minute, reduce the length of the messages"}}`), model.RateLimited, 429, "none"},
		{"500", says(500, `{"error":"boom","usage":{"prompt_tokens":4}}`), model.Unavailable, 500, "4 - - -"},
		{"502 HTML", says(502, html), model.Unavailable, 502, "none"},
		{"503", says(503, `{"object":"error","message":"loading"}`), model.Unavailable, 503, "none"},
		{"529", says(529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), model.Unavailable, 529, "none"},
		{"200 HTML", says(200, html, "Content-Type", "text/html"), model.NotJSON, 200, "none"},
		{"200 broken JSON", says(200, `{"choices":[}`), model.NotJSON, 200, "none"},
		{"200 with an error", says(200, `{"error":{"message":"Provider returned error","code":502},"usage":{"prompt_tokens":4,"completion_tokens":0}}`), model.Unavailable, 200, "4 0 - -"},
		{"200 with a rate limit", says(200, `{"error":{"message":"slow down","code":429}}`), model.RateLimited, 200, "none"},
		{"200 with a bare error", says(200, `{"error":"something"}`), model.ErrorBody, 200, "none"},
		{"200 with a flat error", says(200, `{"object":"error","message":"engine died"}`), model.ErrorBody, 200, "none"},
		{"choices empty", says(200, `{"choices":[],"usage":{"prompt_tokens":4,"completion_tokens":1}}`), model.NoChoices, 200, "4 1 - -"},
		{"choices null", says(200, `{"choices":null}`), model.NoChoices, 200, "none"},
		{"no choices", says(200, `{}`), model.NoChoices, 200, "none"},
		{"choices of another kind", says(200, `{"choices":"none"}`), model.NoChoices, 200, "none"},
		{"finish_reason error", says(200, choiceBody(`{"content":"half"}`, `"error"`, ``)), model.ErrorBody, 200, "none"},
		{"cut body", cutAfter(okBody[:60]), model.CutBody, 200, "none"},
		{"cut body, length right", says(200, okBody[:60]), model.CutBody, 200, "none"},
		{"204", says(204, ""), model.EmptyBody, 204, "none"},
		{"nothing", says(200, " \n"), model.EmptyBody, 200, "none"},
		{"garbage after JSON", says(200, okBody+"\n<!-- proxy -->"), model.Trailing, 200, "none"},
		{"two JSON values", says(200, okBody+okBody), model.Trailing, 200, "none"},
		{"reset", func(w http.ResponseWriter, _ *http.Request) { hangUp(w, true) }, model.Connection, 0, "none"},
		{"stream without end", says(200, chunk(`{"content":"Action: Wa"}`, `null`)), model.StreamCut, 200, "none"},
		{"stream without end, with usage", says(200, chunk(`{"content":"a"}`, `null`)+`data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":1}}`+"\n"), model.StreamCut, 200, "5 1 - -"},
		{"stream cut in a chunk", says(200, chunk(`{"content":"a"}`, `null`)+`data: {"choices":[{"del`), model.StreamCut, 200, "none"},
		{"stream reset", cutAfter(chunk(`{"content":"a"}`, `null`)), model.CutBody, 200, "none"},
		{"stream of nothing", says(200, "data: [DONE]\n"), model.NoChoices, 200, "none"},
		{"stream with an error", says(200, chunk(`{"content":"a"}`, `null`)+": hm\n"+`data: { "error":{"message":"upstream","code":503}}`+"\n"), model.Unavailable, 200, "none"},
		{"stream with an error line", says(200, chunk(`{"content":"a"}`, `null`)+`error: {"code":500,"message":"slot lost"}`+"\n"), model.Unavailable, 200, "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, tc.answer, says(200, okBody))
			b := newBench(t, e, func(c *Config, _ *Deps) { c.Stream = strings.HasPrefix(tc.name, "stream") })
			r := mustReply(t, b)
			if len(r.Failed) != 1 {
				t.Fatalf("failed attempts: %+v", r.Failed)
			}
			f := r.Failed[0]
			if f.Class != tc.class || f.Status != tc.status || show(f.Usage) != tc.usage {
				t.Errorf("got %s, %d, usage %s; want %s, %d, %s", f.Class, f.Status, show(f.Usage), tc.class, tc.status, tc.usage)
			}
			if r.Text != "Action: Wait" || len(b.sleeps) != 1 || len(b.notices) != 1 || !strings.Contains(b.notices[0], tc.class) {
				t.Errorf("reply %q after waits %v, notices %q", r.Text, b.sleeps, b.notices)
			}
			if e.bodies[0] != e.bodies[1] {
				t.Error("the second attempt sent another body")
			}
		})
	}
}

func TestFailuresThatStay(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		status int
		body   string
		says   string
	}{
		{"400", 400, `{"error":{"message":"bad\nthing","type":"invalid_request_error"}}`, "bad thing"},
		{"400 flat", 400, `{"object":"error","message":"bad thing","type":"BadRequestError","param":null,"code":400}`, "bad thing"},
		{"400 bare", 400, `{"error":"bad thing"}`, "bad thing"},
		{"400 in a list", 400, `[{"error":{"code":400,"message":"bad thing","status":"INVALID_ARGUMENT"}}]`, "bad thing"},
		{"400 behind a router", 400, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"bad thing"}}}`, "bad thing"},
		{"400 empty", 400, ``, "Bad Request"},
		{"401", 401, `{"error":{"message":"no"}}`, "the key in TEST_KEY was not accepted: no"},
		{"402", 402, `{"error":{"message":"pay"}}`, "pay"},
		{"403", 403, `{"error":{"message":"no"}}`, "the key in TEST_KEY was not accepted: no"},
		{"404", 404, `404 page not found`, "look at model and base_url"},
		{"405", 405, ``, "look at model and base_url"},
		{"413", 413, `{"error":{"message":"Request too large for tokens per minute"}}`, "Request too large"},
		{"422", 422, `{"detail":[{"loc":["body","x"],"msg":"field required"}]}`, "field required"},
		{"redirect", 307, ``, "redirects to"},
		{"quota", 429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, "quota"},
		{"200 with a refusal", 200, `{"error":{"message":"bad thing","type":"invalid_request_error"}}`, "bad thing"},
		{"200 with a code", 200, `{"error":{"message":"bad thing","code":"401"}}`, "bad thing"},
		{"temperature", 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","param":"temperature","code":"unsupported_value"}}`, "the endpoint refuses temperature; unset it in the model file: Unsupported"},
		{"max_tokens", 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model.","param":"max_tokens","code":"unsupported_parameter"}}`, "refuses extra.max_tokens; unset it"},
		{"named in the text only", 422, `{"detail":[{"type":"extra_forbidden","loc":["body","max_tokens"],"msg":"Extra inputs are not permitted"}]}`, "refuses extra.max_tokens; unset it"},
		{"response_format", 400, `{"error":{"message":"This response_format type is unsupported","code":null}}`, "set wire: fenced"},
		{"system", 400, `{"error":{"message":"Unsupported value: 'messages[0].role' does not support 'system' with this model."}}`, "set layout: user"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(tc.status, tc.body, "Location", "/elsewhere"))
			b := newBench(t, e, func(c *Config, _ *Deps) { c.Temperature, c.Extra = new(0.0), map[string]any{"max_tokens": 5} })
			err := mustFail(t, b)
			if err.Class != model.Deterministic || err.Status != tc.status || !strings.Contains(err.Message, tc.says) {
				t.Errorf("%+v, want %q", err, tc.says)
			}
			if strings.Contains(err.Message, "\n") || len(e.bodies) != 1 || len(b.sleeps) != 0 {
				t.Errorf("message %q, %d requests, waits %v", err.Message, len(e.bodies), b.sleeps)
			}
		})
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(400, strings.Repeat("é\x00", 1<<20)))
	if err := mustFail(t, newBench(t, e, nil)); len([]rune(err.Message)) > maxMessage+1 {
		t.Errorf("%d runes", len([]rune(err.Message)))
	}
}

func TestOverflowIsAReply(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"OpenAI":               says(400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`),
		"OpenAI, newer":        says(400, `{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}`),
		"vLLM":                 says(400, `{"object":"error","message":"This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion).","type":"BadRequestError","param":null,"code":400}`),
		"vLLM, newer":          says(400, `{"error":{"message":"This model's maximum context length is 2048 tokens. However, your request has 2045 input tokens plus 64 'max_tokens'.","type":"BadRequestError","param":"input_tokens, max_tokens","code":400}}`),
		"vLLM, negative":       says(400, `{"object":"error","message":"max_tokens must be at least 1, got -186.","type":"BadRequestError","code":400}`),
		"llama.cpp":            says(400, `{"error":{"code":400,"message":"request (4476 tokens) exceeds the available context size (4096 tokens)","type":"exceed_context_size_error","n_prompt_tokens":4476,"n_ctx":4096}}`),
		"llama.cpp, status":    says(500, `{"error":{"code":500,"message":"the request exceeds the available context size. try increasing the context size or enable context shift","type":"exceed_context_size_error"}}`),
		"llama.cpp, under 200": says(200, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`),
		"llama-cpp-python":     says(400, `{"error":{"message":"Requested tokens (2285) exceed context window of 2048"}}`),
		"Ollama":               says(400, `{"error":{"message":"the input length exceeds the context length","type":"invalid_request_error"}}`),
		"Ollama, prompt":       says(400, `{"error":"prompt too long; exceeded max context length by 12 tokens"}`),
		"Gemini":               says(400, `[{"error":{"code":400,"message":"The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`),
		"OpenRouter":           says(400, `{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 138956 tokens (7884 of text input, 131 in the output).","code":400}}`),
		"OpenRouter, wrapped":  says(200, `{"error":{"message":"Provider returned error","code":502,"metadata":{"raw":"{\"message\":\"This model's maximum context length is 16000 tokens.\"}"}}}`),
		"Anthropic":            says(400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 213462 tokens > 200000 maximum"}}`),
		"SGLang":               says(400, `{"object":"error","message":"The input (61709 tokens) is longer than the model's context length (40960 tokens).","type":"BadRequestError","code":400}`),
		"xAI":                  says(400, `{"error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`),
		"TGI":                  says(422, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096\"}"),
		"413":                  says(413, `{"error":{"message":"too long","code":"context_length_exceeded"}}`),
		"stream":               says(200, `data: {"error":{"code":400,"message":"request (9 tokens) exceeds the available context size (4 tokens)"}}`+"\n"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, answer)
			b := newBench(t, e, func(c *Config, _ *Deps) { c.MaxCompletionTokens = new(512) })
			if d := cmp.Diff(record.Reply{Finish: record.Overflow}.Clean(), mustReply(t, b)); d != "" {
				t.Error(d)
			}
		})
	}
}

// A completion limit as large as the context fails for every prompt: calling
// that a result of the strategy would fill a report with lies.
func TestLimitThatFillsTheContext(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(400, `{"error":{"message":"'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 12 input tokens"}}`))
	err := mustFail(t, newBench(t, e, func(c *Config, _ *Deps) { c.MaxCompletionTokens = new(4096) }))
	if err.Class != model.Deterministic || !strings.Contains(err.Message, "max_completion_tokens is 4096") {
		t.Errorf("%+v", err)
	}
}

func TestExhaustion(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(500, `{"usage":{"prompt_tokens":2}}`), says(429, "", "Retry-After", "3"), says(503, "down"))
	b := newBench(t, e, func(c *Config, _ *Deps) { c.Retries = new(3) })
	err := mustFail(t, b)
	want := []record.Failure{{Class: "unavailable", Status: 500, Usage: &record.Usage{Prompt: new(2)}}, {Class: "rate_limited", Status: 429}, {Class: "unavailable", Status: 503}, {Class: "unavailable", Status: 503}}
	if d := cmp.Diff(want, err.Failed); d != "" {
		t.Error(d)
	}
	if err.Class != model.Transient || err.Status != 503 || err.Message != "4 attempts, the last: unavailable: down" {
		t.Errorf("%+v", err)
	}
	if d := cmp.Diff([]time.Duration{time.Second, 3 * time.Second, 4 * time.Second}, b.sleeps); d != "" {
		t.Error(d)
	}
	if b.notices[1] != "m: HTTP 429, rate_limited, next try in 3s (2 of 4 failed)" {
		t.Errorf("%q", b.notices)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{
		"":                              time.Second,
		"0":                             time.Second,
		"-5":                            time.Second,
		"soon":                          time.Second,
		"NaN":                           time.Second,
		"2":                             2 * time.Second,
		"1.5":                           1500 * time.Millisecond,
		"3600":                          2 * time.Minute,
		"9e99":                          2 * time.Minute,
		"Sun, 01 Mar 2026 12:00:42 GMT": 42 * time.Second,
		"Sun, 01 Mar 2026 11:00:00 GMT": time.Second,
		"Sun, 01 Mar 2026 18:00:00 GMT": 2 * time.Minute,
	} {
		e := newEndpoint(t, says(429, "", "Retry-After", header), says(200, okBody))
		b := newBench(t, e, nil)
		mustReply(t, b)
		if len(b.sleeps) != 1 || b.sleeps[0] != want {
			t.Errorf("%q: waited %v, want %v", header, b.sleeps, want)
		}
	}
}

// go-openai loses the header where a stream could not be opened.
func TestRetryAfterOfAStream(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(429, "", "Retry-After", "7"), says(200, okBody))
	b := newBench(t, e, func(c *Config, _ *Deps) { c.Stream = true })
	if r := mustReply(t, b); len(b.sleeps) != 1 || b.sleeps[0] != 7*time.Second || r.Failed[0].Class != model.RateLimited {
		t.Errorf("%+v after %v", r, b.sleeps)
	}
}

func TestBackoffStaysInItsBounds(t *testing.T) {
	t.Parallel()
	for _, jitter := range []float64{0, 0.999} {
		e := newEndpoint(t, says(500, ""))
		b := newBench(t, e, func(c *Config, d *Deps) {
			c.Retries, c.MaxWait = new(12), 30*time.Second
			d.Jitter = func() float64 { return jitter }
		})
		mustFail(t, b)
		for i, d := range b.sleeps {
			base := min(time.Second<<i, 30*time.Second)
			if want := min(time.Duration((0.5+jitter)*float64(base)), 30*time.Second); d != want {
				t.Errorf("jitter %v, wait %d: %v, want %v", jitter, i, d, want)
			}
		}
	}
}

func TestStuckServer(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} {
		e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
			if begun {
				_, _ = io.WriteString(w, okBody[:40])
				_ = http.NewResponseController(w).Flush()
			}
			<-r.Context().Done()
		}, says(200, okBody))
		b := newBench(t, e, func(c *Config, _ *Deps) { c.Timeout, c.Retries = 60*time.Millisecond, new(50) })
		r := mustReply(t, b)
		// A loaded machine may need more than one attempt at the answer.
		if len(r.Failed) == 0 || slices.ContainsFunc(r.Failed, func(f record.Failure) bool { return f.Class != model.Timeout }) {
			t.Errorf("answer begun %t: %+v", begun, r.Failed)
		}
	}
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	e.Close()
	err := mustFail(t, newBench(t, e, func(c *Config, _ *Deps) { c.Retries = new(1) }))
	if err.Class != model.Transient || len(err.Failed) != 2 || err.Failed[0].Class != model.Connection || !strings.Contains(err.Message, "refused") {
		t.Errorf("%+v", err)
	}
}

// The listener accepts and never shakes hands.
func TestConnectTimeout(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, func(c *Config, _ *Deps) {
		c.BaseURL, c.ConnectTimeout, c.Retries = "https://"+l.Addr().String(), 50*time.Millisecond, new(0)
	})
	if err := mustFail(t, b); err.Class != model.Transient || err.Failed[0].Class != model.Connection || !strings.Contains(err.Message, "handshake timeout") {
		t.Errorf("%+v", err)
	}
}

func TestCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	arrived := make(chan struct{})
	e := newEndpoint(t, func(_ http.ResponseWriter, r *http.Request) { close(arrived); <-r.Context().Done() })
	b := newBench(t, e, nil)
	go func() { <-arrived; cancel() }()
	_, err := b.Generate(ctx, ask("hello"))
	if e, ok := err.(*model.Error); !ok || e.Class != model.Canceled || len(b.sleeps) != 0 {
		t.Errorf("in a call: %v, waits %v", err, b.sleeps)
	}

	e = newEndpoint(t, says(500, ""))
	ctx, cancel = context.WithCancel(t.Context())
	b = newBench(t, e, func(_ *Config, d *Deps) {
		d.Clock.Sleep = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	})
	_, err = b.Generate(ctx, ask("hello"))
	if e, ok := err.(*model.Error); !ok || e.Class != model.Canceled || len(e.Failed) != 1 {
		t.Errorf("in a wait: %v", err)
	}
}
