package openai

import (
	"encoding/json"
	"strconv"

	"skillbench/harness/record"
)

// usage is a provider's count of tokens, as far as it sent one.
type usage struct {
	Prompt     count `json:"prompt_tokens"`
	Completion count `json:"completion_tokens"`
	Hit        count `json:"prompt_cache_hit_tokens"` // DeepSeek
	Details    struct {
		Cached count `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	Output struct {
		Reasoning count `json:"reasoning_tokens"`
	} `json:"completion_tokens_details"`
}

// record is nil where nothing was counted.
func (u *usage) record() *record.Usage {
	r := &record.Usage{Prompt: u.Prompt.n, Completion: u.Completion.n, Cached: u.Details.Cached.n, Reasoning: u.Output.Reasoning.n}
	if r.Cached == nil {
		r.Cached = u.Hit.n
	}
	if *r == (record.Usage{}) {
		return nil
	}
	return r
}

// A count is a number of tokens, or nothing: nothing is made up.
type count struct{ n *int }

// UnmarshalJSON takes whole numbers from 0 to 2^40 and ignores the rest.
func (c *count) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(string(data), 64)
	if err == nil && f >= 0 && f < 1<<40 && f == float64(int(f)) {
		c.n = new(int(f))
	}
	return nil
}

// usageIn finds the usage in the body of an attempt that failed, whole or
// streamed; nil where there is none.
func usageIn(body []byte) *record.Usage {
	var c struct {
		Usage *usage `json:"usage"`
	}
	if json.Unmarshal(body, &c) == nil && c.Usage != nil {
		return c.Usage.record()
	}
	var found *record.Usage
	if isStream(body) {
		for data := range events(body) {
			c.Usage = nil
			if json.Unmarshal(data, &c) == nil && c.Usage != nil {
				found = c.Usage.record()
			}
		}
	}
	return found
}
