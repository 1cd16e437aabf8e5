// Package metrics turns journals into numbers. It reads what was written down
// and nothing else, so a run can be measured again, in new ways, without
// calling a model.
package metrics

import (
	"fmt"
	"unicode/utf8"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// An Episode is one cell's journal, being walked.
type Episode struct {
	Start journal.Start
	End   *journal.End // nil while not ended
	Loose []Sent       // calls of a step that was begun and not finished
}

// A Step is one finished step with all that its journal says of it.
type Step struct {
	Act      record.Act
	Summary  *Sent     // the summary call before it, if one was made
	Scores   []Sent    // calls before it that asked how likely a text is
	Attempts []Attempt // empty for players
	Before   state.Object
	After    state.Object // Σ as the reply left it
	World    World
}

// Beside are the calls of a step that asked for no action, in their order.
func (s Step) Beside() []Sent {
	if s.Summary == nil {
		return s.Scores
	}
	return append([]Sent{*s.Summary}, s.Scores...)
}

// World is the agent's own world around a step.
type World struct {
	Before state.Object // when the step was observed, silent changes included
	After  state.Object // once the action was done (in a teacher world: would have been done)
}

// An Attempt is one call at a step and the judgement on it.
type Attempt struct {
	Sent
	Transition record.Transition
}

// Sent is a call with the size of its prompt by kind, in code points.
type Sent struct {
	Call  journal.Call
	Parts map[prompt.Kind]int
}

// Walk calls f with each finished step in order. What is returned holds the
// start and end of the episode.
func Walk(r *journal.Reader, f func(Step) error) (Episode, error) {
	w := walker{reader: r, f: f, lanes: map[string]*sizes{}}
	err := r.Each(w.event)
	w.episode.Loose = w.begun
	return w.episode, err
}

// walker folds events into steps.
type walker struct {
	reader  *journal.Reader
	f       func(Step) error
	episode Episode
	lanes   map[string]*sizes
	step    Step
	sent    Sent   // the call whose transition comes next
	begun   []Sent // all calls of this step
	state   state.Object
	world   state.Object
}

func (w *walker) event(e journal.Event) error {
	switch {
	case e.Start != nil:
		w.episode.Start, w.world = *e.Start, e.Start.Truth
		if e.Start.State != nil {
			w.state = *e.Start.State
		}
	case e.Call != nil:
		return w.call(*e.Call)
	case e.Transition != nil:
		w.step.Attempts = append(w.step.Attempts, Attempt{w.sent, *e.Transition})
	case e.Act != nil:
		return w.act(*e.Act)
	case e.End != nil:
		w.episode.End = e.End
	}
	return nil
}

func (w *walker) call(c journal.Call) error {
	lane := w.lanes[c.Lane()]
	if lane == nil {
		lane = &sizes{totals: map[prompt.Kind]int{}}
		w.lanes[c.Lane()] = lane
	}
	if err := lane.apply(c.Splice, w.reader); err != nil {
		return fmt.Errorf("prompt of step %d: %w", c.Step, err)
	}
	w.sent = Sent{c, lane.parts()}
	w.begun = append(w.begun, w.sent)
	switch c.Purpose {
	case record.ForSummary:
		sent := w.sent
		w.step.Summary = &sent
	case record.ForScores:
		w.step.Scores = append(w.step.Scores, w.sent)
	}
	return nil
}

// act finishes a step. In a teacher world, Σ and world go on from what the
// oracle did.
func (w *walker) act(a record.Act) error {
	s := w.step
	s.Act = a
	if a.Observation.Silent != nil {
		w.world = state.Deep.Apply(w.world, *a.Observation.Silent)
	}
	s.World.Before = w.world
	s.World.After = changed(w.world, a.Outcome.World)
	s.Before, s.After = w.state, w.committed(a)
	w.step, w.begun = Step{}, nil
	if a.Oracle == nil {
		w.world, w.state = s.World.After, s.After
		return w.f(s)
	}
	w.world = changed(w.world, a.Oracle.World)
	if w.episode.Start.State != nil {
		truth := w.state
		if a.Observation.Silent != nil {
			truth = state.Deep.Apply(truth, *a.Observation.Silent)
		}
		w.state = changed(truth, a.Oracle.World)
	}
	return w.f(s)
}

func changed(o state.Object, patch *state.Object) state.Object {
	if patch == nil {
		return o
	}
	return state.Deep.Apply(o, *patch)
}

// committed is Σ after the step, from the accepted patch alone.
func (w *walker) committed(a record.Act) state.Object {
	start := w.episode.Start
	n := len(w.step.Attempts)
	if start.State == nil || n == 0 {
		return w.state
	}
	t := w.step.Attempts[n-1].Transition
	if !t.Accepted() || t.Move.Patch == nil || start.Late && !a.Outcome.Valid {
		return w.state
	}
	return start.Merge.Apply(w.state, *t.Move.Patch)
}

// sizes follows the splices of one lane and keeps the size of the prompt by
// kind. Its work grows with what changes, not with the prompt.
type sizes struct {
	sections [][]sized
	totals   map[prompt.Kind]int
}

type sized struct {
	kind  prompt.Kind
	chars int
}

func (z *sizes) apply(sp prompt.Splice, r *journal.Reader) error {
	for len(z.sections) > len(sp) {
		last := len(z.sections) - 1
		z.drop(z.sections[last])
		z.sections = z.sections[:last]
	}
	for i, e := range sp {
		if i == len(z.sections) {
			z.sections = append(z.sections, nil)
		}
		old := z.sections[i]
		if !e.Fits(len(old)) {
			return fmt.Errorf("section %d: want to keep %d segments after the first %d, the prompt before has %d", i, e.Keep, e.Skip, len(old))
		}
		z.drop(old[:e.Skip])
		z.drop(old[e.Skip+e.Keep:])
		section := old[e.Skip : e.Skip+e.Keep]
		for _, ref := range e.Add {
			text, err := r.Text(ref.Text)
			if err != nil {
				return err
			}
			one := sized{ref.Kind, utf8.RuneCountInString(text)}
			z.totals[one.kind] += one.chars
			section = append(section, one)
		}
		z.sections[i] = section
	}
	return nil
}

func (z *sizes) drop(section []sized) {
	for _, s := range section {
		z.totals[s.kind] -= s.chars
	}
}

func (z *sizes) parts() map[prompt.Kind]int {
	parts := make(map[prompt.Kind]int, len(z.totals))
	for k, n := range z.totals {
		if n != 0 {
			parts[k] = n
		}
	}
	return parts
}
