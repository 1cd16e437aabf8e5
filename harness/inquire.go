package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// inquire has a model judge what the strategy asks about, until it asks no more.
// An informer is tried before the first step.
func (e *Episode) inquire(ctx context.Context, view View) error {
	i, ok := e.agent.(Inquirer)
	if !ok {
		return nil
	}
	m := e.Informer
	if m == nil {
		m = e.Model
	}
	request := model.Request{Form: model.Scores, Purpose: record.ForScores, Step: view.Step}
	if len(view.Past) == 0 && e.Settings.Informer.asked() {
		request.Prompt = Familiar()
		trial := scoring{m, Trusted}
		reply, err := e.call(ctx, trial, request)
		if err == nil {
			err = trial.doubts(request, reply) // a recorded one, too
		}
		if err != nil {
			return err
		}
		request.Attempt++
	}
	for ; ; request.Attempt++ {
		var due bool
		if request.Prompt, due = i.Ask(view); !due {
			return nil
		}
		reply, err := e.call(ctx, scoring{m, nil}, request)
		if err != nil {
			return err
		}
		scores, err := model.ScoresOf(request.Prompt, reply)
		if err != nil {
			return err
		}
		i.Told(scores)
	}
}

// scoring is a model whose replies are scores without doubt: another reply is a
// fault, of which no more is written down than that it was sent and what it used.
type scoring struct {
	model.Model
	doubt func(record.Scores) error // nil: there is none
}

// Generate asks the model. Whatever is wrong with it concerns the strategies
// that ask it and no others, so its faults carry no HTTP status.
func (s scoring) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	reply, err := s.Model.Generate(ctx, r)
	doubted := false
	if err == nil {
		err = s.doubts(r, reply)
		doubted = err != nil
	}
	fault, ok := errors.AsType[*model.Error](err)
	if !ok || isLimit(record.Status(fault.Class)) {
		return reply, err
	}
	named := *fault
	if doubted {
		named.Failed = append(slices.Clip(reply.Failed), record.Failure{Class: fault.Class, Usage: reply.Usage})
	}
	named.Status, named.Message = 0, "informer: "+why(fault)
	if fault.Class == model.Deterministic {
		named.Message = fmt.Sprintf("%s; want a model whose endpoint answers echo with logprobs at /v1/completions, or informer: %s", named.Message, NGrams)
	}
	return reply, &named
}

func (s scoring) doubts(r model.Request, reply record.Reply) error {
	scores, err := model.ScoresOf(r.Prompt, reply)
	if err == nil && s.doubt != nil {
		err = s.doubt(scores)
	}
	return err
}
