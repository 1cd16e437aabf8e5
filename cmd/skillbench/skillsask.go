package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"skillbench/harness/model"
	"skillbench/harness/model/limit"
	"skillbench/harness/model/openai"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/tasks/skills/rank"
)

// A batch is what one request asks for.
type batch struct {
	inputs []rank.Input
	tokens int // as counted here
}

// batchTokens bounds the tokens of a batch of more than one text.
const batchTokens = 100_000

// batches parts inputs in their order.
func batches(inputs []rank.Input, most int, encoding *tokens.Encoding) []batch {
	var all []batch
	for _, in := range inputs {
		n := encoding.Count(in.Text)
		last := len(all) - 1
		if last < 0 || len(all[last].inputs) == most || all[last].tokens+n > batchTokens {
			all, last = append(all, batch{}), last+1
		}
		all[last].inputs = append(all[last].inputs, in)
		all[last].tokens += n
	}
	return all
}

func (b batch) texts() []string {
	var texts []string
	for _, in := range b.inputs {
		texts = append(texts, in.Text)
	}
	return texts
}

// An embedder asks an endpoint for vectors in the guise of a model, so that the
// rates of its model file hold as in a run.
type embedder struct {
	client *openai.Client
	texts  []string          // to be asked for
	made   openai.Embeddings // of them
}

// Generate implements model.Model.
func (e *embedder) Generate(ctx context.Context, _ model.Request) (record.Reply, error) {
	var err error
	e.made, err = e.client.Embed(ctx, e.texts)
	return record.Reply{Finish: record.Stop, Usage: e.made.Usage, Failed: e.made.Failed}, err
}

// An asker asks for batches, one after another, and keeps count.
type asker struct {
	embedder
	limited *limit.Model
	spent   embedSpent
}

func newAsker(client *openai.Client, rates limit.Rates, say func(string)) (*asker, error) {
	a := &asker{embedder: embedder{client: client}, spent: embedSpent{failed: map[string]int{}}}
	var err error
	a.limited, err = limit.New(&a.embedder, limit.Options{Rates: rates, Clock: model.Wall(), Notice: say})
	return a, err
}

// ask returns the vectors of a batch. The error is a *model.Error.
func (a *asker) ask(ctx context.Context, b batch) ([][]float32, error) {
	a.texts = b.texts()
	request := model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Observation, strings.Join(a.texts, "\n"))}}}
	reply, err := a.limited.Generate(ctx, request)
	failed := reply.Failed
	if e, ok := errors.AsType[*model.Error](err); ok {
		failed = e.Failed
	}
	for _, f := range failed {
		a.spent.failed[f.Class]++
		a.spent.count(f.Usage, 0)
	}
	if err != nil {
		return nil, err
	}
	a.spent.calls++
	a.spent.count(reply.Usage, b.tokens)
	a.spent.served = a.made.Served
	return a.made.Vectors, nil
}

// embedSpent is what a session used.
type embedSpent struct {
	calls  int            // that were answered
	failed map[string]int // attempts that were not, by class
	tokens int            // as the endpoint counted, or else as counted here
	guess  bool           // some were counted here
	served string         // what the endpoint last said it is
}

// count adds what an attempt used; one that was not answered and says nothing of
// it is not taken for a paid one.
func (s *embedSpent) count(u *record.Usage, here int) {
	if u != nil && u.Prompt != nil {
		s.tokens += *u.Prompt
		return
	}
	s.tokens += here
	s.guess = s.guess || here > 0
}

// countedBy says who counted the tokens.
func (s *embedSpent) countedBy(here string) string {
	if s.guess {
		return "counted here by " + here + " where the endpoint does not"
	}
	return "as the endpoint counted"
}

// failures says which attempts were not answered; "" where all were.
func (s *embedSpent) failures() string {
	var parts []string
	for _, class := range slices.Sorted(maps.Keys(s.failed)) {
		parts = append(parts, fmt.Sprintf("%d %s", s.failed[class], class))
	}
	if len(parts) == 0 {
		return ""
	}
	return "failed attempts: " + strings.Join(parts, ", ")
}
