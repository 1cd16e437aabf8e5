package routing

import (
	"fmt"
	"slices"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills/rank"
	"skillbench/tasks/skills/suite"
)

// A world is one episode: the session's dialogues, one after another, and what
// this agent made of them.
type world struct {
	*session
	spec harness.Spec

	step     int      // of the present observation; -1 before the first
	dialogue int      // number of it in the session
	turn     int      // of the dialogue
	fresh    bool     // the turn has not been shown yet
	tries    int      // decisions at the turn
	tried    []string // skills that were called at the turn, of those that there are
	looks    int      // loads, opens, and answers of the runtime at the turn

	missed   bool   // a turn of the dialogue was not rightly decided at first
	unsolved bool   // a turn of the dialogue ended unsettled
	asked    string // the parameter that the last turn ended in asking for
	topic    string // the skill that it is a parameter of

	result string // of the last action: what the next observation opens with
	later  string // the same as prompts of later steps show it
	truth  state.Object
	known  map[string]any // the facts of the conversation, this message included
	index  *rank.BM25     // of the catalogue; nil before the first recall
	ranked []string       // the candidates of the turn, best first
	heard  map[string]int // step at which a value was last shown, by its JSON
}

// maxLooks is how often a turn waits while something is looked up.
const maxLooks = 5

func begin(spec harness.Spec) (harness.World, error) {
	if spec.Noise < 0 || spec.Horizon < 1 {
		return nil, fmt.Errorf("horizon, noise: want 1 or more dialogues and 0 or more lines, got %d and %d", spec.Horizon, spec.Noise)
	}
	s, err := newSession(spec)
	if err != nil {
		return nil, err
	}
	w := &world{session: s, spec: spec, step: -1, fresh: true, heard: map[string]int{}}
	w.truth = factsOnly(nil)
	return w, nil
}

// Truth holds the facts of the present conversation, and what the agent asked
// for last, if the customer has not answered yet. A message enters it when its
// first step ends, as it does a state.
func (w *world) Truth() state.Object { return w.truth }

func (w *world) now() suite.Case     { return w.cases[w.dialogue] }
func (w *world) message() suite.Turn { return w.now().Turns[w.turn] }
func (w *world) last() bool          { return w.turn == len(w.now().Turns)-1 }

// Observe begins the next step: the present message again while it is open, else
// the next one.
func (w *world) Observe() (record.Observation, bool) {
	if w.dialogue == len(w.cases) {
		return record.Observation{}, false
	}
	w.step++
	if w.fresh {
		w.known, w.ranked = w.facts(), w.recall()
	}
	o := w.describe()
	w.hear()
	return o, true
}

// Judge says what would become of an action and changes nothing.
func (w *world) Judge(action string) record.Outcome {
	_, o := w.judge(action)
	return o
}

// Act does the action and ends the step.
func (w *world) Act(action string) record.Outcome {
	e, o := w.judge(action)
	w.end(e)
	return o
}

// Answer ends the step as a look that the text answers.
func (w *world) Answer(text string) (record.Outcome, bool) {
	if w.looks >= maxLooks {
		return record.Outcome{}, false
	}
	e := w.after(ruling{valid: true, result: text, look: true}, false)
	w.end(e)
	return record.Outcome{Valid: true, Result: text, Free: true, World: e.change}, true
}

// An effect is what an action does to the session.
type effect struct {
	ruling
	called string // a skill that there is
	right  bool   // decided as the suite wants it
	ended  bool   // the turn is over
	asked  string
	topic  string
	truth  state.Object
	change *state.Object // of the truth; nil for none
}

func (w *world) judge(action string) (effect, record.Outcome) {
	c, err := parse(action)
	var r ruling
	switch {
	case action == record.None:
		r = refuse("no answer was given that could be read.")
		r.closes = true
	case err != nil:
		r = refuse("this is no command.")
	default:
		r = w.rule(c)
	}
	right := r.valid && w.right(c, r)
	e := w.after(r, right)
	if c.route.Do == record.Call && w.has(w.now(), c.route.Skill) {
		e.called = c.route.Skill
	}
	first := right && w.tries == 0
	return e, record.Outcome{
		Valid: r.valid, Result: r.result, Free: !e.ended, World: e.change, Routing: w.routing(c, e),
		Correct: first && (!w.last() || !w.missed),
	}
}

// after says what follows from a ruling.
func (w *world) after(r ruling, right bool) effect {
	e := effect{ruling: r, right: right, asked: w.asked, topic: w.topic}
	switch {
	case r.look:
		e.ended = w.looks >= maxLooks
	default:
		e.ended = right || r.closes || w.tries+1 >= w.options.Attempts
	}
	if e.ended {
		if e.asked, e.topic = r.asks, ""; e.asked != "" {
			e.topic = w.subject()
		}
	}
	e.truth = w.true(e.asked, e.topic)
	if change := state.Diff(w.truth, e.truth); !change.IsEmpty() {
		e.change = &change
	}
	return e
}

// end ends the step.
func (w *world) end(e effect) {
	w.result, w.later, w.truth, w.asked, w.topic = e.result, e.later, e.truth, e.asked, e.topic
	w.missed = w.missed || !e.look && !(e.right && w.tries == 0) || e.look && e.ended
	w.fresh = e.ended
	if e.called != "" && !slices.Contains(w.tried, e.called) {
		w.tried = append(w.tried, e.called)
	}
	switch {
	case !e.ended && e.look:
		w.looks++
	case !e.ended:
		w.tries++
	default:
		w.unsolved = w.unsolved || !e.right
		w.next()
	}
}

// next goes on to the customer's next message.
func (w *world) next() {
	last := w.last()
	w.tries, w.looks, w.tried = 0, 0, nil
	if w.turn++; last {
		w.dialogue, w.turn = w.dialogue+1, 0
		w.missed, w.unsolved, w.asked, w.topic = false, false, "", ""
	}
}
