package warehouse

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// drifting is the published setting.
func drifting(kind string, seed uint64) harness.Spec {
	return harness.Spec{Horizon: 50, Seed: seed, Drift: kind, Lag: 1, Patience: 15}
}

// alertLine is the alert that an observation holds, "" for none.
func alertLine(o record.Observation) string {
	for line := range strings.Lines(o.Text) {
		if strings.HasPrefix(line, "ALERT: ") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// TestDriftsGoByTheBook follows each drift of an oracle's episode: silent
// change, alert lag base events later, open event at once, closed by the first
// right action.
func TestDriftsGoByTheBook(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{secretMove, secretAudit, secretBarcode} {
		for lag := range 4 {
			for seed := range uint64(10) {
				spec := drifting(kind, seed)
				spec.Lag = lag
				var silent, alerts, opens []int // base events before it
				base := 0
				for _, s := range play(t, spec, oracle) {
					if s.o.Silent != nil {
						silent = append(silent, base)
					}
					if (alertLine(s.o) != "") != (s.o.Drift != "" && (s.o.Free || alerted(s.o))) {
						t.Errorf("step %d: drift %q, text %q", s.o.Step, s.o.Drift, s.o.Text)
					}
					if s.o.Free {
						opens = append(opens, base)
						if s.o.Announced != 1 || s.out.Used != "current" || s.o.Drift != fmt.Sprintf("%s#%d", kind, len(opens)) {
							t.Errorf("open event: %+v, %+v", s.o, s.out)
						}
						continue
					}
					if alertLine(s.o) != "" {
						alerts = append(alerts, base)
					}
					base++
				}
				if len(silent) != driftCount || len(alerts) != driftCount || len(opens) != driftCount {
					t.Fatalf("%s, seed %d: silent at %v, alerts at %v, open events at %v", kind, seed, silent, alerts, opens)
				}
				for i := range silent {
					if alerts[i] != silent[i]+lag || opens[i] != alerts[i]+1 {
						t.Errorf("%s, seed %d: silent at %v, alerts at %v, open events at %v", kind, seed, silent, alerts, opens)
					}
					if i > 0 && silent[i]-alerts[i-1] < 2 {
						t.Errorf("%s, seed %d: drifts at %v are not apart", kind, seed, silent)
					}
				}
			}
		}
	}
}

func alerted(o record.Observation) bool { return strings.Contains(o.Text, "ALERT") }

// TestFactsOfDrifts compares what the silent patch did with what the alert says
// and the open event asks for.
func TestFactsOfDrifts(t *testing.T) {
	t.Parallel()
	filled := 0 // audited shelves that a base event filled between alert and open event
	for kind, check := range map[string]func(silent map[string]any, truth state.Object, alert, action string) error{
		secretMove: func(silent map[string]any, _ state.Object, alert, action string) error {
			names, ok := saysNowOn.heard(alert)
			if !ok || silent[names[1]] != names[0] || action != shippingTo(names[0], names[1]) {
				return fmt.Errorf("alert %q, action %q", alert, action)
			}
			return nil
		},
		secretAudit: func(silent map[string]any, truth state.Object, alert, action string) error {
			names, ok := saysLost.heard(alert)
			if _, held := stored(truth)[names[0]]; held {
				filled++
				return nil
			}
			if gone, listed := silent[names[0]]; !ok || !listed || gone != nil || !strings.HasSuffix(action, " "+names[0]) || !strings.HasPrefix(action, "Store ") {
				return fmt.Errorf("alert %q, action %q", alert, action)
			}
			return nil
		},
		secretBarcode: func(silent map[string]any, _ state.Object, alert, action string) error {
			names, ok := saysRelabel.heard(alert)
			if !ok || silent[names[1]] != names[2] || names[0] == names[2] || action != shippingTo(names[2], names[1]) {
				return fmt.Errorf("alert %q, action %q", alert, action)
			}
			return nil
		},
	} {
		for seed := range uint64(20) {
			var silent map[string]any
			reader := perfect(memory{state: true}, sim.Abstain)
			w := start(t, drifting(kind, seed))
			for {
				o, ok := w.Observe()
				if !ok {
					break
				}
				if o.Silent != nil {
					silent = stored(*o.Silent)
				}
				if o.Free {
					if err := check(silent, w.Truth(), alertLine(o), o.Oracle); err != nil {
						t.Errorf("%s, seed %d, step %d: silent %v: %v", kind, seed, o.Step, silent, err)
					}
					if o.Age != nil && *o.Age != 0 {
						t.Errorf("%s: age %d at an alert that states the fact", kind, *o.Age)
					}
				}
				w.Act(reader(o, state.Object{}))
			}
		}
	}
	if filled > 4 {
		t.Errorf("%d of 100 open arrivals do not depend on the audited shelf", filled)
	}
}

func shippingTo(item, shelf string) string { return verbShip + " " + item + " " + shelf }

// deaf reads well, but holds on to the obsolete fact at open events up to the
// given announcement.
func deaf(givesIn int) policy {
	reader := perfect(memory{state: true}, sim.Abstain)
	place := map[string]string{} // as the opening stock has it
	return func(o record.Observation, truth state.Object) string {
		if o.Step == 0 {
			for shelf, item := range stored(truth) {
				place[item.(string)] = shelf
			}
		}
		action := reader(o, truth)
		if !o.Free || o.Announced >= givesIn {
			return action
		}
		if names, ok := saysRelabel.heard(alertLine(o)); ok {
			return shippingTo(names[0], place[names[0]])
		}
		if names, ok := saysLost.heard(alertLine(o)); ok {
			return verbStore + " " + o.Item + " " + lowestBeside(truth, names[0])
		}
		return shippingTo(o.Item, place[o.Item])
	}
}

func stored(truth state.Object) map[string]any {
	inventory, _ := truth.Get("inventory")
	return inventory.(map[string]any)
}

// lowestBeside is the lowest empty shelf for one who holds a shelf for taken.
func lowestBeside(truth state.Object, taken string) string {
	for n := 0; ; n++ {
		if _, held := stored(truth)[shelfName(n)]; !held && shelfName(n) != taken {
			return shelfName(n)
		}
	}
}

func TestObsoleteFactsAreTold(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{secretMove, secretAudit, secretBarcode} {
		for _, givesIn := range []int{3, 99} {
			open, current, obsolete := 0, 0, 0
			steps := play(t, harness.Spec{Horizon: 50, Seed: 4, Drift: kind, Lag: 1, Patience: 6}, deaf(givesIn))
			for _, s := range steps {
				if !s.o.Free {
					continue
				}
				open++
				switch s.out.Used {
				case "current":
					current++
				case "obsolete":
					obsolete++
				}
			}
			want := [3]int{5 * 3, 5, 5 * 2}
			if givesIn == 99 {
				want = [3]int{5 * 6, 0, 5 * 6}
			}
			if got := [3]int{open, current, obsolete}; got != want {
				t.Errorf("%s, gives in at %d: open, current, obsolete %v, want %v", kind, givesIn, got, want)
			}
			if _, base := score(steps); base != 50 {
				t.Errorf("%s: %d base events, want 50", kind, base)
			}
		}
	}
}

// TestDriftCostsReadersLittle bounds the base events that nobody could answer:
// those between a drift and its alert.
func TestDriftCostsReadersLittle(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{secretMove, secretAudit, secretBarcode} {
		missed := 0
		for seed := range uint64(20) {
			correct, base := score(play(t, drifting(kind, seed), perfect(memory{state: true}, sim.Abstain)))
			missed += base - correct
		}
		t.Logf("%s: %d of 1000 base events", kind, missed)
		if missed > 80 || kind == secretBarcode && missed > 0 {
			t.Errorf("%s: a perfect reader missed %d of 1000 base events", kind, missed)
		}
	}
}

func TestWaitingIsNeitherRecoveryNorObsolete(t *testing.T) {
	t.Parallel()
	for _, kind := range scenarios() {
		announced := 0
		for _, s := range play(t, drifting(kind, 4), func(record.Observation, state.Object) string { return "Wait" }) {
			if s.out.Used != "" || s.out.Correct {
				t.Errorf("%s, step %d: waiting gave %+v", kind, s.o.Step, s.out)
			}
			if s.o.Free {
				announced++
			}
		}
		if announced != driftCount*15 {
			t.Errorf("%s: %d announcements, want %d", kind, announced, driftCount*15)
		}
	}
}

func TestCanceledOrderIsUnrecoverable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "actions"), 0))
		w := start(t, harness.Spec{Horizon: 60, Seed: rapid.Uint64Range(0, 50).Draw(rt, "seed"), Drift: canceledOrder, Lag: 1, Patience: 3})
		careful := rapid.Bool().Draw(rt, "careful")
		free, shipped := 0, ""
		for {
			o, ok := w.Observe()
			if !ok {
				break
			}
			if o.Free {
				free++
				if w.floor.at(o.Item) != noShelf || w.dock[o.Item] || !o.Impossible || o.Oracle != "Wait" {
					rt.Fatalf("step %d: %s is still in the warehouse: %+v", o.Step, o.Item, o)
				}
				names, ok := saysCanceled.heard(alertLine(o))
				if !ok || names[0] != o.Item {
					rt.Fatalf("alert %q for %s", alertLine(o), o.Item)
				}
				for shelf := range 20 {
					if out := w.Judge(shippingTo(o.Item, shelfName(shelf))); out.Valid || out.Used != "obsolete" {
						rt.Fatalf("shipping it again: %+v", out)
					}
				}
			}
			if o.Kind == kindOrder && !o.Free {
				shipped += o.Item + "."
			}
			if o.Free && !strings.Contains(shipped, o.Item+".") {
				rt.Fatalf("%s was never ordered before", o.Item)
			}
			action := o.Oracle
			if !careful {
				action = anyAction(r, o, w.Truth())
			}
			w.Act(action)
		}
		if free != driftCount*3 {
			rt.Fatalf("%d announcements, want %d", free, driftCount*3)
		}
	})
}

// TestRelapsesAreMarked looks for base steps, long after recovery, whose answer
// names the shelf that the obsolete fact was about, and plays them both ways.
func TestRelapsesAreMarked(t *testing.T) {
	t.Parallel()
	marked := 0
	for seed := range uint64(20) {
		w := start(t, drifting(secretMove, seed))
		for {
			o, ok := w.Observe()
			if !ok {
				break
			}
			if o.Drift != "" && !o.Free && alertLine(o) == "" {
				marked++
				if used := w.Judge(o.Oracle).Used; used != "current" {
					t.Errorf("seed %d, step %d: %s used %q", seed, o.Step, o.Oracle, used)
				}
				if o.Kind == kindReceive {
					d := w.now.drift
					other := storing(o.Item, w.floor.lowestBut(d.old)).String()
					if used := w.Judge(other).Used; used != "obsolete" {
						t.Errorf("seed %d, step %d: %s used %q, for shelf %d is empty", seed, o.Step, other, used, d.old)
					}
				}
			}
			w.Act(o.Oracle)
		}
	}
	if marked < 20 {
		t.Errorf("%d steps marked in 20 episodes", marked)
	}
}

// TestDriftsAreTheSameForAll plays two agents and compares when what drifts.
func TestDriftsAreTheSameForAll(t *testing.T) {
	t.Parallel()
	for _, kind := range scenarios() {
		plan := func(p policy) (drifts []string) {
			base := 0
			for _, s := range play(t, harness.Spec{Horizon: 50, Seed: 8, Drift: kind, Lag: 1, Patience: 2}, p) {
				if s.o.Announced == 1 {
					drifts = append(drifts, fmt.Sprintf("%s before %d", s.o.Drift, base))
				}
				if !s.o.Free {
					base++
				}
			}
			return drifts
		}
		r := rand.New(rand.NewPCG(1, 1))
		wild := plan(func(o record.Observation, truth state.Object) string { return anyAction(r, o, truth) })
		if diff := cmp.Diff(plan(oracle), wild); diff != "" || len(wild) != driftCount {
			t.Errorf("%s: %s", kind, diff)
		}
	}
}

// TestAfterPatience holds what is left of an open event that was given up: the
// order is closed, the arrival may still be stored, the item may still be moved.
func TestAfterPatience(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{secretMove, secretAudit, secretBarcode} {
		w := start(t, drifting(kind, 4))
		var o record.Observation
		for o.Announced < 15 {
			o, _ = w.Observe()
			action := o.Oracle
			if o.Free {
				action = "Wait"
			}
			w.Act(action)
		}
		w.Observe()
		before := w.Judge(o.Oracle)
		if want := kind == secretAudit; before.Valid != want || before.Correct {
			t.Errorf("%s: the right action, too late, gave %+v", kind, before)
		}
		if at := w.floor.at(o.Item); kind != secretAudit && !w.Judge(moving(o.Item, at, w.floor.nextEmpty(400)).String()).Valid {
			t.Errorf("%s: %s cannot be moved any more", kind, o.Item)
		}
	}
}

// TestOnlyTheOldShelfIsObsolete holds that a plain error is none of the drift.
func TestOnlyTheOldShelfIsObsolete(t *testing.T) {
	t.Parallel()
	w := start(t, drifting(secretMove, 4))
	for {
		o, ok := w.Observe()
		if !ok {
			return
		}
		if d := w.now.drift; o.Free {
			for shelf := range Shelves {
				want := ""
				if shelf == d.old {
					want = "obsolete"
				} else if shelf == w.floor.at(d.item) {
					want = "current"
				}
				if used := w.Judge(shippingTo(o.Item, shelfName(shelf))).Used; used != want {
					t.Errorf("step %d: shipping from shelf_%d used %q, want %q", o.Step, shelf, used, want)
				}
			}
		}
		w.Act(o.Oracle)
	}
}
