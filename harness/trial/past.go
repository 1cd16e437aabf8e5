package trial

import (
	"fmt"
	"strings"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// A past is what an agent went through before the moment at which prompts are
// compared. Pasts differ in everything that a strategy is shown of them.
type past struct {
	name  string
	turns int
	words string // in observations, replies, summaries
	every int    // each such turn is missed after a refused reply; 0: none
}

// moment is the step at which all pasts meet.
const moment = 12

func pasts() []past {
	return []past{
		{name: "no past", turns: 0},
		{name: "12 turns", turns: moment, words: "amber boat cedar"},
		{name: "12 other turns", turns: moment, words: "delta éclair 船 fig", every: 3},
		{name: "7 turns", turns: 7, words: "gate " + strings.Repeat("hill ", 40), every: 2},
	}
}

// An arrival is the prompts of an agent that has come to the moment.
type arrival struct {
	past    past
	summary prompt.Prompt // nil where none was due
	first   prompt.Prompt
	retry   prompt.Prompt
}

// interference brings fresh agents through different pasts to the same step, Σ
// and O, and compares their prompts.
func (t *Trial) interference() (result check.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("agent %s on %s: panic: %v", t.column.Name, t.variant.Name, p)
		}
	}()
	var arrivals []arrival
	for _, p := range pasts() {
		a, err := t.arrive(p)
		if err != nil {
			return result, fmt.Errorf("agent %s after %s: %w", t.column.Name, p.name, err)
		}
		arrivals = append(arrivals, a)
	}
	var results []check.Result
	zero := arrivals[0]
	for _, a := range arrivals[1:] {
		results = append(results,
			check.Interference(zero.past.name, zero.summary, a.past.name, a.summary),
			check.Interference(zero.past.name, zero.first, a.past.name, a.first),
			check.Interference(zero.past.name, zero.retry, a.past.name, a.retry))
	}
	return check.Join(results...), nil
}

// arrive lives through a past with a fresh agent.
func (t *Trial) arrive(p past) (a arrival, err error) {
	a.past = p
	agent, err := t.column.Strategy.New(t.Setup())
	if err != nil {
		return a, err
	}
	var turns []record.Turn
	for n := range p.turns {
		view := harness.View{Step: n, Observation: p.text("observation", n), State: t.shown(p.words, n), Past: turns}
		if _, _, err := t.ask(agent, view, p); err != nil {
			return a, err
		}
		turn := record.Turn{Step: n, Observation: view.Observation, Action: record.None}
		if missed := p.every > 0 && n%p.every == 0; missed {
			view.Feedback = []state.Violation{state.NewViolation(transition.Empty, "", p.text("hint", n))}
			if _, err := agent.Prompt(view); err != nil {
				return a, err
			}
		} else {
			turn.Reply, turn.Action = p.text("reply", n), p.text("action", n)
		}
		turns = append(turns, turn)
	}
	view := harness.View{Step: moment, Observation: "The same for all.\n", State: t.shown("same", moment), Past: turns}
	if a.summary, a.first, err = t.ask(agent, view, p); err != nil {
		return a, err
	}
	view.Feedback = []state.Violation{state.NewViolation(transition.SchemaType, "/same", "the same for all")}
	a.retry, err = agent.Prompt(view)
	return a, err
}

// ask does what the loop does at the first attempt of a step.
func (t *Trial) ask(agent harness.Agent, v harness.View, p past) (summary, first prompt.Prompt, err error) {
	if s, ok := agent.(harness.Summarizer); ok {
		if due, ok := s.Due(v); ok {
			summary = due
			s.Summarized(p.text("summary", v.Step))
		}
	}
	Inform(agent, v)
	first, err = agent.Prompt(v)
	return summary, first, err
}

// Inform answers, by n-grams, all that a strategy asks of a model at a step.
func Inform(agent harness.Agent, v harness.View) {
	i, ok := agent.(harness.Inquirer)
	if !ok {
		return
	}
	for p, due := i.Ask(v); due; p, due = i.Ask(v) {
		i.Told(ngrams.Judge(p))
	}
}

func (p past) text(of string, n int) string {
	return fmt.Sprintf("%s of %s %d.\n", p.words, of, n)
}

// shown is a Σ with a member of its own.
func (t *Trial) shown(words string, n int) state.Object {
	if !t.column.Settings.Stateful() {
		return state.Object{}
	}
	return state.Deep.Apply(t.variant.Skill.Initial, state.From(map[string]any{"words": words, "step": n}))
}
