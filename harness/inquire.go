package harness

import (
	"context"
	"errors"
	"fmt"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// inquire has a model judge what the strategy asks about, until it asks no more.
func (e *Episode) inquire(ctx context.Context, view View) error {
	i, ok := e.agent.(Inquirer)
	if !ok {
		return nil
	}
	m := e.Informer
	if m == nil {
		m = e.Model
	}
	for n := 0; ; n++ {
		p, due := i.Ask(view)
		if !due {
			return nil
		}
		reply, err := e.call(ctx, scoring{m}, model.Request{Prompt: p, Form: model.Scores, Purpose: record.ForScores, Step: view.Step, Attempt: n})
		if err != nil {
			return err
		}
		scores, err := model.ScoresOf(p, reply)
		if err != nil {
			return err
		}
		i.Told(scores)
	}
}

// scoring is a model whose replies are scores: another reply is a fault and is
// not written down.
type scoring struct{ model.Model }

// Generate asks the model. Whatever is wrong with it concerns the strategies
// that ask it and no others, so its faults carry no HTTP status.
func (s scoring) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	reply, err := s.Model.Generate(ctx, r)
	if err == nil {
		_, err = model.ScoresOf(r.Prompt, reply)
	}
	fault, ok := errors.AsType[*model.Error](err)
	if !ok || isLimit(record.Status(fault.Class)) {
		return reply, err
	}
	named := *fault
	named.Status, named.Message = 0, "informer: "+why(fault)
	if fault.Class == model.Deterministic {
		named.Message = fmt.Sprintf("%s; want a model whose endpoint answers echo with logprobs at /v1/completions, or informer: %s", named.Message, NGrams)
	}
	return reply, &named
}
