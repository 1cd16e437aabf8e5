package journal

import (
	"errors"
	"fmt"

	"skillbench/harness/record"
)

// order holds a journal to the order in which an episode writes: a start; for
// each step at most one summary call, then calls for scores, numbered from 0,
// then attempts, each a call and the judgement on it, then the act; and one end. A journal that breaks it was
// edited or mixed up, and nothing may be added up from it.
type order struct {
	begun, ended bool
	step         int // the one that is under way
	calls        int // attempts at it
	summarized   bool
	scored       int  // calls for scores
	open         bool // the last of them waits for its judgement
}

// maxCount bounds every count of a journal, so that sums cannot overflow.
const maxCount = 1 << 40

func (o *order) event(e Event) error {
	switch {
	case e.kinds() != 1:
		return fmt.Errorf("damaged: want one of start, call, transition, act and end, found %d", e.kinds())
	case o.ended:
		return errors.New("damaged: an event behind the end")
	case o.begun == (e.Start != nil):
		return errors.New("damaged: want one start, as the first event")
	}
	switch {
	case e.Start != nil:
		o.begun = true
		if e.Start.Version < 1 || e.Start.Version > Version {
			return fmt.Errorf("version %d of the format; this program reads 1 to %d", e.Start.Version, Version)
		}
	case e.Call != nil:
		return o.call(*e.Call)
	case e.Transition != nil:
		return o.transition(*e.Transition)
	case e.Act != nil:
		return o.act(*e.Act)
	default:
		if s := e.End.Status; !s.Final() && !s.Failed() {
			return fmt.Errorf("damaged: an end with the status %.40q", s)
		}
		o.ended = true
	}
	return nil
}

func (e Event) kinds() int {
	n := 0
	for _, set := range []bool{e.Start != nil, e.Call != nil, e.Transition != nil, e.Act != nil, e.End != nil} {
		if set {
			n++
		}
	}
	return n
}

func (o *order) call(c Call) error {
	for _, n := range []int{c.Chars, c.Tokens, c.Completion} {
		if n < 0 || n > maxCount {
			return fmt.Errorf("damaged: a count of %d", n)
		}
	}
	fits := c.Step == o.step
	switch c.Purpose {
	case record.ForSummary:
		fits = fits && !o.summarized && o.scored == 0 && o.calls == 0
		o.summarized = true
	case record.ForScores:
		fits = fits && o.calls == 0 && c.Attempt == o.scored
		o.scored++
	case record.ForStep:
		fits = fits && o.calls == 0 && c.Attempt == 0
		o.calls, o.open = 1, true
	default: // whether a retry was due is for the checks to say, see package check
		fits = fits && c.Purpose == record.ForRetry && o.calls > 0 && c.Attempt == o.calls
		o.calls, o.open = o.calls+1, true
	}
	if !fits {
		return fmt.Errorf("damaged: a %s call of step %d, attempt %d is out of order in step %d", c.Purpose, c.Step, c.Attempt, o.step)
	}
	return nil
}

func (o *order) transition(t record.Transition) error {
	if !o.open || t.Step != o.step || t.Attempt != o.calls-1 {
		return fmt.Errorf("damaged: a transition of step %d, attempt %d is out of order in step %d", t.Step, t.Attempt, o.step)
	}
	o.open = false
	return nil
}

func (o *order) act(a record.Act) error {
	if o.open || a.Observation.Step != o.step {
		return fmt.Errorf("damaged: the act of step %d is out of order in step %d", a.Observation.Step, o.step)
	}
	*o = order{begun: true, step: o.step + 1}
	return nil
}
