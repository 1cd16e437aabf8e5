package patcherr

import (
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/metrics"
)

// A Judge classifies the attempts of one episode, step by step.
type Judge struct {
	start   journal.Start
	told    state.Object // the world as far as it was announced or caused
	alerts  map[string]bool
	spoiled bool // an error of the past can show through at later steps
	episode Episode
}

// NewJudge judges the episode that began so.
func NewJudge(start journal.Start) *Judge {
	return &Judge{start: start, told: start.Truth, alerts: map[string]bool{},
		episode: Episode{Cell: start.Cell, Stateful: start.State != nil, FirstDiverged: -1}}
}

// Step takes the next step; it fits metrics.Walk and metrics.Measure. It never
// fails. Steps that no model was asked at are passed over.
func (j *Judge) Step(s metrics.Step) error {
	around := j.surrounding(s)
	defer func() { j.told = j.next(s, around) }()
	e := &j.episode
	if o := s.Act.Observation; !o.Free && !s.Act.Outcome.Free && s.Act.Outcome.Correct && !o.Impossible {
		e.Correct++
	}
	if len(s.Attempts) == 0 {
		return nil
	}
	e.Steps++
	c := newChange(s.Before, s.After, around)
	if e.Stateful {
		e.diverge(s, c.wrong())
	}
	for _, a := range s.Attempts {
		e.Attempts = append(e.Attempts, j.attempt(s, a, c, around))
	}
	if !s.Attempts[len(s.Attempts)-1].Transition.Accepted() {
		e.Missed++
	}
	if s.Act.Oracle == nil && (c.wrong() > 0 || !s.Act.Outcome.Correct && !s.Act.Outcome.Free) {
		j.spoiled = true
	}
	return nil
}

// surrounding is the world around a step. A silent change is told by the first
// observation that names its drift: the alert.
func (j *Judge) surrounding(s metrics.Step) surrounding {
	around := surrounding{holdsBefore: s.World.Before, holdsAfter: s.World.After, toldBefore: j.told}
	drift := s.Act.Observation.Drift
	alert := drift != "" && !j.alerts[drift]
	if j.alerts[drift] = true; alert {
		around.toldAfter = s.World.After
	} else {
		around.toldAfter = applied(j.told, s.Act.Outcome.World)
	}
	if !s.Act.Outcome.Valid && s.Act.Action != record.None {
		around.refused = s.Act.Action
	}
	return around
}

// next is what is told when the next step begins. In a teacher world Σ is made
// true after each step, silent changes included.
func (j *Judge) next(s metrics.Step, around surrounding) state.Object {
	if s.Act.Oracle == nil {
		return around.toldAfter
	}
	return applied(s.World.Before, s.Act.Oracle.World)
}

func applied(o state.Object, patch *state.Object) state.Object {
	if patch == nil {
		return o
	}
	return state.Deep.Apply(o, *patch)
}

// attempt classifies one reply from its recorded transition and, if it was the
// accepted one, from what it did to Σ.
func (j *Judge) attempt(s metrics.Step, a metrics.Attempt, c change, around surrounding) Attempt {
	t := a.Transition
	out := Attempt{Step: t.Step, Attempt: t.Attempt, Accepted: t.Accepted(), Judged: j.episode.Stateful, True: c.wasRight() && !j.spoiled,
		Resend: slices.Contains(t.Move.Flags, "resend"), Tokens: a.Call.Tokens + a.Call.Completion, Injected: a.Call.Notes[sim.Injected]}
	out.Findings = replied(t, c, j.would(s, t))
	if j.episode.Stateful && out.Accepted {
		out.Findings = append(out.Findings, c.findings()...)
	}
	out.Lost = j.lost(s, t, around)
	out.settle()
	return out
}

// settle stamps and orders the findings.
func (a *Attempt) settle() {
	for i := range a.Findings {
		a.Findings[i].Step, a.Findings[i].Attempt, a.Findings[i].Resend = a.Step, a.Attempt, a.Resend
	}
	slices.SortStableFunc(a.Findings, func(x, y Finding) int { return rankOf(x.Class) - rankOf(y.Class) })
}

// replied lists what the reply itself got wrong: what it was refused for, and
// what was mended.
func replied(t record.Transition, c change, would facts) []Finding {
	var found []Finding
	for _, v := range t.Violations {
		found = append(found, Finding{Class: v.Class, Path: v.Path, Hint: v.Hint, Before: c.before[v.Path], After: would[v.Path], Truth: c.holdsBefore[v.Path]})
	}
	for _, flag := range t.Move.Flags {
		if class, ok := strings.CutPrefix(flag, transition.Repaired+":"); ok {
			found = append(found, Finding{Class: class, Hint: "mended and accepted"})
		}
	}
	return found
}

// would are all leaves of the Σ that a patch gives.
func (j *Judge) would(s metrics.Step, t record.Transition) facts {
	if t.Move.Patch == nil || !j.episode.Stateful {
		return nil
	}
	next := j.start.Merge.Apply(s.Before, *t.Move.Patch)
	return factsOf(next, next)
}

// lost reports whether a patch that was right was not taken because of its
// action: the action was no command, or the world refused it and Σ waits for the
// world. It is right if all it changes is as the world is after the step; in a
// teacher world, after what the oracle did.
func (j *Judge) lost(s metrics.Step, t record.Transition, around surrounding) bool {
	notCommand := len(t.Violations) > 0 && !slices.ContainsFunc(t.Violations, func(v state.Violation) bool { return v.Class != transition.ActionGrammar })
	refused := t.Accepted() && j.start.Late && !s.Act.Outcome.Valid
	if !j.episode.Stateful || t.Move.Patch == nil || !notCommand && !refused {
		return false
	}
	around.toldAfter = j.next(s, around)
	if s.Act.Oracle != nil {
		around.holdsAfter = around.toldAfter
	}
	return newChange(s.Before, j.start.Merge.Apply(s.Before, *t.Move.Patch), around).rightly()
}
