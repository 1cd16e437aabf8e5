package openai

import (
	"context"
	"errors"
	"fmt"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A fault is an attempt that did not end in a reply.
type fault struct {
	class      string // model.Deterministic, or the class of a record.Failure
	status     int
	message    string // one line, without secrets
	retryAfter retryAfter
	usage      *record.Usage
}

// attempt makes one HTTP exchange and says what it was.
func (c *Client) attempt(ctx context.Context, asked body) (*answer, *fault) {
	bounded, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	x := exchange{members: asked.members, bare: asked.scoring != nil, ready: asked.embedding != nil}
	err := c.send(context.WithValue(bounded, exchangeKey{}, &x), asked)
	a, f := c.judge(&x, err, asked)
	if f == nil {
		return a, nil
	}
	if f.class != model.Deterministic && bounded.Err() != nil && (x.status == 0 || x.err != nil) {
		f.class, f.message = model.Timeout, fmt.Sprintf("no complete answer in %s", c.cfg.Timeout)
	}
	f.message = c.line.line(f.message)
	f.usage = usageIn(x.body)
	return nil, f
}

// send has go-openai build and send the request. Its view of the answer is
// dropped: the tap keeps the real one.
func (c *Client) send(ctx context.Context, asked body) error {
	switch {
	case asked.scoring != nil:
		_, err := c.api.CreateCompletion(ctx, asked.scoring.request())
		return err
	case asked.embedding != nil:
		_, err := c.api.CreateEmbeddings(ctx, asked.embedding.request(c.cfg))
		return err
	case !asked.Stream:
		_, err := c.api.CreateChatCompletion(ctx, asked.ChatCompletionRequest)
		return err
	}
	stream, err := c.api.CreateChatCompletionStream(ctx, asked.ChatCompletionRequest)
	if err != nil {
		return err
	}
	return stream.Close()
}

// judge reads an exchange as an answer to what was asked.
func (c *Client) judge(x *exchange, sendErr error, asked body) (*answer, *fault) {
	switch {
	case x.status == 0:
		return nil, &fault{class: model.Connection, message: fmt.Sprint(sendErr)}
	case x.status < 200 || x.status > 299:
		a, f := c.refused(x, faultIn(x.body))
		return a, asked.unable(f)
	case x.more:
		return nil, asked.unable(&fault{class: model.OversizeBody, status: x.status, message: fmt.Sprintf("body over %d bytes", MaxBody)})
	}
	a, err := asked.read(x.body)
	if x.err != nil && (err != nil || !a.complete) {
		return nil, &fault{class: model.CutBody, status: x.status, message: x.err.Error()}
	}
	if defect, ok := errors.AsType[*defect](err); ok {
		return nil, &fault{class: defect.class, status: x.status, message: defect.text}
	}
	if a.fault != nil {
		a, f := c.refused(x, a.fault)
		return a, asked.unable(f)
	}
	return a, nil
}

func (c *Client) toReply(a *answer) record.Reply {
	if a.overflow != nil {
		return record.Reply{Finish: record.Overflow}
	}
	r := record.Reply{
		Text:     c.reply.remove(a.text.String()),
		Thinking: c.reply.remove(a.thinking.String()),
		Finish:   finish(a.finish),
		Choices:  a.choices,
		Usage:    a.usage,
		Served:   c.line.line(a.served()),
	}
	if a.scores != nil {
		r.Text = a.scores.String() // numbers that are made here hold no key
	}
	if a.refusal.Len() > 0 {
		r.Finish = record.Refusal
		if r.Text == "" {
			r.Text = c.reply.remove(a.refusal.String())
		}
	}
	for _, call := range a.calls {
		r.Calls = append(r.Calls, record.ToolCall{Name: c.reply.remove(call.Name), Arguments: c.reply.remove(string(call.Arguments))})
	}
	return r
}
