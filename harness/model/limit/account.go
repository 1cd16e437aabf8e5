package limit

import (
	"sync"
	"time"

	"skillbench/harness/model"
)

// An Account is what a run may use and has used, over all its models.
type Account struct {
	budget Budget
	clock  model.Clock
	began  time.Time

	mu    sync.Mutex
	spent Spent // without the seconds of this session
}

// NewAccount opens the account of a run. Spent is what earlier sessions used.
func NewAccount(b Budget, spent Spent, clock model.Clock) (*Account, error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return &Account{budget: b, clock: clock, began: clock.Now(), spent: spent}, nil
}

// Spent is what the run has used so far, earlier sessions included.
func (a *Account) Spent() Spent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now()
}

func (a *Account) now() Spent {
	s := a.spent
	s.Seconds += a.clock.Now().Sub(a.began).Seconds()
	return s
}

func (a *Account) peek() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.budget.crossed(a.now())
}

// begin counts a call before it is sent, so that no two share the last one.
func (a *Account) begin() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.budget.crossed(a.now()); err != nil {
		return err
	}
	a.spent.Calls++
	return nil
}

func (a *Account) add(s Spent) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spent.Calls += s.Calls
	a.spent.Tokens += s.Tokens
	a.spent.Money += s.Money
}
