package limit

import (
	"fmt"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A Budget is what a run may use in all its sessions together. Zero means no
// limit.
type Budget struct {
	Calls   int     `yaml:"calls"`   // attempts sent, failed ones included
	Tokens  int     `yaml:"tokens"`  // prompt and completion
	Seconds float64 `yaml:"seconds"` // wall time of the sessions
	Money   float64 `yaml:"money"`   // in the currency of the price file
}

// Validate names the first key that is out of range.
func (b Budget) Validate() error {
	for _, k := range []struct {
		name  string
		value float64
	}{{"calls", float64(b.Calls)}, {"tokens", float64(b.Tokens)}, {"seconds", b.Seconds}, {"money", b.Money}} {
		if !(k.value >= 0) {
			return fmt.Errorf("limits.%s: want 0 (no limit) or more, got %v", k.name, k.value)
		}
	}
	return nil
}

// Spent is what a run has used. Tokens a provider did not count are estimated
// at four bytes each, so that a silent endpoint cannot outrun a budget.
type Spent struct {
	Calls   int     `json:"calls"`
	Tokens  int     `json:"tokens"`
	Seconds float64 `json:"seconds"`
	Money   float64 `json:"money"`
}

// crossed is the first limit that s has reached, as the error it means.
func (b Budget) crossed(s Spent) error {
	switch {
	case b.Calls > 0 && s.Calls >= b.Calls:
		return over("calls", s.Calls, b.Calls)
	case b.Tokens > 0 && s.Tokens >= b.Tokens:
		return over("tokens", s.Tokens, b.Tokens)
	case b.Seconds > 0 && s.Seconds >= b.Seconds:
		return over("seconds", fmt.Sprintf("%.1f", s.Seconds), b.Seconds)
	case b.Money > 0 && s.Money >= b.Money:
		return over("money", fmt.Sprintf("%.6f", s.Money), b.Money)
	}
	return nil
}

func over(name string, used, limit any) error {
	return &model.Error{
		Class:    "limit:" + name,
		Message:  fmt.Sprintf("the run has used %v %s of %v", used, name, limit),
		Measured: fmt.Sprint(used),
	}
}

const bytesPerToken = 4

// estimate is the number of tokens of a text of so many bytes, rounded up.
func estimate(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// filled is u with its missing counts estimated.
func filled(u *record.Usage, prompt, completion int) record.Usage {
	var f record.Usage
	if u != nil {
		f = *u
	}
	if f.Prompt == nil {
		f.Prompt = &prompt
	}
	if f.Completion == nil {
		f.Completion = &completion
	}
	return f
}

func sum(u record.Usage) int { return *u.Prompt + *u.Completion }
