package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// Deps is what a client takes from outside.
type Deps struct {
	Clock  model.Clock
	Jitter func() float64 // uniform in [0, 1), safe for concurrent use

	Transport http.RoundTripper                     // nil: one with the configured connect timeout
	Proxy     func(*http.Request) (*url.URL, error) // of that one; nil: none
	Notice    func(string)                          // told of every wait, without secrets; nil: nobody is
	Count     func(prompt.Prompt) int               // tokens of a prompt; needed where context_tokens is set
}

// A Client is a model behind an endpoint.
type Client struct {
	cfg       Config
	deps      Deps
	api       *api.Client
	line      redactor // for what people read
	reply     redactor // for what is recorded
	envelopes envelopes
}

var _ model.Model = (*Client)(nil)

// New returns a client. An empty key sends no Authorization.
func New(cfg Config, key string, deps Deps) (*Client, error) {
	cfg = cfg.withDefaults()
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if deps.Clock.Now == nil || deps.Clock.Sleep == nil || deps.Jitter == nil {
		return nil, errors.New("openai: want a clock and a jitter source")
	}
	if cfg.ContextTokens > 0 && deps.Count == nil {
		return nil, errors.New("openai: context_tokens is set, want a token counter")
	}
	if deps.Notice == nil {
		deps.Notice = func(string) {}
	}
	if deps.Transport == nil {
		deps.Transport = newTransport(cfg, deps.Proxy)
	}
	t, err := newTap(cfg, deps.Transport)
	if err != nil {
		return nil, err
	}
	conf := api.DefaultConfig(key)
	conf.BaseURL = cfg.BaseURL
	conf.HTTPClient = &http.Client{Transport: t}
	c := &Client{cfg: cfg, deps: deps, api: api.NewClientWithConfig(conf)}
	c.line, c.reply = newRedactor(key)
	return c, nil
}

// Generate answers one request, trying again after failures that pass. A
// prompt that does not fit is a reply that finishes as record.Overflow. The
// error is a *model.Error of class deterministic, transient or canceled.
func (c *Client) Generate(ctx context.Context, req model.Request) (record.Reply, error) {
	if c.cfg.ContextTokens > 0 && c.deps.Count(req.Prompt) > c.cfg.ContextTokens {
		return answered(req, record.Reply{Finish: record.Overflow})
	}
	asked, err := c.body(req)
	if err != nil {
		return record.Reply{}, &model.Error{Class: model.Deterministic, Message: c.line.line(err.Error())}
	}
	var reply record.Reply
	failed, err := c.insist(ctx, func() *fault {
		a, f := c.attempt(ctx, asked)
		if f == nil {
			reply = c.toReply(a)
		}
		return f
	})
	if err != nil {
		return record.Reply{}, err
	}
	reply.Failed = failed
	return answered(req, reply)
}

// insist makes attempts until one of them has no fault, and returns those that
// had one. It waits between them, gives up as the model file says, and at once
// where the fault would stay; then the error is a *model.Error.
func (c *Client) insist(ctx context.Context, attempt func() *fault) ([]record.Failure, error) {
	var failed []record.Failure
	waits := newWaits(c.cfg.MaxWait, c.deps.Jitter)
	for {
		f := attempt()
		if f == nil {
			return failed, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, c.canceled(ctx, failed)
		}
		if f.class == model.Deterministic {
			return nil, &model.Error{Class: f.class, Status: f.status, Message: f.message, Failed: failed}
		}
		failed = append(failed, record.Failure{Class: f.class, Status: f.status, Usage: f.usage})
		if len(failed) > *c.cfg.Retries {
			return nil, c.exhausted(f, failed)
		}
		wait := waits.next(f.retryAfter)
		c.announce(f, wait, len(failed))
		if c.deps.Clock.Sleep(ctx, wait) != nil {
			return nil, c.canceled(ctx, failed)
		}
	}
}

// answered is a reply as the harness takes it. A text that is too long to be
// judged is a fault: it is not a strategy's prompt that does not fit.
func answered(req model.Request, reply record.Reply) (record.Reply, error) {
	if req.Form == model.Scores && reply.Finish == record.Overflow {
		return record.Reply{}, &model.Error{Class: model.Deterministic, Failed: reply.Failed,
			Message: "the text to be judged does not fit the context of the endpoint, with what stands before it"}
	}
	return reply.Clean(), nil
}

func (c *Client) canceled(ctx context.Context, failed []record.Failure) error {
	return &model.Error{Class: model.Canceled, Message: c.line.line(fmt.Sprint(context.Cause(ctx))), Failed: failed}
}

func (c *Client) exhausted(last *fault, failed []record.Failure) error {
	text := fmt.Sprintf("%d attempts, the last: %s: %s", len(failed), last.class, last.message)
	return &model.Error{Class: model.Transient, Status: last.status, Message: c.line.line(text), Failed: failed}
}

func (c *Client) announce(f *fault, wait time.Duration, tried int) {
	reason := f.class
	if f.status != 0 {
		reason = fmt.Sprintf("HTTP %d, %s", f.status, f.class)
	}
	c.deps.Notice(c.line.line(fmt.Sprintf("%s: %s, next try in %s (%d of %d failed)",
		c.cfg.Name, reason, wait.Round(100*time.Millisecond), tried, *c.cfg.Retries+1)))
}
