package check

import (
	"fmt"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A sent is one call with its whole prompt.
type sent struct {
	journal.Call
	prompt     prompt.Prompt
	state      state.Object       // Σ_t, derived from the patches alone
	transition *record.Transition // the judgement on the reply; nil for summaries, for scores and where none is recorded
}

// A step is a finished step with everything that was sent at it.
type step struct {
	calls         []sent
	act           record.Act
	before, after state.Object // Σ_t and Σ_{t+1}, derived
	stateful      bool         // the strategy keeps a Σ
}

// attempts are the calls that asked for an action.
func (s step) attempts() []sent {
	for i, c := range s.calls {
		if c.Purpose == record.ForStep || c.Purpose == record.ForRetry {
			return s.calls[i:]
		}
	}
	return nil
}

// A tracer folds events into steps and derives Σ from the patches that were
// accepted, which is what the recorded hashes and the prompts are held against.
type tracer struct {
	reader *journal.Reader
	start  journal.Start
	state  state.Object
	step   step
	f      func(step)
}

// trace calls f with every step in order; the last may be unfinished, with an
// act without action.
func trace(r *journal.Reader, f func(step)) (journal.Start, error) {
	t := &tracer{reader: r, f: f}
	err := r.Each(t.event)
	if err == nil && len(t.step.calls) > 0 {
		t.step.before, t.step.after = t.state, t.state
		f(t.step)
	}
	return t.start, err
}

func (t *tracer) event(e journal.Event) error {
	switch {
	case e.Start != nil:
		t.start = *e.Start
		if e.Start.State != nil {
			t.state = *e.Start.State
		}
	case e.Call != nil:
		p, err := t.reader.Prompt(*e.Call)
		if err != nil {
			return err
		}
		t.step.calls = append(t.step.calls, sent{Call: *e.Call, prompt: p, state: t.state})
	case e.Transition != nil:
		n := len(t.step.calls)
		if n == 0 {
			return fmt.Errorf("a transition of step %d without a call", e.Transition.Step)
		}
		t.step.calls[n-1].transition = e.Transition
	case e.Act != nil:
		t.act(*e.Act)
	}
	return nil
}

// act ends a step. In a teacher world Σ goes on from what the oracle did.
func (t *tracer) act(a record.Act) {
	s := t.step
	s.act, s.before, s.after, s.stateful = a, t.state, t.committed(a), t.start.State != nil
	t.step = step{}
	t.state = s.after
	if a.Oracle != nil && t.start.State != nil {
		t.state = patched(patched(s.before, a.Observation.Silent), a.Oracle.World)
	}
	t.f(s)
}

func patched(o state.Object, patch *state.Object) state.Object {
	if patch == nil {
		return o
	}
	return state.Deep.Apply(o, *patch)
}

// committed is Σ after the step: the accepted patch, or no change.
func (t *tracer) committed(a record.Act) state.Object {
	attempts := t.step.attempts()
	if t.start.State == nil || len(attempts) == 0 {
		return t.state
	}
	last := attempts[len(attempts)-1].transition
	if last == nil || !last.Accepted() || last.Move.Patch == nil || t.start.Late && !a.Outcome.Valid {
		return t.state
	}
	return t.start.Merge.Apply(t.state, *last.Move.Patch)
}
