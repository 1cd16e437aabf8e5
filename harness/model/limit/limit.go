// Package limit keeps the calls of a run within what an endpoint allows and
// what the user will pay: rates, calls in flight, and budgets.
package limit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// Options of a limited model.
type Options struct {
	Rates   Rates
	Account *Account // budgets, shared by all models of a run; nil: none

	Clock  model.Clock
	Price  func(record.Usage) float64 // needed for a budget of money; Prompt and Completion are never nil
	Notice func(string)               // told of waits of a second and more; nil: nobody is
}

// A Model limits another. Its budgets count attempts and tokens as the replies
// tell them, so a run may go over by what is in flight when it reaches one.
type Model struct {
	inner    model.Model
	o        Options
	requests *pace
	tokens   *pace
	gate     *gate

	mu         sync.Mutex
	completion int // running mean of completion tokens, to reserve for
}

var _ model.Model = (*Model)(nil)

// New limits inner.
func New(inner model.Model, o Options) (*Model, error) {
	if err := o.Rates.Validate(); err != nil {
		return nil, err
	}
	if o.Clock.Now == nil || o.Clock.Sleep == nil {
		return nil, errors.New("limit: want a clock")
	}
	if o.Account == nil {
		o.Account = &Account{clock: o.Clock, began: o.Clock.Now()}
	}
	if o.Account.budget.Money > 0 && o.Price == nil {
		return nil, errors.New("limits.money: want a price for this model")
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	return &Model{
		inner: inner, o: o,
		requests: newPace(o.Rates.RPM, o.Clock), tokens: newPace(o.Rates.TPM, o.Clock), gate: newGate(o.Rates.Concurrency),
	}, nil
}

// Generate waits its turn and asks the inner model. Where a budget has been
// reached nothing is sent: the error is a *model.Error of class limit:calls,
// limit:tokens, limit:seconds or limit:money.
func (m *Model) Generate(ctx context.Context, req model.Request) (record.Reply, error) {
	if err := m.o.Account.peek(); err != nil {
		return record.Reply{}, err
	}
	epoch, err := m.gate.enter(ctx)
	if err != nil {
		return record.Reply{}, canceled(err)
	}
	s := neither
	defer func() { m.gate.leave(epoch, s) }()
	prompt := promptTokens(req)
	reserved := prompt + m.meanCompletion()
	if err := m.wait(ctx, m.requests.take(1), m.tokens.take(reserved)); err != nil {
		return record.Reply{}, canceled(err)
	}
	if err := m.o.Account.begin(); err != nil { // others spent while this call waited
		return record.Reply{}, err
	}
	reply, err := m.inner.Generate(ctx, req)
	failed := reply.Failed
	if e, ok := errors.AsType[*model.Error](err); ok {
		failed = e.Failed
	}
	used := m.settle(req, reply, err, failed, prompt)
	m.requests.take(further(err, failed))
	m.tokens.take(used - reserved)
	s = signOf(err, failed)
	return reply, err
}

// settle books what the call used and returns its tokens.
func (m *Model) settle(req model.Request, reply record.Reply, err error, failed []record.Failure, prompt int) int {
	m.o.Account.add(Spent{Calls: further(err, failed)})
	used := 0
	for _, f := range failed {
		if f.Usage != nil { // an attempt that says nothing is not taken for a paid one
			used += m.book(filled(f.Usage, prompt, 0))
		}
	}
	if err == nil && reply.Finish != record.Overflow {
		u := filled(reply.Usage, prompt, completionTokens(req, reply))
		used += m.book(u)
		m.mu.Lock()
		m.completion += (*u.Completion - m.completion) / 8
		m.mu.Unlock()
	}
	return used
}

func (m *Model) book(u record.Usage) int {
	spent := Spent{Tokens: sum(u)}
	if m.o.Price != nil {
		spent.Money = m.o.Price(u)
	}
	m.o.Account.add(spent)
	return sum(u)
}

func (m *Model) meanCompletion() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.completion
}

// further is how many attempts a call made beyond the one counted already. A
// call that ran out of attempts has none that succeeded.
func further(err error, failed []record.Failure) int {
	if e, ok := errors.AsType[*model.Error](err); ok && e.Class == model.Transient && len(failed) > 0 {
		return len(failed) - 1
	}
	return len(failed)
}

// signOf reads an endpoint that cannot keep up out of a call's attempts.
func signOf(err error, failed []record.Failure) sign {
	switch {
	case slices.ContainsFunc(failed, overloaded):
		return refused
	case err == nil:
		return fine
	}
	return neither
}

func overloaded(f record.Failure) bool {
	return f.Class == model.RateLimited || f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable || f.Status == 529
}

func canceled(err error) error {
	return &model.Error{Class: model.Canceled, Message: fmt.Sprint(err)}
}

func promptTokens(req model.Request) int {
	n := 0
	for s := range req.Prompt.Segments() {
		n += len(s.Text)
	}
	return estimate(n)
}

func completionTokens(req model.Request, r record.Reply) int {
	if req.Form == model.Scores {
		return 1 // the most that is written
	}
	n := len(r.Text) + len(r.Thinking)
	for _, c := range r.Calls {
		n += len(c.Name) + len(c.Arguments)
	}
	return estimate(n)
}
