// Package money prices recorded prompts after the fact: under any provider's
// prices and any way of caching prompts, without calling a model again.
//
// It sees what the journal holds, the text of the prompt. What a provider adds
// is not in it: the frame of a chat message, and for the wires json_schema and
// tool the schema of the reply, which comes before the prompt. The schema is
// the same at every call of a strategy, so a cache can reuse it from the
// second call on, and a minimum counts it; figures here leave it out of both.
package money

import (
	"fmt"
	"math"

	"skillbench/metrics/stats"
)

// A Kind of policy.
type Kind string

const (
	None       Kind = "none"        // every token of a prompt at the input price
	PrefixAuto Kind = "prefix_auto" // what a prompt begins with like an earlier one, at a lower price
	Explicit   Kind = "explicit"    // the same, and what is put into the cache costs more
)

// A Policy says how a cache of prompts works and what it costs, in shares of
// the input price. Breakpoints of Explicit are set as well as can be: at each
// call it writes what a later call will read and no more, which a runtime can
// do that knows the layout of its prompts.
type Policy struct {
	Name           string  `yaml:"name"`
	Kind           Kind    `yaml:"kind"`
	Minimum        int     `yaml:"minimum"`         // tokens; a shorter common beginning is not reused
	Granularity    int     `yaml:"granularity"`     // tokens; what is reused is a multiple of it; 0 and 1: any number
	Read           float64 `yaml:"read"`            // price of a token that is reused
	Write          float64 `yaml:"write"`           // price of a token that is put into the cache; Explicit only
	LifetimeCalls  int     `yaml:"lifetime_calls"`  // calls of the episode after which an entry is gone; 0: it stays
	AcrossEpisodes bool    `yaml:"across_episodes"` // the first call reuses what the episode before began with
}

// check names the first key that is out of range.
func (p Policy) check() error {
	switch {
	case p.Name == "":
		return fmt.Errorf("name: want a name, got none")
	case p.Kind != None && p.Kind != PrefixAuto && p.Kind != Explicit:
		return fmt.Errorf("kind: want none, prefix_auto or explicit, got %q", p.Kind)
	case p.Minimum < 0 || p.Minimum > maxTokens:
		return fmt.Errorf("minimum: want 0 to %d tokens, got %d", maxTokens, p.Minimum)
	case p.Granularity < 0 || p.Granularity > maxTokens:
		return fmt.Errorf("granularity: want 0 to %d tokens, got %d", maxTokens, p.Granularity)
	case !(p.Read >= 0 && p.Read <= 1):
		return fmt.Errorf("read: want a share of the input price from 0 to 1, got %g", p.Read)
	case !(p.Write >= 0 && p.Write <= 100):
		return fmt.Errorf("write: want a share of the input price from 0 to 100, got %g", p.Write)
	case p.LifetimeCalls < 0:
		return fmt.Errorf("lifetime_calls: want 0 (no end) or more, got %d", p.LifetimeCalls)
	}
	return nil
}

const maxTokens = 10_000_000

// A Call is what one recorded call sent and got, in tokens as the run counts
// them, and what of it earlier calls had sent.
type Call struct {
	Prompt, Completion int
	Common             []Common // nearest first
}

// Common is how many tokens a prompt begins with like one of Ago calls before;
// Ago is 0 for one of an earlier episode.
type Common struct{ Ago, Tokens int }

// reusable is how many tokens of a call the cache can hold, and from how many
// calls before.
func (p Policy) reusable(c Call) (tokens, ago int) {
	if p.Kind == None {
		return 0, 0
	}
	for _, common := range c.Common {
		switch {
		case common.Ago == 0 && !p.AcrossEpisodes, p.LifetimeCalls > 0 && common.Ago > p.LifetimeCalls:
			continue
		case min(common.Tokens, c.Prompt) > tokens:
			tokens, ago = min(common.Tokens, c.Prompt), common.Ago
		}
	}
	if tokens < p.Minimum {
		return 0, 0
	}
	return tokens - tokens%max(1, p.Granularity), ago
}

// Usage is what calls come to under one policy. Read and Written are parts of
// Prompt and of no common token.
type Usage struct {
	Calls, Prompt, Completion int
	Read                      int // could be reused
	Written                   int // is put into the cache for a later call
}

// Usage adds up the calls of one episode, in order.
func (p Policy) Usage(calls []Call) Usage {
	u := Usage{Calls: len(calls)}
	reads := make([]int, len(calls))
	wanted := make([]int, len(calls)) // what later calls read of this one
	for i, c := range calls {
		u.Prompt += c.Prompt
		u.Completion += c.Completion
		n, ago := p.reusable(c)
		reads[i] = n
		u.Read += n
		if ago > 0 && ago <= i {
			wanted[i-ago] = max(wanted[i-ago], n)
		}
	}
	if p.Kind == Explicit {
		for i := range calls {
			u.Written += max(0, wanted[i]-reads[i])
		}
	}
	return u
}

// Plus is the sum of two usages under the same policy.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.Calls + o.Calls, u.Prompt + o.Prompt, u.Completion + o.Completion, u.Read + o.Read, u.Written + o.Written}
}

// Effective is the prompt in tokens of the full input price, if a share hit of
// what could be reused is. What Explicit fails to find it writes again, so at
// hit 0 it costs more than no cache; at hit 0 PrefixAuto costs the same.
func (p Policy) Effective(u Usage, hit float64) stats.Value {
	if !(hit >= 0 && hit <= 1) {
		return stats.Value{}
	}
	read, missed := hit*float64(u.Read), (1-hit)*float64(u.Read)
	switch p.Kind {
	case PrefixAuto:
		return stats.Of(float64(u.Prompt) - read + read*p.Read)
	case Explicit:
		written := float64(u.Written) + missed
		return stats.Of(math.Max(0, float64(u.Prompt)-read-written) + read*p.Read + written*p.Write)
	}
	return stats.Of(float64(u.Prompt))
}
