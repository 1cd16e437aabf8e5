package record

import (
	"strings"
	"unicode/utf8"
)

// MaxReply is the largest reply kept, in bytes. A longer one is cut there and
// finishes as Oversize.
const MaxReply = 64 << 10

// A Finish says how a reply ended.
type Finish string

const (
	Stop          Finish = "stop"             // the model ended it
	Length        Finish = "length"           // cut at the completion limit
	Oversize      Finish = "oversize"         // cut at MaxReply
	ToolCalls     Finish = "tool_calls"       // ended in tool calls
	ContentFilter Finish = "content_filter"   // withheld by the provider
	Refusal       Finish = "refusal"          // the provider's refusal field was set
	Overflow      Finish = "context_overflow" // the prompt did not fit: a result of the strategy, not a fault
	Unknown       Finish = "unknown"          // the provider did not say
)

// A Reply is what a model answered, as it arrived.
type Reply struct {
	Text     string            `json:"text"`               // at most MaxReply bytes of valid UTF-8
	Thinking string            `json:"thinking,omitempty"` // reasoning in a field of its own; never returns to any prompt
	Calls    []ToolCall        `json:"calls,omitempty"`
	Finish   Finish            `json:"finish"`
	Choices  int               `json:"choices,omitempty"` // how many choices the provider sent; the first counts; 0 where it is not known
	Usage    *Usage            `json:"usage,omitempty"`   // as the provider reports it; nil where it does not
	Failed   []Failure         `json:"failed,omitempty"`  // attempts at this call that did not end in a reply, oldest first
	Served   string            `json:"served,omitempty"`  // what the endpoint says it is (model, fingerprint)
	Notes    map[string]string `json:"notes,omitempty"`   // labels of a simulated model about its own reply; never shown to anyone
}

// A ToolCall is one call a model asked for.
type ToolCall struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// Usage counts tokens as a provider reports them. A missing count is nil.
type Usage struct {
	Prompt     *int `json:"prompt,omitempty"`
	Completion *int `json:"completion,omitempty"`
	Cached     *int `json:"cached,omitempty"`    // part of Prompt
	Reasoning  *int `json:"reasoning,omitempty"` // part of Completion
}

// A Failure is an attempt at a call that a provider or the network spoiled.
// It cost tokens where Usage says so, and an unknown number otherwise.
type Failure struct {
	Class  string `json:"class"`            // see package model
	Status int    `json:"status,omitempty"` // HTTP status, 0 where there was none
	Usage  *Usage `json:"usage,omitempty"`
}

// Clean returns the reply with its texts made valid UTF-8 and bounded by
// MaxReply, which is how every reply enters the harness.
func (r Reply) Clean() Reply {
	var cut bool
	r.Text, cut = bounded(r.Text)
	if cut {
		r.Finish = Oversize
	}
	r.Thinking, _ = bounded(r.Thinking)
	calls := make([]ToolCall, 0, len(r.Calls))
	for _, c := range r.Calls[:min(len(r.Calls), 16)] {
		c.Name, _ = bounded(c.Name)
		c.Arguments, cut = bounded(c.Arguments)
		if cut {
			r.Finish = Oversize
		}
		calls = append(calls, c)
	}
	r.Calls = calls
	if r.Finish == "" {
		r.Finish = Unknown
	}
	return r
}

func bounded(s string) (string, bool) {
	cut := len(s) > MaxReply
	if cut {
		s = s[:MaxReply]
		for i := 0; i < utf8.UTFMax && len(s) > 0 && !utf8.RuneStart(s[len(s)-1]); i++ {
			s = s[:len(s)-1]
		}
		if r, size := utf8.DecodeLastRuneInString(s); r == utf8.RuneError && size == 1 {
			s = s[:len(s)-1]
		}
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	return s, cut
}

// A Purpose says why a model was called.
type Purpose string

const (
	ForStep    Purpose = "step"    // the first attempt at a step
	ForRetry   Purpose = "retry"   // a later attempt at the same step
	ForSummary Purpose = "summary" // a strategy rewrites what it keeps of the past
	ForScores  Purpose = "scores"  // a strategy asks how likely a text is; the reply holds Scores
)
