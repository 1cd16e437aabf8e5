package execution

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/tasks/execution/engine"
)

func spec(horizon int, seed uint64) harness.Spec {
	return harness.Spec{Horizon: horizon, Seed: seed, Lag: 1, Patience: 15}
}

func start(t testing.TB, s harness.Spec) *world {
	t.Helper()
	w, err := Task().New(s)
	if err != nil {
		t.Fatal(err)
	}
	return w.(*world)
}

// play plays an episode and returns its steps.
func play(t testing.TB, s harness.Spec, act func(w *world, o record.Observation) string) []record.Act {
	t.Helper()
	w := start(t, s)
	var acts []record.Act
	for {
		o, ok := w.Observe()
		if !ok {
			return acts
		}
		if len(acts) > 7*s.Horizon {
			t.Fatalf("seed %d: the episode does not end", s.Seed)
		}
		action := act(w, o)
		acts = append(acts, record.Act{Observation: o, Action: action, Outcome: w.Act(action)})
	}
}

func oracle(_ *world, o record.Observation) string { return o.Oracle }

// A script deals every card, asks for memory, and seldom for nothing.
func TestScript(t *testing.T) {
	t.Parallel()
	faults, kinds := map[engine.Kind]int{}, map[string]int{}
	waits, remembered, events := 0, 0, 0
	for seed := range uint64(5) {
		for _, a := range play(t, spec(100, seed), oracle) {
			faults[engine.Kind(a.Outcome.Execution.Fault)]++
			kinds[a.Observation.Kind]++
			events++
			if a.Observation.Oracle == verbWait {
				waits++
			}
			if a.Observation.Age != nil {
				remembered++
			}
		}
	}
	for _, c := range deck() {
		if faults[c.fault.Kind] < 3 {
			t.Errorf("fault %q is dealt %d times in %d events", c.fault.Kind, faults[c.fault.Kind], events)
		}
	}
	for _, kind := range []string{kindRequest, kindAgain, kindChanged, kindDue, kindStop, kindGo} {
		if kinds[kind] == 0 {
			t.Errorf("no event is %s", kind)
		}
	}
	if 4*waits > events || 3*remembered < events {
		t.Errorf("of %d events %d are answered by Wait, want at most a quarter; %d ask for something told before, want a third", events, waits, remembered)
	}
}

// Numbers stay within what the schema allows, and no two requests or orders share
// one.
func TestNumbers(t *testing.T) {
	t.Parallel()
	orders, requests := map[string]string{}, map[string]bool{}
	for _, e := range write(1, maxHorizon) {
		if !isNumbered(e.id, "r_") || !e.subjectFits() {
			t.Fatalf("event %+v", e)
		}
		if e.kind != kindRequest {
			continue
		}
		if requests[e.id] {
			t.Fatalf("%s is two requests", e.id)
		}
		requests[e.id] = true
		if first := orders[e.subject]; e.goal != goalRefund && e.goal != goalTrace && first != "" {
			t.Fatalf("%s and %s are about %s", first, e.id, e.subject)
		}
		orders[e.subject] = e.id
	}
}

// Equal seeds give equal events whatever the mechanisms and the agent.
func TestScriptIsTheSame(t *testing.T) {
	t.Parallel()
	one := write(4, 50)
	for n, a := range play(t, spec(50, 4), func(*world, record.Observation) string { return record.None }) {
		if got := a.Observation.Kind + " " + a.Observation.Item; got != one[n].kind+" "+one[n].item() {
			t.Errorf("event %d is %s", n, got)
		}
	}
}

func TestSpecs(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*harness.Spec){
		"horizon: want 1 to 50000, got 0":                                                             func(s *harness.Spec) { s.Horizon = 0 },
		"noise: want 0 or more lines, got -1":                                                         func(s *harness.Spec) { s.Noise = -1 },
		`drift: this task has none, got "storm"`:                                                      func(s *harness.Spec) { s.Drift = "storm" },
		`version_check: want version, value or none, got "often"`:                                     func(s *harness.Spec) { s.Options = []byte(`{"version_check":"often"}`) },
		`options: json: unknown field "ids"`:                                                          func(s *harness.Spec) { s.Options = []byte(`{"ids":true}`) },
		"options: want one JSON object, got more text after it":                                       func(s *harness.Spec) { s.Options = []byte(`{} {}`) },
		"options: json: cannot unmarshal string into Go struct field Mechanisms.hygiene of type bool": func(s *harness.Spec) { s.Options = []byte(`{"hygiene":"yes"}`) },
	} {
		s := spec(10, 1)
		change(&s)
		if _, err := Task().New(s); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// The floor draws commands of the grammar, and hardly ever the right one.
func TestRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	verbs, correct := map[string]int{}, 0
	acts := play(t, spec(300, 1), func(w *world, _ record.Observation) string {
		action := Random(r, w.Truth())
		c, err := parse(action)
		if err != nil {
			t.Fatal(err)
		}
		verbs[c.verb]++
		return action
	})
	for _, a := range acts {
		if a.Outcome.Correct {
			correct++
		}
	}
	if len(verbs) < 3 || 4*correct > len(acts) {
		t.Errorf("%v are drawn, %d of %d right", verbs, correct, len(acts))
	}
}

// What waits is announced again, and no more often than is allowed; no time passes.
func TestAnswer(t *testing.T) {
	t.Parallel()
	w := start(t, spec(3, 1))
	first, _ := w.Observe()
	for n := range maxWaits {
		out, ok := w.Answer("Recalled: nothing")
		if !ok || !out.Free || w.engine.Now() != 0 {
			t.Fatalf("answer %d: %+v, %t", n, out, ok)
		}
		o, _ := w.Observe()
		if o.Step != n+1 || o.Kind != first.Kind || o.Oracle != first.Oracle || o.Text != "Recalled: nothing\n"+first.Text {
			t.Fatalf("after answer %d: %+v", n, o)
		}
	}
	if _, ok := w.Answer("once more"); ok {
		t.Error("it waits for ever")
	}
	if out := w.Act(first.Oracle); !out.Correct {
		t.Errorf("%+v", out)
	}
}

// An agent that misses what comes first has events that nothing is right for.
func TestImpossible(t *testing.T) {
	t.Parallel()
	impossible := map[string]int{}
	for _, a := range play(t, spec(100, 2), func(*world, record.Observation) string { return record.None }) {
		if a.Observation.Impossible {
			impossible[a.Observation.Kind]++
		}
	}
	if impossible[kindDue] == 0 || impossible[kindRequest] == 0 || impossible[kindGo] == 0 {
		t.Errorf("impossible are %s", fmt.Sprint(impossible))
	}
}
