package repo

import (
	"fmt"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A world is one episode: the script, and a repository that follows this
// agent's actions. Kinds and items of base events are the same for all agents.
type world struct {
	spec   harness.Spec
	opts   Options
	script script
	limits limits
	drift  drift

	repo  repository
	truth state.Object   // repo as of the last action and silent change
	seen  map[string]int // step at which a fact was last observed or caused
	revs  map[string]int // merges into each file of master, for Read

	step   int    // of the present observation; -1 before the first
	base   int    // base events answered
	reads  int    // free commands used for the present event
	result string // of the last action
	now    occasion
}

// An occasion is the event of the present step, as this agent's world has it.
type occasion struct {
	event
	notice   string    // what an ended drift announces, "" for nothing
	alert    string    // of the open event
	drift    *incident // the one that the step alerts to, waits for or touches
	free     bool      // the open event of drift
	oracle   command
	possible bool
}

func begin(spec harness.Spec) (harness.World, error) {
	opts, err := decode(spec.Options)
	if err != nil {
		return nil, err
	}
	if spec.Horizon < 1 || spec.Horizon > maxHorizon {
		return nil, fmt.Errorf("horizon: want 1 to %d, got %d", maxHorizon, spec.Horizon)
	}
	if spec.Noise < 0 {
		return nil, fmt.Errorf("noise: want 0 or more lines, got %d", spec.Noise)
	}
	s := write(spec.Seed, spec.Horizon, opts)
	w := &world{spec: spec, opts: opts, script: s, step: -1, repo: newRepository(),
		limits: limits{files: opts.Files, numbers: s.numbers}, seen: map[string]int{}, revs: map[string]int{}}
	w.truth = w.repo.object()
	if w.drift, err = plan(spec, s); err != nil {
		return nil, err
	}
	return w, nil
}

// maxHorizon keeps branch and pull request numbers within six digits.
const maxHorizon = 100_000

// Truth lists the branches with commits and the open pull requests of this
// agent's world. What an event announces enters it when the step ends, as it
// does a state.
func (w *world) Truth() state.Object { return w.truth }

// Grammar is the grammar under this episode's options.
func (w *world) Grammar(action string) error {
	if !w.opts.Reads {
		return Grammar(action)
	}
	_, err := parse(action)
	return err
}

// Observe begins the next step: the present event again after a free command,
// else an open event of drift while there is one, else the next base event.
func (w *world) Observe() (record.Observation, bool) {
	o := record.Observation{Step: w.step + 1}
	if w.reads == 0 {
		o.Silent = w.strike()
		if !w.advance() {
			return record.Observation{}, false
		}
	}
	w.step++
	w.repo.announce(w.now.event)
	w.now.oracle, w.now.possible = w.right()
	if !w.now.free {
		w.now.drift = w.touched()
	}
	w.describe(&o)
	return o, true
}

// advance takes the next event; false means that the episode is over.
func (w *world) advance() bool {
	w.now = occasion{notice: w.settle()}
	if w.alerting() {
		w.open()
		return true
	}
	if w.base == len(w.script.events) {
		return false
	}
	w.now.event = w.script.events[w.base]
	return true
}

// right returns the one right action, or Wait and false where there is none.
func (w *world) right() (command, bool) {
	if c, ok := w.repo.oracle(w.now.event); ok {
		return c, true
	}
	return wait, false
}

// Judge says what would become of an action and changes nothing.
func (w *world) Judge(action string) record.Outcome {
	_, outcome := w.judge(action)
	return outcome
}

// An effect is what an action does.
type effect struct {
	command command
	ruling  ruling
	repo    repository
	truth   state.Object
}

func (w *world) judge(action string) (effect, record.Outcome) {
	e := effect{repo: w.repo.clone()}
	var out record.Outcome
	c, err := parse(action)
	switch {
	case action == record.None:
		e.ruling = refuse(noAction)
	case err != nil || c.free() && !w.opts.Reads:
		e.ruling = refuse(noCommand)
	case c.free():
		e.ruling, out.Free = w.answer(c)
	default:
		e.command = c
		e.ruling = e.repo.do(c, w.limits)
		out.Correct = e.ruling.valid && w.now.possible && c.String() == w.now.oracle.String()
		out.Used = w.now.drift.used(c, out.Correct)
	}
	return w.told(e, out)
}

// told fills in what follows from an effect.
func (w *world) told(e effect, out record.Outcome) (effect, record.Outcome) {
	out.Valid, out.Result = e.ruling.valid, e.ruling.result
	e.truth = e.repo.object()
	if change := state.Diff(w.truth, e.truth); !change.IsEmpty() {
		out.World = &change
	}
	return e, out
}

// Act does the action and ends the step. The change it reports is that of the
// whole step: what the event announced and what the action did.
func (w *world) Act(action string) record.Outcome {
	return w.end(w.judge(action))
}

// Answer ends the step like a free command that the text answers; it is one of
// those that the event allows, also where the task itself offers none.
func (w *world) Answer(text string) (record.Outcome, bool) {
	if w.reads >= maxReads {
		return record.Outcome{}, false
	}
	e := effect{repo: w.repo.clone(), ruling: ruling{valid: true, result: text}}
	return w.end(w.told(e, record.Outcome{Free: true})), true
}

func (w *world) end(e effect, out record.Outcome) record.Outcome {
	if e.command.verb == verbMerge && out.Valid {
		for _, file := range w.repo.branches[w.repo.pulls[e.command.args[0]].branch] {
			w.revs[file]++
		}
	}
	w.note(e, out)
	w.repo, w.truth, w.result = e.repo, e.truth, out.Result
	if out.Free {
		w.reads++
		return out
	}
	w.reads = 0
	if w.now.free {
		w.now.drift.close(out.Correct, w.drift.patience)
	} else {
		w.base++
	}
	return out
}
