package limit

import (
	"context"
	"sync"
)

// growAfter is how many calls in a row must succeed before one more may be in
// flight.
const growAfter = 10

// A gate holds calls back so that only so many are in flight: half as many
// after a refusal, one more after growAfter successes, never under one or over
// the ceiling. Refusals of calls that were already in flight at the last
// halving count once: a burst of them is one sign, not many.
type gate struct {
	mu       sync.Mutex
	ceiling  int // 0: none
	allowed  int // 0: no limit yet
	inFlight int
	epoch    int // number of halvings
	success  int // since the last change
	waiting  []chan struct{}
}

func newGate(ceiling int) *gate { return &gate{ceiling: ceiling, allowed: ceiling} }

// enter waits for a place, first come first served, and returns the epoch to
// leave with.
func (g *gate) enter(ctx context.Context) (epoch int, err error) {
	g.mu.Lock()
	if len(g.waiting) == 0 && g.open() {
		defer g.mu.Unlock()
		g.inFlight++
		return g.epoch, nil
	}
	turn := make(chan struct{})
	g.waiting = append(g.waiting, turn)
	g.mu.Unlock()
	select {
	case <-turn: // wake has counted this call in
	case <-ctx.Done():
		return 0, g.giveUp(ctx, turn)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.epoch, nil
}

func (g *gate) giveUp(ctx context.Context, turn chan struct{}) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	for i, w := range g.waiting {
		if w == turn {
			g.waiting = append(g.waiting[:i:i], g.waiting[i+1:]...)
			return context.Cause(ctx)
		}
	}
	g.inFlight-- // it was let in at the same moment
	g.wake()
	return context.Cause(ctx)
}

func (g *gate) open() bool { return g.allowed == 0 || g.inFlight < g.allowed }

func (g *gate) wake() {
	for len(g.waiting) > 0 && g.open() {
		close(g.waiting[0])
		g.waiting = g.waiting[1:]
		g.inFlight++
	}
}

// A sign is what a finished call says about the endpoint.
type sign int

const (
	neither sign = iota
	fine
	refused
)

// leave gives the place back.
func (g *gate) leave(epoch int, s sign) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case s == refused && epoch == g.epoch:
		from := g.inFlight
		if g.allowed > 0 {
			from = min(from, g.allowed)
		}
		g.allowed, g.success = max(from/2, 1), 0
		g.epoch++
	case s == fine:
		g.grow()
	}
	g.inFlight--
	g.wake()
}

func (g *gate) grow() {
	if g.allowed == 0 || g.allowed == g.ceiling {
		return
	}
	if g.success++; g.success >= growAfter {
		g.allowed++
		g.success = 0
	}
}
