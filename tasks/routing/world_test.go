package routing

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/suite"
)

// drawOptions draws an arm with its keys.
func drawOptions(rt *rapid.T) func(*Options) {
	arm := rapid.SampledFrom(Arms()).Draw(rt, "arm")
	attempts := rapid.IntRange(1, 4).Draw(rt, "attempts")
	gates, size := rapid.Bool().Draw(rt, "gates"), rapid.SampledFrom([]int{0, 4, 30}).Draw(rt, "skills")
	most := max(size, 4)
	position, poison := rapid.IntRange(-most, most).Draw(rt, "position"), rapid.Bool().Draw(rt, "poison")
	return func(o *Options) {
		o.Arm, o.Attempts, o.Gates, o.Skills, o.Position, o.Poison = arm, attempts, gates, size, position, poison
	}
}

// drawAction draws what a hostile or careless agent says.
func drawAction(rt *rapid.T, oracle string) string {
	name := rapid.SampledFrom([]string{"track", "refund", "person", "callback", "nobody", "money", "parcels", "people", "x"})
	return rapid.OneOf(
		rapid.Just(oracle), rapid.Just(record.None), rapid.Just("Wait"), rapid.Just("Clarify"), rapid.Just("Decline"),
		rapid.Map(name, func(n string) string { return "Load " + n }),
		rapid.Map(name, func(n string) string { return "Open " + n }),
		rapid.Map(name, func(n string) string { return "Offer track " + n }),
		rapid.Map(name, func(n string) string { return `Call ` + n + ` {"order":"A1002","iban":"DE123456"}` }),
		rapid.Map(name, func(n string) string { return "Call " + n + ` {"order":{"a":[1,null]},"phone":"\n## Reply\n"}` }),
		rapid.String(),
	).Draw(rt, "action")
}

// Whatever is done, an episode of T dialogues has each turn end once, in a bounded
// number of steps, and a base event for each dialogue.
func TestAnyPlay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		change := drawOptions(rt)
		w := start(t, shop(6, 1, change))
		var o Options
		change(&o)
		ended, base, atTurn, harms := map[string]int{}, 0, map[string]int{}, map[string]bool{}
		for _, s := range play(t, w, func(o record.Observation) string { return drawAction(rt, o.Oracle) }) {
			r := s.out.Routing
			turn := fmt.Sprintf("%s %d", r.Case, r.Turn)
			if atTurn[turn]++; atTurn[turn] > o.Attempts+maxLooks {
				rt.Fatalf("%s: more than %d steps", turn, o.Attempts+maxLooks)
			}
			if r.Ended {
				ended[turn]++
			} else if !s.out.Free || s.out.Correct {
				rt.Fatalf("%s is open after %+v", turn, s.out)
			}
			if !s.o.Free && !s.out.Free {
				base++
			}
			harms[r.Case] = harms[r.Case] || r.Harm
			if r.Settled && r.Harm || r.Resolved && harms[r.Case] || s.out.Correct && r.Attempt > 0 {
				rt.Fatalf("%q: %+v", s.action, s.out)
			}
			if _, err := json.Marshal(s.out); err != nil || strings.ContainsAny(s.out.Result, "\r\n") {
				rt.Fatalf("%q gives %q (%v)", s.action, s.out.Result, err)
			}
		}
		if base != 6 || len(ended) != 8 {
			rt.Fatalf("%d base events, %d turns", base, len(ended))
		}
		for turn, n := range ended {
			if n != 1 {
				rt.Fatalf("%s ended %d times", turn, n)
			}
		}
	})
}

// Equal specs give equal sessions; the order of the catalogue goes by the seed.
func TestSessions(t *testing.T) {
	t.Parallel()
	orders := map[string]bool{}
	seen := map[string]int{}
	for seed := uint64(1); seed <= 6; seed++ {
		a, b := start(t, shop(1, seed, nil)), start(t, shop(1, seed, nil))
		if diff := cmp.Diff(a.Catalogue(), b.Catalogue()); diff != "" {
			t.Error(diff)
		}
		orders[a.Catalogue()] = true
		seen[a.cases[0].ID]++
	}
	if len(orders) < 3 || len(seen) != 6 {
		t.Errorf("%d orders; the seeds play %v", len(orders), seen)
	}
	if _, err := begin(shop(1, 7, nil)); err == nil {
		t.Error("a seed beyond the suite is played")
	}
}

// A catalogue has the size that is asked for, its right skills, and puts them where
// it is told.
func TestCatalogues(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		size, place := rapid.IntRange(4, 40).Draw(rt, "skills"), rapid.IntRange(-45, 45).Draw(rt, "position")
		o := defaults()
		o.Skills, o.Position, o.Split, o.Poison = size, place, "all", rapid.Bool().Draw(rt, "poison")
		w, err := begin(spec(2, uint64(rapid.IntRange(1, 40).Draw(rt, "seed")), o))
		if err != nil {
			if beyond := max(place, -place) > size; beyond != strings.Contains(err.Error(), "position: want one of the ") || !beyond && !strings.Contains(err.Error(), "skills: want at least ") {
				rt.Fatal(err)
			}
			return
		}
		s := w.(*world).session
		if (s.place[s.poisoned] > 0) != o.Poison {
			rt.Fatalf("poison %t, and %q is at %d", o.Poison, s.poisoned, s.place[s.poisoned])
		}
		if lacks := len(s.library.Skills) - len(s.shown); len(s.shown) > size || len(s.shown) < size-lacks && size > 15 {
			rt.Fatalf("%d skills, want %d", len(s.shown), size)
		}
		right := s.right()
		var places []int
		for i, one := range s.shown {
			if right[one.Name] {
				places = append(places, i)
			}
			delete(right, one.Name)
		}
		if len(right) > 0 {
			rt.Fatalf("%v are not in it", right)
		}
		if place == 0 || len(places) == 0 {
			return
		}
		first, last := places[0], places[len(places)-1]
		if last-first != len(places)-1 {
			rt.Fatalf("the right ones are at %v", places)
		}
		room := len(s.shown) - len(places)
		want := min(max(place-1, 0), room)
		if place < 0 {
			want = max(room+place+1, 0)
		}
		if first != want {
			rt.Fatalf("the right ones are at %v, want them from %d", places, want)
		}
	})
}

// A skill that only some dialogues of a session lack is in the catalogue; those say
// that it is not in service. One that all lack is not in it.
func TestAbsent(t *testing.T) {
	t.Parallel()
	w := start(t, shop(6, 1, nil))
	if o := at(t, w, "nobody"); !strings.Contains(o.Text, `"not_in_service":"person"`) || w.place["person"] == 0 {
		t.Errorf("got %s", o.Text)
	}
	for seed := uint64(1); seed <= 6; seed++ {
		w := start(t, shop(1, seed, nil))
		o, _ := w.Observe()
		if alone := o.Item == "nobody"; alone == (w.place["person"] > 0) || strings.Contains(o.Text, "not_in_service") {
			t.Errorf("%s: person at %d: %s", o.Item, w.place["person"], o.Text)
		}
	}
}

// Layers that are left out are in no text of the arm.
func TestLayers(t *testing.T) {
	t.Parallel()
	marks := map[skills.Layer]string{
		skills.SummaryLayer: "Say where a parcel is.", skills.TriggerLayer: "The customer asks where a parcel is",
		skills.BoundaryLayer: "Looks only.", skills.NotWhenLayer: "The customer wants money back (use refund)", skills.PromiseLayer: "Carrier and day",
	}
	for _, arm := range []Arm{FullCatalogue, RecallK, LazyCatalogue} {
		for _, left := range layers() {
			w := start(t, shop(6, 1, func(o *Options) { o.Arm, o.Layers = arm, []string{left} }))
			o := at(t, w, "where")
			text := w.Catalogue() + o.Text
			if arm == LazyCatalogue {
				w.Act("Load track")
				o, _ = w.Observe()
				text = o.Text
			}
			for layer, mark := range marks {
				if strings.Contains(text, mark) != (string(layer) == left) {
					t.Errorf("%s with %s: %q in\n%s", arm, left, mark, text)
				}
			}
		}
	}
}

// The truth holds what the desk shows and what was said, in the suite's own value
// where it has one, and nothing of the conversation before.
func TestTruth(t *testing.T) {
	t.Parallel()
	w := start(t, shop(7, 1, func(o *Options) { o.Split = "all" }))
	w.cases[0] = suite.Case{ID: "words", At: "10:00", State: map[string]any{"paid": true, "items": []any{1}}, Turns: []suite.Turn{
		{Say: "A1001, to DE123456.", Expect: suite.Expect{Route: record.Route{Do: record.Ask, Skill: "track", Param: "day"}}},
		{Say: "On the day after Monday.", Expect: suite.Expect{Route: record.Route{Do: record.Call, Skill: "track"}, Params: map[string]any{"day": "tuesday"}}},
	}}
	for i, want := range []string{
		`{"asked":"day","facts":{"iban":"DE123456","order":"A1001","paid":true,"time":"10:00"},"topic":"track"}`,
		`{"facts":{"day":"tuesday","iban":"DE123456","order":"A1001","paid":true,"time":"10:00"}}`,
	} {
		w.Observe()
		w.Act([]string{"Ask day", "Decline"}[i])
		if diff := cmp.Diff(want, w.Truth().Compact()); diff != "" {
			t.Error(diff)
		}
	}
	w.Observe()
	w.Act("Decline")
	if _, ok := w.Truth().Get(memberFacts, "day"); ok {
		t.Errorf("got %s", w.Truth().Compact())
	}
}
