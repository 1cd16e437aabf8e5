package simserver

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"skillbench/harness/config"
)

// A Script says which calls go wrong, and how. The first rule that falls on a
// call spoils it.
type Script struct {
	Seed uint64 `yaml:"seed"` // of what rates draw

	// InARow is the most faults that one request meets one after another; 0: no
	// bound. Requests with the same body count as one, so where such are in
	// flight together one of them may meet more.
	InARow int    `yaml:"in_a_row"`
	Rules  []Rule `yaml:"rules"`
}

// A Rule is one fault and the calls that it falls on: those named by At, each
// Every-th, or a share. Numbers go by the order of arrival. A share is drawn
// from the seed, the request and how often it came before, so that it does
// not depend on what else arrives meanwhile; shares of several rules add up.
type Rule struct {
	At    []int   `yaml:"at"` // numbers of calls, from 1
	Every int     `yaml:"every"`
	Rate  float64 `yaml:"rate"` // 0 to 1

	Fault      Fault   `yaml:"fault"`
	Status     int     `yaml:"status"`      // default 503 for status, else 200
	RetryAfter string  `yaml:"retry_after"` // the header, seconds or a date
	Delay      float64 `yaml:"delay"`       // seconds before anything is sent
	After      int     `yaml:"after"`       // bytes of the answer that are sent before cut, short and hang
	Text       string  `yaml:"text"`        // the body of text, or the words of an error
	Reply      *Reply  `yaml:"reply"`       // of the fault reply

	// Usage has the spoilt answer say what it used: the bodies of status, error
	// and no_choices, and streams that are cut or short.
	Usage bool `yaml:"usage"`
}

// A Fault is a way to go wrong.
type Fault string

const (
	Status    Fault = "status"     // an error in OpenAI's form
	Error     Fault = "error"      // the same under a status of success
	HTML      Fault = "html"       // a page of a proxy
	Text      Fault = "text"       // a body given by the rule
	Empty     Fault = "empty"      // no body
	NoChoices Fault = "no_choices" // a completion without choices
	Garbage   Fault = "garbage"    // random bytes
	Trailing  Fault = "trailing"   // the answer and more text
	Cut       Fault = "cut"        // the connection breaks within the answer
	Short     Fault = "short"      // the answer ends early as if it were whole
	Reset     Fault = "reset"      // the connection breaks before the answer
	Hang      Fault = "hang"       // nothing more is sent
	Slow      Fault = "slow"       // the right answer, after Delay
	Replaced  Fault = "reply"      // a whole answer with another reply
)

func faults() []Fault {
	return []Fault{Status, Error, HTML, Text, Empty, NoChoices, Garbage, Trailing, Cut, Short, Reset, Hang, Slow, Replaced}
}

// A Reply stands for the simulated model's own.
type Reply struct {
	Text      string `yaml:"text"`
	Reasoning string `yaml:"reasoning"` // in a field of its own
	Refusal   string `yaml:"refusal"`   // in a field of its own
	Finish    string `yaml:"finish"`    // default stop
	Choices   int    `yaml:"choices"`   // equal ones; default 1
	Calls     []Call `yaml:"calls"`
}

// A Call is a tool call of a Reply.
type Call struct {
	Name      string `yaml:"name"`
	Arguments string `yaml:"arguments"`
}

// ParseScript reads a fault script. source is the file's name, for errors.
func ParseScript(source string, data []byte) (Script, error) {
	var s Script
	node, err := config.Parse(source, data)
	if err != nil {
		return s, err
	}
	if err := node.Decode(&s); err != nil {
		return s, err
	}
	return s, node.At(s.check())
}

// most bounds the numbers of a script that cost time or memory.
const most = 1_000_000

func (s Script) check() error {
	if s.InARow < 0 {
		return fmt.Errorf("in_a_row: want 0 (no bound) or more, got %d", s.InARow)
	}
	sum := 0.0
	for i, r := range s.Rules {
		if err := r.check(); err != nil {
			return fmt.Errorf("rules: rule %d: %w", i+1, err)
		}
		sum += r.Rate
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("rules: want rates with a sum of 1 at most, got %g", sum)
	}
	return nil
}

func (r Rule) check() error {
	ways := 0
	for _, set := range []bool{len(r.At) > 0, r.Every != 0, r.Rate != 0} {
		if set {
			ways++
		}
	}
	switch {
	case !slices.Contains(faults(), r.Fault):
		return fmt.Errorf("fault: want one of %q, got %q", faults(), r.Fault)
	case ways != 1:
		return fmt.Errorf("want one of at, every and rate, got %d of them", ways)
	case r.Every < 0 || !(r.Rate >= 0 && r.Rate <= 1):
		return fmt.Errorf("want every over 0 and rate from 0 to 1")
	case r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return fmt.Errorf("status: want 200 to 599, got %d", r.Status)
	case strings.ContainsAny(r.RetryAfter, "\r\n"):
		return fmt.Errorf("retry_after: want one line")
	case !(r.Delay >= 0 && r.Delay <= most):
		return fmt.Errorf("delay: want 0 to %d seconds, got %g", most, r.Delay)
	case r.After < 0 || r.After > most:
		return fmt.Errorf("after: want 0 to %d bytes, got %d", most, r.After)
	case (r.Fault == Replaced) != (r.Reply != nil):
		return fmt.Errorf("reply: want it with fault reply, and only there")
	case r.Reply != nil && (r.Reply.Choices < 0 || r.Reply.Choices > 100):
		return fmt.Errorf("reply: want 1 to 100 choices, got %d", r.Reply.Choices)
	case r.Usage && !slices.Contains([]Fault{Status, Error, NoChoices, Cut, Short}, r.Fault):
		return fmt.Errorf("usage: no client could read it in an answer spoilt by %s", r.Fault)
	}
	return nil
}

// needsAnswer reports whether the fault spoils an answer, and does not stand
// for one.
func (r *Rule) needsAnswer() bool {
	return r.Usage || slices.Contains([]Fault{NoChoices, Trailing, Cut, Short, Slow, Replaced}, r.Fault) || r.Fault == Hang && r.After > 0
}

func (r *Rule) status() int {
	switch {
	case r.Status != 0:
		return r.Status
	case r.Fault == Status:
		return http.StatusServiceUnavailable
	}
	return http.StatusOK
}
