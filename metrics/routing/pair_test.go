package routing_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics/claims"
	"skillbench/metrics/routing"
)

// two is a run of two arms and two players: bare finds the first 12 of 20 cases,
// lazy the first 18, one player the first, and the other none.
func two(t testing.TB, model string) *routing.Result {
	t.Helper()
	b := routing.NewBook()
	for i := range 20 {
		name := string(rune('a' + i))
		for task, right := range map[string]int{"bare": 12, "lazy": 18} {
			c := cell(task, "react", model, 1, uint64(i+1))
			b.Add(c, follow(t, c, record.Done, found(name, 1+i%10, i < right)))
		}
		for player, right := range map[string]int{"always_none": 0, "bm25": 1} {
			c := cell("bare", player, "", 1, uint64(i+1))
			b.Add(c, follow(t, c, record.Done, found(name, 1+i%10, i < right)))
		}
	}
	return result(t, b)
}

// Of the 20 cases 6 are right under lazy only: p = 2/2⁶. One player has one of the
// 12 that bare has: p = 2/2¹¹. There is nothing to test in one that has none.
func TestPairs(t *testing.T) {
	t.Parallel()
	r := two(t, "sim:keyword")
	if len(r.Pairs) != 4 {
		t.Fatalf("%d pairs, want two families of two outcomes", len(r.Pairs))
	}
	for _, p := range r.Pairs {
		want, only := 2.0/64, [2]int{0, 6}
		if p.Family == routing.Floors {
			want, only = 2.0/2048, [2]int{11, 0}
		}
		if math.Abs(p.P.V-want) > 1e-12 || [2]int{p.OnlyA, p.OnlyB} != only || p.Adjusted != p.P {
			t.Errorf("got %+v, want p = %g", p, want)
		}
	}
}

// early is a run of two arms on 20 cases, ten to a session: bare gets to the first
// five of each, all right, and lazy finds 16 of all.
func early(t testing.TB, reached int) *routing.Result {
	t.Helper()
	b := routing.NewBook()
	for seed := range 2 {
		for task, n := range map[string]int{"bare": reached, "lazy": 10} {
			var steps []step
			for i := range n {
				steps = append(steps, found(fmt.Sprintf("c%d", 10*seed+i), 1+i, task == "bare" || i > 1)...)
			}
			c, status := cell(task, "react", "sim:keyword", 10, uint64(seed+1)), record.Done
			if n < 10 {
				status = record.ContextOverflow
			}
			b.Add(c, follow(t, c, status, steps))
		}
	}
	return result(t, b)
}

// TestLostDialoguesAreNotRight: who gets to five of ten is not compared on these
// alone.
func TestLostDialoguesAreNotRight(t *testing.T) {
	t.Parallel()
	p := early(t, 5).Pairs[0]
	if p.Both != 6 || p.OnlyA != 4 || p.OnlyB != 10 || p.Neither != 0 {
		t.Errorf("got %+v", p.PairedBinary)
	}
	baseline := file(t, early(t, 10))
	got, err := hold(t, baseline, early(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	want := "bare, react, sim:keyword, split test, T=10: first_contact was 20 of 20, is 10 of 20: of the same dialogues 10 got worse and 0 better, McNemar p = 0.001953"
	if !slices.Contains(got.Failures, want) {
		t.Errorf("got %q", got.Failures)
	}
}

func TestDirectionsOfPublishedFigures(t *testing.T) {
	t.Parallel()
	for model, want := range map[string]map[string]claims.Verdict{
		"sim:keyword": {"wrong_tool": claims.NotTestable, "first_contact": claims.NotTestable, "context_tokens": claims.NotRun, "tool_calls_per_turn": claims.NotTestable, "param_faults": claims.NotTestable},
		"big":         {"wrong_tool": claims.Reproduced, "first_contact": claims.Reproduced, "context_tokens": claims.NotRun, "tool_calls_per_turn": claims.NotReproduced, "param_faults": claims.NotReproduced},
	} {
		r := two(t, model)
		if len(r.Published) != 5 {
			t.Fatalf("%d comparisons, want those of one arm", len(r.Published))
		}
		for _, c := range r.Published {
			if c.Verdict != want[c.Measure] {
				t.Errorf("%s, %s: got %q, want %q: %+v", model, c.Measure, c.Verdict, want[c.Measure], c)
			}
		}
	}
}

// Of one session each a mean has no interval; who made no call has no share of wrong
// ones, and who made no right call none of faulty ones.
func TestWhyThereIsNoDirection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bare, lazy record.Route
		want       map[string]claims.Verdict
	}{
		{call("a"), call("a"), map[string]claims.Verdict{"wrong_tool": claims.NotReproduced, "param_faults": claims.NotReproduced, "tool_calls_per_turn": routing.NoInterval, "context_tokens": claims.NotRun}},
		{call("a"), do(record.Decline), map[string]claims.Verdict{"wrong_tool": routing.NoCall, "param_faults": routing.NoCall, "tool_calls_per_turn": routing.NoInterval}},
		{call("b"), call("a"), map[string]claims.Verdict{"param_faults": routing.NoRightCall, "tool_calls_per_turn": routing.NoInterval}},
	} {
		b := routing.NewBook()
		for task, got := range map[string]record.Route{"bare": c.bare, "lazy": c.lazy} {
			r := record.Routing{Case: "c", Kind: "direct", Split: "test", Last: true, Ended: true, Offered: 10, Want: call("a"), Got: got}
			other, one := r, cell(task, "react", "big", 2, 1)
			other.Case = "d"
			b.Add(one, follow(t, one, record.Done, []step{{routing: &r}, {routing: &other}}))
		}
		for _, p := range result(t, b).Published {
			if want, ok := c.want[p.Measure]; ok && p.Verdict != want {
				t.Errorf("%s then %s: %s: got %q, want %q", c.bare.Do, c.lazy.Do, p.Measure, p.Verdict, want)
			}
		}
	}
}

func TestPublishedFigures(t *testing.T) {
	t.Parallel()
	p := routing.Published()
	if len(p.Figures) != 5 || p.Note == "" || p.Source == "" || p.Figures[4].String() != "2140 → 1560 tokens" {
		t.Errorf("got %+v", p)
	}
}

// With gates one dialogue of five is harmed, without them three.
func TestGatesOfTheRuntime(t *testing.T) {
	t.Parallel()
	b := routing.NewBook()
	for i := range 5 {
		for task, harmed := range map[string]int{"bare": 1, "open": 3} {
			c := cell(task, "react", "sim:keyword", 1, uint64(i+1))
			steps := found(string(rune('a'+i)), 1, true)
			steps[0].routing.Harm = i < harmed
			b.Add(c, follow(t, c, record.Done, steps))
		}
	}
	m := manifest()
	with := string(m.Tasks[0].Keys)
	m.Tasks[0].Keys = []byte(strings.Replace(with, "{", `{"gates":true,`, 1))
	m.Tasks = append(m.Tasks, journal.Definition{Name: "open", Base: "routing", Hash: "h", Keys: []byte(strings.Replace(with, "{", `{"gates":false,`, 1))})
	r := b.Result(m, kinds)
	if len(r.Gates) != 4 {
		t.Fatalf("%d effects, want those of one pair of tasks", len(r.Gates))
	}
	e := r.Gates[0]
	if e.Measure != routing.Harmed || e.With.Task != "bare" || e.Without.Task != "open" || e.Held.K != 1 || e.Open.K != 3 || math.Abs(e.Difference.V+0.4) > 1e-12 {
		t.Errorf("got %+v", e)
	}
}
