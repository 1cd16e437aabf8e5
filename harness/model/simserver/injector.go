package simserver

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
)

// A Ledger counts what was served and what went wrong on purpose.
type Ledger struct {
	Calls   int           `json:"calls"`   // completions asked for
	Replies int           `json:"replies"` // of them answered as they should be
	Refused int           `json:"refused"` // and refused: unknown model, prompt too long, …
	Faults  map[Fault]int `json:"faults"`  // and spoilt

	// Of the spoilt answers, those that said what they used.
	WithUsage        int `json:"with_usage"`
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
}

// An injector chooses the calls to spoil and keeps the ledger.
type injector struct {
	script Script

	mu       sync.Mutex
	ledger   Ledger
	troubled map[[32]byte]trouble // requests whose last attempt was spoilt
}

// trouble is what a request has met so far. It is forgotten once the request is
// answered, so that the next equal one meets the same.
type trouble struct{ attempts, inARow int }

func newInjector(s Script) *injector {
	return &injector{script: s, ledger: Ledger{Faults: map[Fault]int{}}, troubled: map[[32]byte]trouble{}}
}

// next counts a call and returns the rule that spoils it, if one does.
func (i *injector) next(request [32]byte) *Rule {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ledger.Calls++
	met := i.troubled[request]
	rule := i.choose(request, met.attempts)
	if rule == nil || i.script.InARow > 0 && met.inARow >= i.script.InARow {
		delete(i.troubled, request)
		return nil
	}
	i.troubled[request] = trouble{met.attempts + 1, met.inARow + 1}
	return rule
}

func (i *injector) choose(request [32]byte, attempt int) *Rule {
	u := i.draw(request, attempt)
	for n := range i.script.Rules {
		r := &i.script.Rules[n]
		switch {
		case slices.Contains(r.At, i.ledger.Calls), r.Every > 0 && i.ledger.Calls%r.Every == 0:
			return r
		case r.Rate > 0:
			if u < r.Rate {
				return r
			}
			u -= r.Rate
		}
	}
	return nil
}

// draw is uniform in [0, 1).
func (i *injector) draw(request [32]byte, attempt int) float64 {
	var seed [16]byte
	binary.BigEndian.PutUint64(seed[:], i.script.Seed)
	binary.BigEndian.PutUint64(seed[8:], uint64(attempt))
	sum := sha256.Sum256(append(seed[:], request[:]...))
	return float64(binary.BigEndian.Uint64(sum[:])>>11) / (1 << 53)
}

func (i *injector) count(f func(*Ledger)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f(&i.ledger)
}

func (i *injector) read() Ledger {
	i.mu.Lock()
	defer i.mu.Unlock()
	l := i.ledger
	l.Faults = maps.Clone(l.Faults)
	return l
}
