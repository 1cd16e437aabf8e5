package limit

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"skillbench/harness/model"
)

// A pace is a rate a minute with a burst of one minute's worth. Amounts over
// the burst, which rate.Limiter refuses, are taken in parts: they are paid for
// by a longer wait, not by an error.
type pace struct {
	bucket *rate.Limiter
	clock  model.Clock
}

// newPace returns nil, which never waits, where perMinute is 0.
func newPace(perMinute int, clock model.Clock) *pace {
	if perMinute == 0 {
		return nil
	}
	return &pace{rate.NewLimiter(rate.Limit(perMinute)/60, perMinute), clock}
}

// take reserves n and returns how long to wait for it.
func (p *pace) take(n int) time.Duration {
	if p == nil || n <= 0 {
		return 0
	}
	var wait time.Duration
	now := p.clock.Now()
	// A hostile count must neither spin here nor stall a run: an hour is the most.
	n = min(n, p.bucket.Burst()*60)
	for n > 0 {
		part := min(n, p.bucket.Burst())
		wait = p.bucket.ReserveN(now, part).DelayFrom(now)
		n -= part
	}
	return wait
}

// wait waits for the longest of the delays, telling of waits that a person
// would notice.
func (m *Model) wait(ctx context.Context, delays ...time.Duration) error {
	var longest time.Duration
	for _, d := range delays {
		longest = max(longest, d)
	}
	if longest <= 0 {
		return nil
	}
	if longest >= time.Second {
		m.o.Notice("rate limit of the model file: next call in " + longest.Round(time.Second/10).String())
	}
	return m.o.Clock.Sleep(ctx, longest)
}
