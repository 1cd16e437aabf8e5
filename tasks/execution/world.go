package execution

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/execution/engine"
)

// A world is one episode: the script, and a runtime that follows this agent's
// commands. Kinds and items of events are the same for all agents.
type world struct {
	spec    harness.Spec
	library *engine.Library
	script  []event

	office   *engine.Office
	engine   *engine.Engine
	consumer *engine.Consumer
	watch    *engine.Watch
	harms    map[record.Harm]record.Count // counted so far, by the office

	told    notebook       // as of the last finished step
	truth   state.Object   // shows it
	seen    notebook       // with what the present observation tells
	news    []engine.Event // that it tells
	closed  string         // the request that it says is escalated
	since   map[string]int // step at which a fact was told last, by request or order and field
	result  string         // of the last command
	step    int            // of the present observation; -1 before the first
	base    int            // base events answered
	waits   int            // steps for which the present event has waited
	oracle  command
	present bool // it has a right answer
}

// A step of the world takes a minute.
const tick = time.Minute

// maxHorizon keeps the numbers of requests within six digits.
const maxHorizon = 50_000

// maxWaits bounds the steps for which an event waits while something else answers
// the model.
const maxWaits = 5

func begin(spec harness.Spec) (harness.World, error) {
	mechanisms, err := decode(spec.Options)
	if err != nil {
		return nil, err
	}
	switch {
	case spec.Horizon < 1 || spec.Horizon > maxHorizon:
		return nil, fmt.Errorf("horizon: want 1 to %d, got %d", maxHorizon, spec.Horizon)
	case spec.Noise < 0:
		return nil, fmt.Errorf("noise: want 0 or more lines, got %d", spec.Noise)
	case spec.Drift != "":
		return nil, fmt.Errorf("drift: this task has none, got %q", spec.Drift)
	}
	l, err := library()
	if err != nil {
		return nil, err
	}
	office := engine.NewOffice(spec.Seed, l)
	return &world{spec: spec, library: l, script: write(spec.Seed, spec.Horizon), office: office, engine: engine.New(mechanisms, l, office, spec.Seed),
		consumer: engine.NewConsumer(mechanisms), watch: engine.NewWatch(), harms: map[record.Harm]record.Count{},
		told: newNotebook(), truth: newNotebook().object(), since: map[string]int{}, step: -1}, nil
}

// decode reads the mechanisms of a spec; those left out are on.
func decode(data json.RawMessage) (engine.Mechanisms, error) {
	m := engine.All()
	return m, harness.DecodeOptions(data, &m)
}

// Catalogue lists the skills and flows.
func (w *world) Catalogue() string { return catalogue(w.library) }

// Truth is what the agent has been told up to the last finished step, and may
// need: what an observation tells enters it when the step ends, as it does a state.
func (w *world) Truth() state.Object { return w.truth }

// Observe begins the next step: the next event of the script, or the present one
// once more where it waits.
func (w *world) Observe() (record.Observation, bool) {
	if w.base == len(w.script) {
		return record.Observation{}, false
	}
	w.step++
	e := w.event()
	if e.heading() == kindRequest {
		w.engine.Receive(e.request(e.fault))
	}
	w.seen = w.told.clone()
	for _, ev := range w.news {
		w.seen.told(ev)
		w.remember(ev)
	}
	delete(w.seen.requests, w.closed)
	w.oracle, w.present = w.seen.right(e)
	w.present = w.present && (e.heading() == kindRequest || w.engine.Ticket(e.id) != "")
	return w.observation(e), true
}

func (w *world) event() event { return w.script[w.base] }

// Judge says what would become of an action and changes nothing: it is done in a
// copy of the world.
func (w *world) Judge(action string) record.Outcome {
	c := *w
	c.office = w.office.Clone()
	c.engine = w.engine.Clone(c.office)
	c.consumer, c.watch = w.consumer.Clone(), w.watch.Clone()
	c.harms, c.since = maps.Clone(w.harms), maps.Clone(w.since)
	c.news = slices.Clip(w.news)
	return c.Act(action)
}

// Act does the action, lets a minute pass and ends the step.
func (w *world) Act(action string) record.Outcome {
	out := record.Outcome{Execution: w.about()}
	c, err := parse(action)
	w.closed = ""
	before := w.truth
	w.told, w.truth = w.seen, w.seen.object()
	switch {
	case action == record.None:
		out.Result = errorHeading + "no valid action"
	case err != nil:
		out.Result = errorHeading + "not a command"
	default:
		out.Correct = w.present && c.means(w.oracle)
		out.Valid, out.Result = w.do(c, out.Execution)
		out.Correct = out.Correct && out.Valid
	}
	w.pass(out.Execution)
	if change := state.Diff(before, w.truth); !change.IsEmpty() {
		out.World = &change
	}
	w.result = out.Result
	w.base, w.waits = w.base+1, 0
	return out
}

// about is the record of a step before anything is done.
func (w *world) about() *record.Execution {
	e := w.event()
	return &record.Execution{Request: e.id, Fault: string(e.fault.Kind)}
}

// do gives the runtime a command. A refusal leaves all as it was.
func (w *world) do(c command, x *record.Execution) (valid bool, result string) {
	var a engine.Ack
	switch c.verb {
	case verbWait:
		return true, "Waited."
	case verbRun:
		a = w.engine.Run(c.object, c.skill, c.json)
	case verbPlan:
		a = w.engine.Plan(c.object, c.json)
		x.Replaced = replaced(a)
	case verbCancel:
		a = w.engine.Cancel(c.object)
	case verbResume:
		a = w.engine.Resume(c.object)
	case verbRetry:
		a = w.engine.Retry(c.object)
	case verbEscalate:
		if a = w.engine.Escalate(c.object); a.Verdict == engine.Escalated && w.seen.requests[a.Request].ticket == a.Ticket {
			w.closed = a.Request
		}
	}
	return a.Verdict != engine.Refused, sentence(a)
}

func replaced(a engine.Ack) record.Count {
	switch a.Verdict {
	case engine.Replaced:
		return record.Count{N: 1, Of: 1}
	case engine.Accepted:
		return record.Count{Of: 1}
	}
	return record.Count{}
}

// pass lets a minute pass and writes down what happened in it.
func (w *world) pass(x *record.Execution) {
	w.engine.Advance(tick)
	beats := w.engine.Beats()
	w.news = w.consumer.Take(w.engine, w.engine.Events(), beats)
	t := w.engine.Tally()
	x.Latency, x.Settled, x.Planted = t.Latency, t.Settled, t.Planted
	all := w.office.Harms()
	x.Harms = map[record.Harm]record.Count{}
	for harm, c := range all {
		if c != w.harms[harm] {
			x.Harms[harm] = record.Count{N: c.N - w.harms[harm].N, Of: c.Of - w.harms[harm].Of}
		}
	}
	w.harms = all
	for harm, c := range map[record.Harm]record.Count{record.Disorder: w.watch.Disorder(w.news, beats), record.Unbounded: engine.Unbounded(w.news)} {
		if c != (record.Count{}) {
			x.Harms[harm] = c
		}
	}
}

// Answer ends the step without a command, and no time passes: the text opens the
// next observation, which announces the same event again.
func (w *world) Answer(text string) (record.Outcome, bool) {
	if w.waits == maxWaits {
		return record.Outcome{}, false
	}
	out := record.Outcome{Valid: true, Free: true, Result: text}
	before := w.truth
	w.told, w.truth = w.seen, w.seen.object()
	if change := state.Diff(before, w.truth); !change.IsEmpty() {
		out.World = &change
	}
	w.news, w.closed, w.result = nil, "", text
	w.waits++
	return out, true
}
