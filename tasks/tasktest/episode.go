package tasktest

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// observationsHold: steps count from 0, texts end in a newline and are UTF-8
// without labels, each event has a kind, and outcomes are single lines.
func (b bench) observationsHold() error {
	return b.each(func(spec harness.Spec, p policy, steps []step) error {
		for n, s := range steps {
			at := fmt.Sprintf("%s: step %d", of(spec, p), n)
			switch {
			case s.o.Step != n:
				return fmt.Errorf("%s: its number is %d", at, s.o.Step)
			case !strings.HasSuffix(s.o.Text, "\n") || !utf8.ValidString(s.o.Text):
				return fmt.Errorf("%s: want valid UTF-8 that ends in a newline, got %q", at, s.o.Text)
			case s.o.Kind == "" || s.o.Load < 0 || s.o.Age != nil && *s.o.Age < 0:
				return fmt.Errorf("%s: want a kind and no negative load or age, got %+v", at, s.o)
			case strings.Contains(s.outcome.Result, "\n") || s.outcome.Correct && !s.outcome.Valid:
				return fmt.Errorf("%s: want a result of one line, and correct only what is valid, got %+v", at, s.outcome)
			case s.action == record.None && (s.outcome.Valid || s.outcome.Correct):
				return fmt.Errorf("%s: a missed step counts as an action: %+v", at, s.outcome)
			}
			for _, label := range prompt.Labels() {
				if strings.Contains("\n"+s.o.Text, "\n"+label) {
					return fmt.Errorf("%s: the text holds the label %q of a prompt", at, label)
				}
			}
		}
		return nil
	})
}

// repeats: equal specs and actions give the same episode.
func (b bench) repeats() error {
	for _, spec := range b.specs() {
		for n, p := range b.policies() {
			one, err := b.play(spec, p)
			if err != nil {
				return err
			}
			other, err := b.play(spec, b.policies()[n])
			if err != nil {
				return err
			}
			if err := alike(one, other); err != nil {
				return fmt.Errorf("%s, twice: %w", of(spec, p), err)
			}
		}
	}
	return nil
}

func alike(one, other []step) error {
	if len(one) != len(other) {
		return fmt.Errorf("one episode has %d steps, the other %d", len(one), len(other))
	}
	for n := range one {
		a, b := shown(one[n]), shown(other[n])
		if a != b {
			return fmt.Errorf("step %d differs:\n%s\n%s", n, a, b)
		}
	}
	return nil
}

// shown is all of a step as text.
func shown(s step) string {
	data, err := json.Marshal([]any{s.o, s.o.Text, s.action, s.outcome, s.truth})
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// baseEventsHold: T base events, the same whatever the noise, the drift and the
// actions.
func (b bench) baseEventsHold() error {
	first := map[uint64][]string{}
	return b.each(func(spec harness.Spec, p policy, steps []step) error {
		var events []string
		for _, s := range steps {
			if s.counts() {
				events = append(events, s.o.Kind+" "+s.o.Item)
			}
		}
		if len(events) != spec.Horizon {
			return fmt.Errorf("%s: %d base events, want %d", of(spec, p), len(events), spec.Horizon)
		}
		want, ok := first[spec.Seed]
		if !ok {
			first[spec.Seed] = events
			return nil
		}
		for n := range want {
			if events[n] != want[n] {
				return fmt.Errorf("%s: base event %d is %q, in an episode without drift played by the oracle %q", of(spec, p), n, events[n], want[n])
			}
		}
		return nil
	})
}

// oracleIsRight: the oracle's actions are valid and correct at every step, but
// for the open events of a drift that cannot be recovered from.
func (b bench) oracleIsRight() error {
	for _, spec := range b.specs() {
		steps, err := b.play(spec, oracle)
		if err != nil {
			return err
		}
		for _, s := range steps {
			if s.o.Free && s.o.Impossible {
				continue
			}
			if !s.outcome.Valid || !s.outcome.Correct || s.o.Impossible {
				return fmt.Errorf("%s: step %d: %q gives %+v (impossible: %t); observed was %q", of(spec, oracle), s.o.Step, s.action, s.outcome, s.o.Impossible, s.o.Text)
			}
		}
	}
	return nil
}

// judgeChangesNothing: a world in which actions are judged goes on as one in
// which they are not, and Act does what Judge said.
func (b bench) judgeChangesNothing() error {
	return b.each(func(spec harness.Spec, p policy, steps []step) error {
		w, err := b.task.New(spec)
		if err != nil {
			return err
		}
		for n, s := range steps {
			o, _ := w.Observe()
			before := w.Truth().Compact()
			var judged record.Outcome
			for _, action := range []string{o.Oracle, "Wait", record.None, s.action} {
				judged = w.Judge(action)
			}
			if after := w.Truth().Compact(); after != before {
				return fmt.Errorf("%s: step %d: Judge changes the world from %s to %s", of(spec, p), n, before, after)
			}
			outcome := w.Act(s.action)
			now := step{o, s.action, outcome, w.Truth()}
			if a, b := shown(s), shown(now); a != b {
				return fmt.Errorf("%s: step %d differs where actions were judged before:\n%s\n%s", of(spec, p), n, a, b)
			}
			now.outcome = judged
			if a, b := shown(s), shown(now); a != b {
				return fmt.Errorf("%s: step %d: Act and Judge disagree:\n%s\n%s", of(spec, p), n, a, b)
			}
		}
		return nil
	})
}

// truthHolds: what the journal tells of the world, silent changes and outcomes,
// adds up to its truth, which fits the skill's schema.
func (b bench) truthHolds() error {
	return b.each(func(spec harness.Spec, p policy, steps []step) error {
		w, err := b.task.New(spec)
		if err != nil {
			return err
		}
		told := w.Truth()
		for n, s := range steps {
			told = patched(patched(told, s.o.Silent), s.outcome.World)
			if !told.Equal(s.truth) {
				return fmt.Errorf("%s: after step %d (%q) the world is %s, and as silent changes and outcomes tell it %s", of(spec, p), n, s.action, s.truth.Compact(), told.Compact())
			}
			if found := b.skill.Schema.Check(state.Deep.Apply(b.skill.Initial, s.truth)); len(found) > 0 {
				return fmt.Errorf("%s: after step %d the truth breaks the state schema: %s", of(spec, p), n, found[0])
			}
		}
		return nil
	})
}

func patched(o state.Object, patch *state.Object) state.Object {
	if patch == nil {
		return o
	}
	return state.Deep.Apply(o, *patch)
}

// ends: an open event of drift is announced no more often than patience allows,
// and free steps come to an end.
func (b bench) ends() error {
	return b.each(func(spec harness.Spec, p policy, steps []step) error {
		for _, s := range steps {
			if s.o.Drift != "" && s.o.Announced > spec.Patience {
				return fmt.Errorf("%s: step %d is announcement %d of an open event, want at most %d", of(spec, p), s.o.Step, s.o.Announced, spec.Patience)
			}
			if s.o.Free && s.o.Announced == 0 {
				return fmt.Errorf("%s: step %d is free and no announcement of an open event", of(spec, p), s.o.Step)
			}
		}
		return nil
	})
}
