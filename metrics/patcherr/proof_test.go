package patcherr_test

import (
	"fmt"
	"strings"
	"testing"

	"skillbench/harness/model/sim"
	"skillbench/metrics/patcherr"
	"skillbench/metrics/stats"
)

// rates gives the classes equal rates that add up to total.
func rates(total float64, classes ...string) string {
	var parts []string
	for _, class := range classes {
		parts = append(parts, fmt.Sprintf("%s: %g", class, total/float64(len(classes))))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func without(classes []string, one string) []string {
	var rest []string
	for _, class := range classes {
		if class != one {
			rest = append(rest, class)
		}
	}
	return rest
}

const cases = 300 // labelled attempts of each class, at least

// Every step of a teacher world begins from a true Σ and is judged alone, so a
// label says all that is wrong there. The repository has no action that moves a
// fact: duplicates there are in TestForcePushLeftInBothPlaces.
func TestClassifierFindsWhatWasInjected(t *testing.T) {
	t.Parallel()
	seeds := 40
	if testing.Short() {
		seeds = 2
	}
	const text = "tasks: [%s]\nagents: [skillstate]\nmodels: [{sim: clumsy, seed: 3, rates: %s}]\nhorizons: [100]\nseeds: %d\nworlds: [teacher]\n"
	most := rates(0.98, without(sim.Faults(), "duplicate")...)
	all := played(t, fmt.Sprintf(text, "warehouse, repo", most, seeds))
	all = append(all, played(t, fmt.Sprintf(text, "warehouse", rates(1, "duplicate"), seeds/2))...)
	m := patcherr.Confusion(all)
	t.Logf("confusion:\n%s", m)
	for _, class := range append(sim.Faults(), patcherr.None) {
		if n := m.Cases(class); n < cases && !testing.Short() {
			t.Errorf("%s: %d labelled cases, want %d", class, n, cases)
		}
		if p, r := m.Precision(class), m.Recall(class); p.Share.V < 0.99 || r.Share.V < 0.99 {
			t.Errorf("%s: precision %v, recall %v, want 0.99 each", class, p.Share.V, r.Share.V)
		}
	}
}

func TestOneFaultInAClosedWorldIsFoundAtItsStep(t *testing.T) {
	t.Parallel()
	seeds := 60
	if testing.Short() {
		seeds = 10
	}
	all := played(t, fmt.Sprintf("tasks: [warehouse, repo]\nagents: [skillstate]\nmodels: [{sim: clumsy, once: true, rates: %s}]\nhorizons: [20]\nseeds: %d\n",
		rates(1, sim.Faults()...), seeds))
	found := 0
	for _, e := range all {
		labels := 0
		for _, a := range e.Attempts {
			switch class := a.Primary(patcherr.First); {
			case a.Injected != "":
				if labels++; class != a.Injected || !a.True {
					t.Errorf("%s: step %d: found %s, injected %s", e.Cell.ID, a.Step, class, a.Injected)
				}
				found++
			case labels == 0 && class != patcherr.None:
				t.Errorf("%s: step %d: found %s before anything was injected: %+v", e.Cell.ID, a.Step, class, a.Findings)
			}
		}
		if labels > 1 {
			t.Errorf("%s: %d faults, want one at most", e.Cell.ID, labels)
		}
		if labels == 0 && (e.FirstDiverged >= 0 || e.WrongAtEnd > 0 || e.Correct != e.Cell.Horizon) {
			t.Errorf("%s: nothing was injected, yet %+v", e.Cell.ID, e)
		}
	}
	if found < seeds {
		t.Errorf("%d faults in %d episodes", found, len(all))
	}
}

func TestForcePushLeftInBothPlaces(t *testing.T) {
	t.Parallel()
	all := played(t, "tasks: [repo]\nagents: [skillstate]\nmodels: [{sim: clumsy, rates: {duplicate: 1}}]\nhorizons: [50]\nseeds: 6\ndrifts: [force_push]\n")
	n := 0
	for _, e := range all {
		for _, a := range e.Attempts {
			if a.Injected == "" || !a.True {
				continue
			}
			if n++; a.Primary(patcherr.First) != patcherr.Duplicate {
				t.Errorf("%s: step %d: %+v", e.Cell.ID, a.Step, a.Findings)
			}
		}
	}
	if n < 5 {
		t.Errorf("%d cases", n)
	}
}

// The default rates, nine times as often, so that intervals are narrow.
func TestSharesAreRecovered(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("narrow intervals need many steps")
	}
	often := "{"
	for class, rate := range sim.DefaultRates() {
		often += fmt.Sprintf("%s: %g, ", class, 9*rate)
	}
	all := played(t, "tasks: [warehouse, repo]\nagents: [skillstate]\nmodels: [{sim: clumsy, rates: "+often+"}}]\nhorizons: [50]\nseeds: 16\nworlds: [teacher]\n")
	for _, g := range patcherr.Groups(all) {
		for bucket, want := range map[patcherr.Bucket]float64{patcherr.Overwrote: 0.68, patcherr.Schema: 0.20, patcherr.Syntax: 0.12} {
			for _, order := range []patcherr.Order{patcherr.First, patcherr.Reversed} {
				p := g.Share(order, bucket)
				t.Logf("%s: %s (%s): %d of %d, %.3f to %.3f", g.Label, bucket, order, p.K, p.N, p.Interval.Low.V, p.Interval.High.V)
				// At 99.9 %, for a change of any prompt draws anew.
				if i := stats.Wilson(p.K, p.N, 0.999).Interval; p.N < 350 || want < i.Low.V || want > i.High.V {
					t.Errorf("%s: %s (%s): %d of %d, %v, want %g inside", g.Label, bucket, order, p.K, p.N, i, want)
				}
			}
		}
	}
}

func TestPerfectModelMakesNoErrors(t *testing.T) {
	t.Parallel()
	all := played(t, "tasks: [warehouse, repo]\nagents: [skillstate, stateful, {name: shallow, base: skillstate, merge: shallow}, {name: replace, base: skillstate, merge: replace}, {name: late, base: skillstate, commit: after_accept}]\n"+
		"models: [sim:perfect]\nhorizons: [40]\nseeds: 1\nworlds: [closed, teacher]\n")
	for _, e := range all {
		for _, a := range e.Attempts {
			if len(a.Findings) > 0 || !a.True || a.Lost {
				t.Errorf("%s: step %d: %+v", e.Cell.ID, a.Step, a)
			}
		}
		if e.FirstDiverged != -1 || e.Diverged != 0 || e.WrongAtEnd != 0 || e.Lucky != 0 {
			t.Errorf("%s: %+v", e.Cell.ID, e)
		}
	}
}

// Silent changes are no errors of Σ before their alert, and what a perfect
// reader then writes is right. A canceled order is no such change of places.
func TestSilentChangesAreNotMissedBeforeTheirAlert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ task, drifts string }{
		{"warehouse", "[secret_move, secret_audit, secret_barcode]"}, {"repo", "[force_push, flaky_ci]"},
	} {
		all := played(t, "tasks: ["+c.task+"]\nagents: [skillstate]\nmodels: [sim:perfect]\nhorizons: [50]\nseeds: 2\nlag: 3\nworlds: [closed, teacher]\ndrifts: "+c.drifts+"\n")
		for _, e := range all {
			for _, a := range e.Attempts {
				for _, f := range a.Findings {
					if f.Class == patcherr.MissedUpdate || f.Class == patcherr.Duplicate {
						t.Errorf("%s %s: %+v", e.Cell.ID, e.Cell.Drift, f)
					}
				}
			}
		}
	}
}

// The labels hold whatever way an envelope travels, and for state updates.
func TestEveryFormAndWire(t *testing.T) {
	t.Parallel()
	all := played(t, "tasks: [warehouse, repo]\nagents: [{name: json_schema, base: skillstate, wire: json_schema}, {name: tool, base: skillstate, wire: tool}, {name: shallow, base: skillstate, merge: shallow}, {name: replace, base: skillstate, merge: replace}, stateful, react]\n"+
		"models: [{sim: clumsy, rates: "+rates(0.9, sim.Faults()...)+"}]\nhorizons: [30]\nseeds: 2\nworlds: [teacher]\n")
	n := map[string]int{}
	for _, e := range all {
		for _, a := range e.Attempts {
			want := a.Injected
			if want == "" {
				want = patcherr.None
			} else {
				n[e.Cell.Agent]++
			}
			if got := a.Primary(patcherr.First); got != want {
				t.Errorf("%s: step %d: found %s, injected %s: %+v", e.Cell.ID, a.Step, got, want, a.Findings)
			}
		}
	}
	for _, agent := range []string{"json_schema", "tool", "shallow", "replace", "stateful", "react"} {
		if n[agent] < 20 {
			t.Errorf("%s: %d faults", agent, n[agent])
		}
	}
}

func TestRightPatchesLostWithTheirAction(t *testing.T) {
	t.Parallel()
	all := played(t, "tasks: [warehouse, repo]\nagents: [skillstate]\nmodels: [{sim: clumsy, rates: {action_grammar: 0.5}}]\nhorizons: [40]\nseeds: 2\nworlds: [closed, teacher]\n")
	for _, e := range all {
		lost := 0
		for _, a := range e.Attempts {
			if a.Injected == "" && a.Lost {
				t.Errorf("%s: step %d: lost and not refused", e.Cell.ID, a.Step)
			}
			if a.Lost {
				lost++
			}
		}
		if lost != e.Lost() || lost < 10 || e.Correct != e.Cell.Horizon {
			t.Errorf("%s: %d lost, %d right", e.Cell.ID, lost, e.Correct)
		}
	}
}

// In a closed world an error can bring about others that have no label; those
// before the first one are as in a teacher world.
func TestClosedWorldsCountUpToTheFirstError(t *testing.T) {
	t.Parallel()
	all := played(t, "tasks: [warehouse]\nagents: [skillstate]\nmodels: [{sim: clumsy, rates: "+rates(0.08, patcherr.PrematureDelete, patcherr.Overwrite)+"}]\nhorizons: [50]\nseeds: 12\n")
	m := patcherr.Confusion(all)
	for _, class := range append(sim.Faults(), patcherr.None) {
		if p, r := m.Precision(class), m.Recall(class); p.K != p.N || r.K != r.N {
			t.Errorf("%s: precision %d of %d, recall %d of %d", class, p.K, p.N, r.K, r.N)
		}
	}
	unlabelled := 0
	for _, e := range all {
		for _, a := range e.Attempts {
			if a.Injected == "" && len(a.Findings) > 0 {
				unlabelled++
			}
		}
	}
	if n := m.Cases(patcherr.None); n < 100 || unlabelled < 10 {
		t.Errorf("%d right attempts counted, %d errors without a label: nothing is tested", n, unlabelled)
	}
}
