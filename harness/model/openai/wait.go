package openai

import (
	"net/http"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// waits says how long to wait before the next attempt. The intervals are
// backoff's; its Retry is not used, because it sleeps on the machine's clock,
// draws from the global source, and forgets the cause after a Retry-After.
type waits struct {
	growth *backoff.ExponentialBackOff
	jitter func() float64
	most   time.Duration
}

func newWaits(most time.Duration, jitter func() float64) *waits {
	growth := &backoff.ExponentialBackOff{InitialInterval: time.Second, Multiplier: 2, MaxInterval: most}
	growth.Reset()
	return &waits{growth, jitter, most}
}

// next is between half and one and a half of an interval that doubles from one
// second, or what the server asked for where that is longer; never over the
// configured bound.
func (w *waits) next(asked retryAfter) time.Duration {
	d := time.Duration((0.5 + w.jitter()) * float64(w.growth.NextBackOff()))
	return min(max(d, time.Duration(asked)), w.most)
}

// A retryAfter is a wait that a server asked for; none where it is not over 0.
type retryAfter time.Duration

// parseRetryAfter reads seconds or an HTTP date.
func parseRetryAfter(h http.Header, now time.Time) retryAfter {
	text := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		if !(seconds > 0) {
			return 0
		}
		return retryAfter(min(seconds, 1e6) * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return retryAfter(at.Sub(now))
	}
	return 0
}
