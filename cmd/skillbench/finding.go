package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/record"
	"skillbench/harness/transition"
)

// readable says whether the reply is what the contract asks for.
func (p *patient) readable(c call) {
	found, means := understood(c)
	p.find("wire "+string(c.request.Wire), found, means)
}

func understood(c call) (found, means string) {
	move, violations := transition.Parse(c.request.Form, c.request.Wire, transition.Strict, c.reply)
	if len(violations) > 0 {
		return fmt.Sprintf("%s: %s", violations[0].Class, violations[0].Hint), "such replies are refused and asked for again; expect patch errors"
	}
	return "readable, action " + move.Action, ""
}

func (p *patient) finish(c call) {
	means := ""
	if c.reply.Finish == record.Unknown {
		means = "replies that were cut cannot be told from whole ones"
	}
	p.find("finish reason", string(c.reply.Finish), means)
}

// drift is the share by which two counts may differ before a run warns.
const drift = 0.02

func (p *patient) usage(c call) {
	local := p.encoding.Count(c.request.Prompt.Text())
	u := c.reply.Usage
	if u == nil || u.Prompt == nil || u.Completion == nil {
		p.find("usage", "not reported", fmt.Sprintf("tokens are counted locally only (%s); budgets estimate", p.encoding.Name()))
		return
	}
	found := fmt.Sprintf("prompt %d (here %d), completion %d", *u.Prompt, local, *u.Completion)
	means := "billed tokens are known"
	if d := float64(*u.Prompt-local) / float64(local); d > drift || d < -drift {
		means += fmt.Sprintf("; the endpoint counts %+.0f %% against %s: another tokenizer or a chat template", 100*d, p.encoding.Name())
	}
	p.find("usage", found, means)
	p.find("cached tokens", number(u.Cached), "")
	p.find("reasoning tokens", number(u.Reasoning), "")
}

func number(n *int) string {
	if n == nil {
		return "not reported"
	}
	return fmt.Sprint(*n)
}

func (p *patient) thinking(c call) {
	switch {
	case c.reply.Thinking != "":
		p.find("thinking", "in a field of its own", "recorded, counted as completion, never shown again")
	case strings.Contains(c.reply.Text, "<think"):
		p.find("thinking", "in the text", "taken out before a reply is read; counted as completion")
	case c.reply.Usage != nil && c.reply.Usage.Reasoning != nil && *c.reply.Usage.Reasoning > 0:
		p.find("thinking", "hidden, but counted", "set reasoning_effort to vary it")
	default:
		p.find("thinking", "none seen", "")
	}
}

// sampling asks at temperature 0, without and with a seed.
func (p *patient) sampling(ctx context.Context) {
	cold := p.call(ctx, p.cfg.Wire, func(c *openai.Config) { c.Temperature = new(0.0) })
	if cold.err != nil {
		p.find("temperature 0", cold.err.Message, "leave temperature out of the model file; use repeats to see how replies vary")
	} else {
		p.find("temperature 0", "accepted", "")
	}
	seeded := p.call(ctx, p.cfg.Wire, func(c *openai.Config) {
		if c.Seed = new(int64(1)); cold.err == nil {
			c.Temperature = new(0.0)
		}
	})
	if seeded.err != nil {
		p.find("seed", seeded.err.Message, "leave seed out of the model file")
		return
	}
	p.find("seed", "accepted", "that it has an effect is not shown")
	switch {
	case cold.err != nil:
	case said(cold.reply) == said(seeded.reply):
		p.find("equal calls", "equal replies", "repeats may add nothing at temperature 0")
	default:
		p.find("equal calls", "different replies at temperature 0", "use repeats; only a recording replays to the same bytes")
	}
}

func said(r record.Reply) string { return fmt.Sprintf("%q %q", r.Text, r.Calls) }

// few is a limit that cuts every reply, in tokens.
const few = 16

func (p *patient) limit(ctx context.Context) {
	key := "max_completion_tokens"
	cut := p.call(ctx, p.cfg.Wire, func(c *openai.Config) {
		if _, other := c.Extra["max_tokens"]; other {
			key, c.Extra = "extra.max_tokens", maps.Clone(c.Extra)
			c.Extra["max_tokens"] = few
			return
		}
		c.MaxCompletionTokens = new(few)
	})
	switch n := p.encoding.Count(cut.reply.Text); {
	case cut.err != nil:
		p.find(key, cut.err.Message, "leave it out of the model file, or use extra: {max_tokens: …}")
	case cut.reply.Finish == record.Length:
		p.find(key, fmt.Sprintf("cut at %d, finish_reason length", few), "cut replies are told apart")
	case n > 2*few:
		p.find(key, fmt.Sprintf("ignored: %s came, finish %s", numbered(n, "token"), cut.reply.Finish), "replies are not bounded; try extra: {max_tokens: …}")
	default:
		p.find(key, fmt.Sprintf("%s came, finish %s", numbered(n, "token"), cut.reply.Finish), "a reply that was cut may look whole")
	}
}

func (p *patient) wire(ctx context.Context, wire model.Wire) {
	c := p.call(ctx, wire, func(c *openai.Config) { c.Wire = wire })
	if c.err != nil {
		p.find("wire "+string(wire), c.err.Message, "do not use this wire")
		return
	}
	found, means := understood(c)
	p.find("wire "+string(wire), found, means)
}

func (p *patient) stream(ctx context.Context) {
	if p.cfg.Stream {
		p.find("stream", "accepted", "the model file asks for it")
		return
	}
	c := p.call(ctx, p.cfg.Wire, func(c *openai.Config) { c.Stream = true })
	switch {
	case c.err != nil:
		p.find("stream", c.err.Message, "leave stream out of the model file")
	case c.reply.Usage == nil:
		p.find("stream", "accepted, without usage", "do not use it: billed tokens would be unknown")
	default:
		p.find("stream", "accepted, with usage", "use it where proxies drop idle connections")
	}
}

func (p *patient) system(ctx context.Context) {
	if p.cfg.Layout == openai.SystemUser {
		p.find("system message", "accepted", "the model file asks for it")
		return
	}
	c := p.call(ctx, p.cfg.Wire, func(c *openai.Config) { c.Layout = openai.SystemUser })
	if c.err != nil {
		p.find("system message", c.err.Message, "keep layout: user")
		return
	}
	p.find("system message", "accepted", "layout: system_user can be used")
}

// informer asks how likely a text is, as llmlingua does before an episode.
func (p *patient) informer(ctx context.Context) {
	const what, instead = "log-probabilities of prompts", "for llmlingua: informer: ngrams"
	c := p.ask(ctx, model.Request{Prompt: harness.Familiar(), Form: model.Scores, Purpose: record.ForScores}, p.cfg)
	if c.err != nil {
		p.find(what, c.err.Message, instead)
		return
	}
	scores, err := model.ScoresOf(c.request.Prompt, c.reply)
	if err == nil {
		err = harness.Trusted(scores)
	}
	if fault, ok := errors.AsType[*model.Error](err); ok {
		p.find(what, fault.Message, instead)
		return
	}
	p.find(what, "returned, of "+numbered(len(scores), "token"), "llmlingua can ask it: informer: this file")
}

func (p *patient) context(l listing) {
	if n, _ := l.find(p.cfg.Model); n > 0 {
		p.find("context", fmt.Sprintf("%d tokens stated", n), "longer prompts should end as context_overflow")
		return
	}
	p.find("context", "not stated", "if the endpoint cuts long prompts silently, set context_tokens")
}

// rates shows the limits that response headers tell of.
func (p *patient) rates(c call) {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(c.header)) {
		if strings.Contains(strings.ToLower(name), "ratelimit-limit") || name == http.CanonicalHeaderKey("retry-after") {
			found = append(found, strings.ToLower(name)+" "+c.header.Get(name))
		}
	}
	if len(found) == 0 {
		p.find("rate limits", "not stated", "set limits in the model file if calls are refused with 429")
		return
	}
	p.find("rate limits", strings.Join(found, ", "), "set limits: {rpm, tpm} in the model file below them")
}
