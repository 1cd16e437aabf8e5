package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"skillbench/harness/record"
)

// A Plan is what a model proposes for a request.
type Plan struct {
	Steps []Step `json:"steps"`
}

// A Step is one call of a plan.
type Step struct {
	Skill  string         `json:"skill"`
	Params map[string]any `json:"params"`
	After  []int          `json:"depends_on"` // numbers of steps, from 1
}

// Bounds of a plan.
const (
	maxPlan  = 4 << 10 // bytes
	maxSteps = 16
)

// ParsePlan reads a plan strictly: one object, no member twice, none unknown.
func ParsePlan(text string) (Plan, error) {
	var p Plan
	if len(text) > maxPlan {
		return p, fmt.Errorf("want a plan of at most %d bytes, got %d", maxPlan, len(text))
	}
	if err := json.Unmarshal([]byte(text), &p, json.RejectUnknownMembers(true)); err != nil {
		return Plan{}, errors.New("it is no plan in JSON")
	}
	return p, nil
}

// Plan orders a plan for a request. It runs if it is sound and costs no money;
// else the fixed flow of the request does, where it has one. The script may have
// it arrive otherwise than it was handed in, as a model may write it.
func (e *Engine) Plan(request, text string) Ack {
	text, bad := e.office.spoil(request, text)
	p, err := ParsePlan(text)
	flow, broken := e.calls(p, err)
	r, known := e.inbox[request]
	fixed := e.fixed(r)
	switch {
	case e.mech.FixedFlow && (e.library.costs(flow) || e.library.costs(fixed)):
		err = errors.New("it costs money")
	case !e.mech.PlanCheck:
		err = nil
	case err == nil:
		err = e.library.check(p, fixed)
	}
	ack := Ack{Verdict: Accepted, Request: request}
	switch {
	case err == nil:
		if bad {
			e.office.count(record.BadPlan, 1, 0)
		}
		return e.take(ack, flow, broken)
	case !known || len(fixed) == 0:
		return refused("%s", err)
	}
	ack.Verdict, ack.Why = Replaced, err.Error()
	return e.take(ack, fixed, "")
}

// fixed is the flow of a request that no model decides.
func (e *Engine) fixed(r Request) []Call {
	var flow []Call
	for _, skill := range e.library.flow(r.Goal) {
		flow = append(flow, e.repeat(Call{Skill: skill, Params: e.library.fits(skill, r.Params)})...)
	}
	return flow
}

// calls puts the steps of a plan in an order in which each follows those it
// depends on, as far as there is one, and says why the plan ends there.
func (e *Engine) calls(p Plan, err error) (flow []Call, broken string) {
	if err != nil {
		return nil, "no_plan"
	}
	done, parts := map[int]bool{}, map[string]int{}
	for range p.Steps {
		next := -1
		for i, s := range p.Steps {
			if !done[i+1] && ready(s, done) {
				next = i
				break
			}
		}
		if next < 0 {
			return flow, "stuck"
		}
		s := p.Steps[next]
		done[next+1] = true
		flow = append(flow, Call{s.Skill, parts[s.Skill], e.normal(s), true})
		parts[s.Skill]++
	}
	return flow, ""
}

func ready(s Step, done map[int]bool) bool {
	return !slices.ContainsFunc(s.After, func(n int) bool { return !done[n] })
}

// normal brings the parameters of a step to the kinds of its contract, where they
// fit it.
func (e *Engine) normal(s Step) map[string]any {
	def, _ := e.library.Find(s.Skill)
	out := map[string]any{}
	for name, v := range s.Params {
		if n, ok := def.Params[name].Normal(v); ok {
			v = n
		}
		out[name] = v
	}
	return out
}

// check reports the first reason why a plan is unsound. Writes says which slots
// the request may change: those of its fixed flow.
func (l *Library) check(p Plan, fixed []Call) error {
	if len(p.Steps) == 0 || len(p.Steps) > maxSteps {
		return fmt.Errorf("want 1 to %d steps, got %d", maxSteps, len(p.Steps))
	}
	allowed := map[string]bool{}
	for _, c := range fixed {
		s, _ := l.Find(c.Skill)
		for _, slot := range s.Writes {
			allowed[slot] = true
		}
	}
	for i, step := range p.Steps {
		if err := l.checkStep(step, len(p.Steps), allowed); err != nil {
			return fmt.Errorf("step %d: %w", i+1, err)
		}
	}
	if circular(p) {
		return errors.New("its steps go in a circle")
	}
	return nil
}

func (l *Library) checkStep(step Step, steps int, allowed map[string]bool) error {
	s, known := l.Find(step.Skill)
	if !known {
		return fmt.Errorf("there is no skill %.64q", step.Skill)
	}
	if step.Params == nil {
		step.Params = map[string]any{}
	}
	if _, faults := l.Contract(step.Skill).Check([]byte(compact(step.Params))); len(faults) > 0 {
		return errors.New(strings.Join(faults, ", "))
	}
	for _, n := range step.After {
		if n < 1 || n > steps {
			return fmt.Errorf("want steps from 1 to %d, got %d", steps, n)
		}
	}
	for _, slot := range s.Writes {
		if !allowed[slot] {
			return fmt.Errorf("it writes %s, and the request does not", slot)
		}
	}
	return nil
}

// circular reports whether some step waits for itself.
func circular(p Plan) bool {
	done := map[int]bool{}
	for range p.Steps {
		for i, s := range p.Steps {
			if ready(s, done) {
				done[i+1] = true
			}
		}
	}
	return len(done) < len(p.Steps)
}
