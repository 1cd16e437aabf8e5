package warehouse

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

func probing(t testing.TB, kind, condition string, after ...int) harness.Spec {
	o := *defaults()
	o.Probe = &Probe{Kind: kind, Condition: condition, After: after}
	return harness.Spec{Horizon: 50, Seed: 1, Options: options(t, o)}
}

// anyProbe draws a spec with probes.
func anyProbe(t testing.TB, rt *rapid.T) harness.Spec {
	spec := probing(t, deferred, rapid.SampledFrom([]string{noPlace, notes, field, repeated}).Draw(rt, "condition"))
	if rapid.Bool().Draw(rt, "invalidation") {
		spec = probing(t, invalidation, "")
	}
	spec.Seed, spec.Horizon = rapid.Uint64().Draw(rt, "seed"), rapid.IntRange(50, 60).Draw(rt, "horizon")
	return spec
}

// TestProbesAskOnceAfterTheirDelay finds notice and order in what is observed.
func TestProbesAskOnceAfterTheirDelay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anyProbe(t, rt)
		w := start(t, spec)
		probes := w.probes
		steps := play(t, spec, oracle)
		if correct, base := score(steps); correct != spec.Horizon || base != spec.Horizon {
			rt.Fatalf("oracle: %d of %d base events, want %d", correct, base, spec.Horizon)
		}
		var delays []int
		for _, p := range probes {
			delays = append(delays, p.delay)
			scored := 0
			for i, s := range steps {
				if !s.out.Correct {
					rt.Fatalf("step %d: the oracle's %s is wrong", i, s.action)
				}
				told := p.code != "" && strings.Contains(s.o.Text, saysWillMean.with(p.code, p.item))
				if p.kind == deferred && told != p.tells(i) {
					rt.Fatalf("step %d: notice of %s shown: %v", i, p.code, told)
				}
				if asks := p.code != "" && strings.Contains(s.o.Text, saysOrderedCode.with(p.code)); asks != (p.kind == deferred && i == p.at+p.delay) {
					rt.Fatalf("step %d: order by %s shown: %v, told at %d, delay %d", i, p.code, asks, p.at, p.delay)
				}
				if s.o.Probe == p.kind && s.o.Delay == p.delay {
					scored++
				}
			}
			if want := map[string]int{deferred: 1, invalidation: stretch + 1}[p.kind]; scored != want {
				rt.Fatalf("%s after %d: %d steps scored, want %d", p.kind, p.delay, scored, want)
			}
		}
		if diff := cmp.Diff([]int{1, 5, 10, 20, 40}, delays); diff != "" {
			rt.Fatal(diff)
		}
	})
}

// TestFactsMatterAtNoStepBefore plays the same episode with the codes swapped
// and with the notices taken for nothing: what is right, and what is shown
// apart from notices, is the same until a code is used, and differs there.
func TestFactsMatterAtNoStepBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anyProbe(t, rt)
		told, swapped := start(t, spec), start(t, spec)
		if told.probes[0].kind == invalidation {
			return
		}
		first := len(told.script.events) + len(told.probes)
		for i, p := range swapped.probes {
			p.item = told.probes[(i+1)%len(told.probes)].item
			first = min(first, p.order())
		}
		for step := 0; ; step++ {
			a, ok := told.Observe()
			b, _ := swapped.Observe()
			if !ok {
				rt.Fatal("no code was used")
			}
			if step < first && (a.Oracle != b.Oracle || plainly(a.Text) != plainly(b.Text)) {
				rt.Fatalf("step %d, before the first order by a code at %d: %q and %q", step, first, a.Text, b.Text)
			}
			if step == first {
				if a.Oracle == b.Oracle {
					rt.Fatalf("step %d: the code does not matter: %s", step, a.Oracle)
				}
				return
			}
			told.Act(a.Oracle)
			swapped.Act(b.Oracle)
		}
	})
}

// plainly is an observation without its notices.
func plainly(text string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool { return strings.HasPrefix(line, "NOTICE: ") }), "\n")
}

func TestVoidPlacementsMoveTheItem(t *testing.T) {
	t.Parallel()
	spec := probing(t, invalidation, "", 3)
	w := start(t, spec)
	p := w.probes[0]
	steps := play(t, spec, oracle)
	stored, void, ordered := steps[p.at], steps[p.at+3], steps[p.order()]
	if stored.o.Kind != kindReceive || stored.o.Item != p.item || !stored.o.Free {
		t.Errorf("arrival: %+v", stored.o)
	}
	from := strings.Fields(stored.action)[2]
	if void.o.Free || void.o.Silent == nil || !strings.Contains(void.o.Text, "NOTICE: the placement of "+p.item+" is void, it is on shelf_") {
		t.Errorf("notice: %+v %s", void.o, void.o.Text)
	}
	if ordered.o.Item != p.item || ordered.action == shipping(p.item, 0).String() || strings.HasSuffix(ordered.action, " "+from) {
		t.Errorf("stored on %s, shipped by %q", from, ordered.action)
	}
}

// TestProbesLeaveTheBaseEventsAlone, and truth is the fold of its patches, whatever is done.
func TestProbesLeaveTheBaseEventsAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		spec := anyProbe(t, rt)
		bare := spec
		bare.Options = nil
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "actions"), 0))
		w := start(t, spec)
		folded := w.Truth()
		steps := play(t, spec, func(o record.Observation, truth state.Object) string { return anyAction(r, o, truth) })
		for _, s := range steps {
			if s.o.Silent != nil {
				folded = state.Deep.Apply(folded, *s.o.Silent)
			}
			if s.out.World != nil {
				folded = state.Deep.Apply(folded, *s.out.World)
			}
		}
		for range steps {
			o, _ := w.Observe()
			w.Act(steps[o.Step].action)
		}
		if !folded.Equal(w.Truth()) {
			rt.Fatalf("patches give %s, truth is %s", folded.Compact(), w.Truth().Compact())
		}
		if diff := cmp.Diff(base(play(t, bare, oracle)), base(steps)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestOptionsOfProbes(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]Probe{
		"no kind":             {},
		"no condition":        {Kind: deferred},
		"unknown condition":   {Kind: deferred, Condition: "memo"},
		"needless condition":  {Kind: invalidation, Condition: notes},
		"no delay":            {Kind: deferred, Condition: notes, After: []int{0}},
		"the same delay":      {Kind: deferred, Condition: notes, After: []int{3, 3}},
		"a delay without end": {Kind: deferred, Condition: notes, After: []int{maxDelay + 1}},
	} {
		o := defaults()
		if o.Probe = &p; o.Validate() == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	any := defaults()
	any.Placement, any.Probe = AnyEmpty, &Probe{Kind: invalidation}
	if any.Validate() == nil {
		t.Error("any_empty with a probe: want an error")
	}
	for want, o := range map[string]*Options{
		"warehouse":       defaults(),
		"warehouse-any":   {Placement: AnyEmpty},
		"warehouse-codes": {Probe: &Probe{Kind: deferred, Condition: repeated}},
		"warehouse-notes": {Probe: &Probe{Kind: deferred, Condition: notes}},
		"warehouse-field": {Probe: &Probe{Kind: deferred, Condition: field}},
	} {
		if got := o.Skill(); got != want {
			t.Errorf("want skill %s, got %s", want, got)
		}
	}
	short := probing(t, invalidation, "")
	short.Horizon = 20
	drifting := probing(t, invalidation, "")
	drifting.Drift, drifting.Patience, drifting.Lag = secretMove, 5, 1
	for want, spec := range map[string]harness.Spec{"raise the horizon": short, "want no drift": drifting} {
		if _, err := begin(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}

func TestCodesAreReadBack(t *testing.T) {
	t.Parallel()
	held := sim.Beliefs{"code_123": "item_4", "code_7": "item_11", "item_4": "shelf_2", "item_11": "shelf_0"}
	kept := language{}.Keep(held)
	for name, text := range map[string]string{
		"field":   state.From(map[string]any{memberCodes: kept[memberCodes], "inventory": language{}.Render(held)["inventory"]}).Compact(),
		"notes":   state.From(map[string]any{memberNotes: kept[memberNotes], "inventory": language{}.Render(held)["inventory"]}).Compact(),
		"summary": language{}.Summarize(held),
	} {
		part := sim.InState
		if name == "summary" {
			part = sim.InSummary
		}
		if diff := cmp.Diff(held, hold(read(part, text).Mentions)); diff != "" {
			t.Errorf("%s: %s: %s", name, text, diff)
		}
	}
	a := language{}.Answer(sim.Event{Kind: kindOrder, Args: map[string]string{argCode: "code_7"}}, held, sim.BestGuess)
	if a.Action != "Ship item_11 shelf_0" || a.Then["code_7"] != "" || a.Lacks != "" {
		t.Errorf("got %+v", a)
	}
	if a := (language{}).Answer(sim.Event{Kind: kindOrder, Args: map[string]string{argCode: "code_8"}}, held, sim.BestGuess); a.Action != "Wait" || a.Lacks != "code_8" {
		t.Errorf("got %+v", a)
	}
}
