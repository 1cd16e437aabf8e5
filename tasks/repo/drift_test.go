package repo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/record"
)

func drifting(scenario string, seed uint64) harness.Spec {
	s := spec(50, seed)
	s.Drift = scenario
	return s
}

// Five drifts strike under oracle play at T=50, and the base score is whole.
func TestDriftsStrikeAndLeaveTheScriptWhole(t *testing.T) {
	t.Parallel()
	for _, scenario := range Task().Drifts {
		for seed := range uint64(50) {
			acts := run(t, drifting(scenario, seed), oracle)
			struck := 0
			for _, a := range acts {
				if a.Observation.Silent != nil {
					struck++
				}
			}
			if struck != 5 {
				t.Errorf("%s, seed %d: %d drifts, want 5", scenario, seed, struck)
			}
			if correct, events := score(acts); correct != 50 || events != 50 {
				t.Errorf("%s, seed %d: %d of %d right", scenario, seed, correct, events)
			}
		}
	}
}

// stubborn acts on the fact from before the change until told in vain often
// enough.
func stubborn(until int) player {
	return func(w *world, o record.Observation) string {
		n := w.drift.now
		switch {
		case !o.Free || o.Announced > until:
			return o.Oracle
		case n.scenario == forcePush:
			return fixCI(n.was.branch).String()
		}
		return merge(n.pr).String()
	}
}

func TestObsoleteFactsAreRefusedUntilPatienceEnds(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		scenario string
		until    int
		patience int
		want     []string // announcements and what each answer rested on
	}{
		{forcePush, 0, 15, []string{"1 current"}},
		{forcePush, 2, 15, []string{"1 obsolete", "2 obsolete", "3 current"}},
		{flakyCI, 2, 15, []string{"1 obsolete", "2 obsolete", "3 current"}},
		{flakyCI, 9, 3, []string{"1 obsolete", "2 obsolete", "3 obsolete"}},
		{prClosed, 2, 4, []string{"1 obsolete", "2 obsolete", "3 ", "4 "}},
		{prClosed, 0, 0, strings.Split("1 ,2 ,3 ,4 ,5 ,6 ,7 ,8 ,9 ,10 ,11 ,12 ,13 ,14 ,15 ", ",")},
	} {
		s := drifting(test.scenario, 6)
		s.Patience = test.patience
		got := map[string][]string{}
		for _, a := range run(t, s, stubborn(test.until)) {
			o := a.Observation
			if !o.Free {
				continue
			}
			got[o.Drift] = append(got[o.Drift], fmt.Sprint(o.Announced, " ", a.Outcome.Used))
			if a.Outcome.Used == "obsolete" && (a.Outcome.Valid || !strings.HasPrefix(a.Outcome.Result, errorHeading)) {
				t.Errorf("%s: %q is not refused: %+v", o.Drift, a.Action, a.Outcome)
			}
			if !strings.Contains(o.Text, alertHeading) || !strings.Contains(o.Text, webhookHeading) {
				t.Errorf("%s: announced without its alert: %q", o.Drift, o.Text)
			}
		}
		for n := range 5 {
			name := fmt.Sprintf("%s#%d", test.scenario, n+1)
			if diff := cmp.Diff(test.want, got[name]); diff != "" {
				t.Errorf("%s until %d, patience %d: %s", name, test.until, test.patience, diff)
			}
		}
		if len(got) != 5 {
			t.Errorf("%s: %d drifts, want 5", test.scenario, len(got))
		}
	}
}

func TestAlertComesLagStepsLater(t *testing.T) {
	t.Parallel()
	for _, lag := range []int{0, 1, 2, 3} {
		s := drifting(flakyCI, 3)
		s.Lag = lag
		struck, alerts := -1, 0
		for _, a := range run(t, s, oracle) {
			o := a.Observation
			if o.Silent != nil {
				struck = o.Step
				if o.Free || strings.Contains(o.Text, "flaky") {
					t.Errorf("the change at step %d is announced: %q", o.Step, o.Text)
				}
			}
			if o.Announced == 1 {
				alerts++
				if want := struck + max(lag, defaultLag); o.Step != want {
					t.Errorf("lag %d: struck at step %d, alert at %d, want %d", lag, struck, o.Step, want)
				}
			}
		}
		if alerts < 2 {
			t.Errorf("lag %d: %d alerts", lag, alerts)
		}
	}
}

// What ended is announced, and the truth is as if nothing had happened.
func TestDriftEndsAsItBegan(t *testing.T) {
	t.Parallel()
	for _, scenario := range []string{flakyCI, prClosed} {
		s := drifting(scenario, 3)
		s.Patience = 2
		w := start(t, s)
		calm := start(t, spec(50, 3))
		for {
			o, ok := w.Observe()
			if !ok {
				break
			}
			w.Act(o.Oracle)
			if o.Free {
				continue
			}
			if still, ok := calm.Observe(); !ok || still.Oracle != o.Oracle {
				t.Fatalf("%s: step %d asks for %q, without drift for %q", scenario, o.Step, o.Oracle, still.Oracle)
			} else {
				calm.Act(still.Oracle)
			}
			if w.drift.now == nil && w.Truth().Compact() != calm.Truth().Compact() {
				t.Fatalf("%s, step %d: the truth is\n%s\nwithout drift\n%s", scenario, o.Step, w.Truth().Compact(), calm.Truth().Compact())
			}
		}
	}
}
