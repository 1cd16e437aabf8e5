package repo

import (
	"testing"

	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A double plays as a perfect simulated model does: of every key the last
// mention counts.
type double struct {
	history, state bool // what its prompts hold
	past           []sim.Section
	sigma          string
	lacks          int
}

func (d *double) act(_ *world, o record.Observation) string {
	var sections []sim.Section
	if d.state {
		sections = append(sections, sim.Section{Part: sim.InState, Text: d.sigma})
	}
	if d.history {
		sections = append(sections, d.past...)
	}
	sections = append(sections, sim.Section{Part: sim.InObservation, Text: o.Text})
	reading := language{}.Read(sections)
	beliefs := believe(reading.Mentions)
	answer := language{}.Answer(reading.Event, beliefs, sim.BestGuess)
	if answer.Lacks != "" {
		d.lacks++
	}
	for key, value := range answer.Then {
		beliefs[key] = value
	}
	d.sigma = state.From(language{}.Render(beliefs)).Compact()
	d.past = append(d.past, sim.Section{Part: sim.InHistory, Text: o.Text},
		sim.Section{Part: sim.InReply, Text: answer.Because + "\nAction: " + answer.Action})
	return answer.Action
}

func believe(mentions []sim.Mention) sim.Beliefs {
	beliefs := sim.Beliefs{}
	for _, m := range mentions {
		if m.Stance != sim.Denies {
			beliefs[m.Key] = m.Value
		} else if beliefs[m.Key] == m.Value {
			delete(beliefs, m.Key)
		}
	}
	return beliefs
}

func TestReaderNeedsHistoryOrState(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		for name, d := range map[string]*double{
			"history": {history: true},
			"state":   {state: true},
			"both":    {history: true, state: true},
		} {
			if correct, events := score(run(t, spec(100, seed), d.act)); correct != events || events != 100 || d.lacks > 0 {
				t.Errorf("seed %d: %s: %d of %d right, %d facts lacking", seed, name, correct, events, d.lacks)
			}
		}
		if correct, events := score(run(t, spec(100, seed), (&double{}).act)); 10*correct > 8*events {
			t.Errorf("seed %d: without history and state %d of %d right", seed, correct, events)
		}
	}
}

// With a right state the perfect reader's Σ is the truth after every step.
func TestReaderKeepsTheTruth(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		d := &double{state: true}
		var w *world
		run(t, spec(60, seed), func(now *world, o record.Observation) string {
			if w = now; o.Step > 0 && d.sigma != w.Truth().Compact() {
				t.Fatalf("seed %d, step %d: the state is\n%s\nthe truth is\n%s", seed, o.Step, d.sigma, w.Truth().Compact())
			}
			return d.act(w, o)
		})
	}
}

func TestReaderRecoversFromDrift(t *testing.T) {
	t.Parallel()
	for _, scenario := range Task().Drifts {
		for seed := range uint64(10) {
			s := spec(50, seed)
			s.Drift = scenario
			s.Noise = 3
			for name, d := range map[string]*double{"history": {history: true}, "state": {state: true}} {
				acts := run(t, s, d.act)
				if correct, events := score(acts); correct != events {
					t.Errorf("%s, seed %d: %s: %d of %d right", scenario, seed, name, correct, events)
				}
				for _, a := range acts {
					if a.Observation.Free && a.Outcome.Correct == (scenario == prClosed) {
						t.Errorf("%s, seed %d: %s: %s answered %q with %q", scenario, seed, name, a.Observation.Drift, a.Observation.Text, a.Action)
					}
				}
			}
		}
	}
}

func TestSummaryIsReadBack(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		acts := run(t, spec(80, seed), oracle)
		var sections []sim.Section
		for _, a := range acts {
			sections = append(sections, sim.Section{Part: sim.InHistory, Text: a.Observation.Text})
		}
		want := believe(language{}.Read(sections).Mentions)
		summary := language{}.Summarize(want)
		got := believe(language{}.Read([]sim.Section{{Part: sim.InSummary, Text: summary}}).Mentions)
		for key, value := range want {
			if have, ok := got[key]; !ok || have != value {
				t.Errorf("seed %d: %s is %q after %q:\n%s", seed, key, have, value, summary)
			}
		}
		if len(got) != len(want) {
			t.Errorf("seed %d: %d beliefs after %d", seed, len(got), len(want))
		}
	}
}

var _ harness.Grammarian = (*world)(nil)

func BenchmarkReadHistory(b *testing.B) {
	d := &double{history: true}
	run(b, spec(200, 1), d.act)
	b.ReportAllocs()
	for b.Loop() {
		language{}.Read(d.past)
	}
}
