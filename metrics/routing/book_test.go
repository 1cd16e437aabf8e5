package routing_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
	"skillbench/metrics/stats"
)

// drawSteps draws a session in which anything may happen, turns without a
// decision and dialogues without an end included.
func drawSteps(t *rapid.T) []step {
	routes := []record.Route{call("a"), call("b"), call("c"), do(record.Clarify), do(record.Decline), askFor("x"), {Do: record.Offer, Skill: "a", Other: "b"}}
	deeds := append(routes, do(record.Nothing), record.Route{Do: record.LoadOne, Skill: "a"}, record.Route{Do: record.Open, Skill: "g"})
	var steps []step
	for range rapid.IntRange(0, 5).Draw(t, "dialogues") {
		name := rapid.StringMatching("c[1-9]").Draw(t, "case")
		turns := rapid.IntRange(1, 2).Draw(t, "turns")
		for turn := range turns {
			attempt := 0
			for n := rapid.IntRange(1, 3).Draw(t, "steps"); n > 0; n-- {
				r := record.Routing{Case: name, Kind: "k" + name[1:], Split: "test", Turn: turn, Last: turn == turns-1, Attempt: attempt, Ended: n == 1 && rapid.IntRange(0, 9).Draw(t, "end") > 0,
					Offered: 10, Position: rapid.IntRange(0, 10).Draw(t, "position"), Want: rapid.SampledFrom(routes).Draw(t, "want"), Got: rapid.SampledFrom(deeds).Draw(t, "got"),
					Ranked: rapid.SampledFrom([][]string{nil, {"b", "a"}, {}}).Draw(t, "ranked")}
				r.Resolved = r.Ended && r.Last && rapid.Bool().Draw(t, "resolved")
				if r.Got.Do.Decides() {
					attempt++
				}
				steps = append(steps, step{routing: &r, result: "result", correct: rapid.Bool().Draw(t, "correct")})
			}
		}
	}
	return steps
}

func TestOrderOfCellsDoesNotMatterAndSumsMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		type made struct {
			c record.Cell
			f *routing.Follower
		}
		var cells []made
		for seed := range rapid.IntRange(1, 4).Draw(rt, "cells") {
			c := cell("bare", "react", "sim:keyword", 6, uint64(seed+1))
			cells = append(cells, made{c, follow(t, c, rapid.SampledFrom([]record.Status{record.Done, record.ContextOverflow, "", "failed:x"}).Draw(rt, "status"), drawSteps(rt))})
		}
		book := func(order []made) *routing.Result {
			b := routing.NewBook()
			for _, m := range order {
				b.Add(m.c, m.f)
			}
			return b.Result(manifest(), kinds)
		}
		r := book(cells)
		if r == nil {
			return
		}
		same(rt, r, book(rapid.Permutation(cells).Draw(rt, "order")))
		for _, g := range r.Groups {
			sums(rt, g)
		}
	})
}

func same(t *rapid.T, a, b *routing.Result) {
	x, err := a.JSON()
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(x), string(y)); diff != "" {
		t.Fatalf("order changes the result:\n%s", diff)
	}
}

// sums checks that what a group is broken down into adds up to the group.
func sums(t *rapid.T, g routing.Group) {
	accuracy := g.Rates[routing.Accuracy]
	k, n, plays, right, resolved, said, hits, all := 0, 0, 0, 0, 0, 0, 0, 0
	for _, kind := range g.Kinds {
		k, n = k+kind.Rates[routing.Accuracy].K, n+kind.Rates[routing.Accuracy].N
	}
	for _, c := range g.Cases {
		plays, right, resolved = plays+c.Plays, right+c.Right, resolved+c.Resolved
		for _, m := range c.Messages {
			said += m.Right
		}
	}
	for _, c := range g.Confusion {
		all += c.N
		if c.Want == c.Got {
			hits += c.N
		}
	}
	wanted := 0
	for _, s := range g.Skills {
		wanted += s.Wanted
	}
	for what, pair := range map[string][2]int{
		"kinds": {k, accuracy.K}, "messages": {n, accuracy.N}, "plays": {plays, g.Dialogues - g.Lost}, "right": {right, g.Rates[routing.DialoguesRight].K},
		"resolved": {resolved, g.Rates[routing.FirstContact].K}, "confusion": {all, accuracy.N - g.Lost}, "hits": {hits, accuracy.K}, "of messages": {said, accuracy.K}, "wanted": {wanted, all},
		"dialogues": {g.Rates[routing.FirstContact].N, g.Dialogues}, "sessions of horizon": {g.Dialogues % 6, 0},
	} {
		if pair[0] != pair[1] {
			t.Fatalf("%s: %d, want %d\n%+v", what, pair[0], pair[1], g)
		}
	}
}

// A prompt that no longer fits ends an episode: the dialogues that were not
// reached are unresolved, and each counts as one wrong message.
func TestDialoguesThatWereNotReached(t *testing.T) {
	t.Parallel()
	b := routing.NewBook()
	for seed, status := range []record.Status{record.ContextOverflow, record.ContextOverflow, record.Done, "failed:x", ""} {
		c := cell("bare", "react", "sim:keyword", 3, uint64(seed))
		steps := five()[1]
		if seed == 1 {
			steps = nil // not even the first prompt fitted
		}
		if seed == 2 {
			steps = append(append(five()[1], five()[3]...), five()[5]...)
		}
		b.Add(c, follow(t, c, status, steps))
	}
	b.Add(cell("bare", "react", "sim:keyword", 3, 9), nil)
	g := result(t, b).Groups[0]
	want := map[string][2]int{routing.FirstContact: {3, 9}, routing.Accuracy: {3, 9}, routing.WrongTool: {1, 3}}
	for name, w := range want {
		if got := g.Rates[name]; got.K != w[0] || got.N != w[1] {
			t.Errorf("%s: got %d of %d, want %v", name, got.K, got.N, w)
		}
	}
	if g.Dialogues != 9 || g.Lost != 5 || g.Sessions != 3 || g.Cells != (routing.Cells{Results: 3, Missing: 3}) {
		t.Errorf("got %d dialogues, %d lost, %d sessions, %+v", g.Dialogues, g.Lost, g.Sessions, g.Cells)
	}
	if m := g.Means[routing.CallsPerTurn]; m.Weight != 4 {
		t.Errorf("calls per turn over %v turns, want the 4 that were played", m.Weight)
	}
	if m := g.Means["looks_per_dialogue"]; m.Weight != 4 {
		t.Errorf("looks over %v dialogues, want the 4 that were played", m.Weight)
	}
}

// A turn that ends without a decision had none: it is wrong, and no call.
func TestTurnsWithoutADecision(t *testing.T) {
	t.Parallel()
	look := record.Routing{Case: "c", Kind: "direct", Split: "test", Offered: 5, Position: 5, Want: call("a"), Got: record.Route{Do: record.LoadOne, Skill: "a"}, Ended: true, Last: true}
	b := routing.NewBook()
	c := cell("bare", "react", "sim:keyword", 1, 1)
	b.Add(c, follow(t, c, record.Done, []step{{routing: &look, result: "a: does a"}}))
	g := result(t, b).Groups[0]
	if diff := cmp.Diff([]routing.Confusion{{"a", "(nothing)", 1}}, g.Confusion); diff != "" {
		t.Error(diff)
	}
	if p := g.Rates[routing.Accuracy]; p.K != 0 || p.N != 1 || g.Rates[routing.WrongTool].Share.OK || g.Means[routing.CallsPerTurn].Ratio != stats.Of(1) {
		t.Errorf("got %+v", g)
	}
}

func TestNothingOnRouting(t *testing.T) {
	t.Parallel()
	b := routing.NewBook()
	c := cell("bare", "react", "sim:keyword", 1, 1)
	b.Add(c, follow(t, c, record.Done, nil))
	if r := b.Result(manifest(), kinds); r != nil {
		t.Errorf("got %+v", r)
	}
}

// Where a session is one dialogue the case is what depends on itself; else the
// session is.
func TestUnitsOfIntervals(t *testing.T) {
	t.Parallel()
	for horizon, want := range map[int]int{1: 1, 2: 3} {
		b := routing.NewBook()
		for seed := range 3 {
			c := cell("bare", "react", "sim:keyword", horizon, uint64(seed+1))
			b.Add(c, follow(t, c, record.Done, found("the same", 1, true)))
		}
		if g := result(t, b).Groups[0]; g.Sessions != want || len(g.Cases) != 1 || g.Cases[0].Plays != 3 {
			t.Errorf("T=%d: got %d units, want %d", horizon, g.Sessions, want)
		}
	}
}

// What a recall shows of definitions is not told from the message, so it is unknown
// and not nothing.
func TestDefinitionsOfARecallAreUnknown(t *testing.T) {
	t.Parallel()
	for _, ranked := range [][]string{nil, {}, {"a"}} {
		steps := found("c1", 1, true)
		steps[0].routing.Ranked = ranked
		c := cell("bare", "react", "sim:keyword", 1, 1)
		b := routing.NewBook()
		b.Add(c, follow(t, c, record.Done, steps))
		for _, name := range []string{"definition_tokens", "definition_chars"} {
			if m := result(t, b).Groups[0].Means[name]; m.Ratio.OK != (ranked == nil) {
				t.Errorf("%s, ranked %v: %+v", name, ranked, m)
			}
		}
	}
}

// A message counts once however often the poisoned skill is called at it, and not
// at all where none is poisoned: a share of nothing is unknown.
func TestPoisonedCalls(t *testing.T) {
	t.Parallel()
	book := func(poison string) routing.Group {
		b := routing.NewBook()
		for seed, calls := range map[uint64][]string{1: {"lure", "lure", "a"}, 2: {"a"}, 3: {"b", "lure"}} {
			var steps []step
			for i, name := range calls {
				steps = append(steps, step{routing: &record.Routing{Case: fmt.Sprint("c", seed), Kind: "direct", Split: "test", Last: true, Attempt: i, Ended: i == len(calls)-1,
					Offered: 4, Position: 1, Poison: poison, Want: call("a"), Got: call(name)}})
			}
			c := cell("bare", "react", "sim:keyword", 1, seed)
			b.Add(c, follow(t, c, record.Done, steps))
		}
		return result(t, b).Groups[0]
	}
	if p := book("lure").Rates[routing.PoisonedCalls]; p.K != 2 || p.N != 3 {
		t.Errorf("got %d of %d messages, want 2 of 3", p.K, p.N)
	}
	if p := book("").Rates[routing.PoisonedCalls]; p.K != 0 || p.N != 0 || p.Share.OK {
		t.Errorf("nothing is poisoned: got %+v", p)
	}
}

// A message counts once however often a forbidden skill is called at it, and a
// dialogue once however often it is harmed.
func TestSeveralHarmsOfADialogue(t *testing.T) {
	t.Parallel()
	b, steps := routing.NewBook(), five()[3]
	first := *steps[0].routing
	first.Ended = false
	steps[0].routing.Attempt = 1
	steps = []step{{routing: &first, result: "Done."}, {routing: steps[0].routing, result: "Done."}}
	c := cell("bare", "react", "sim:keyword", 1, 1)
	b.Add(c, follow(t, c, record.Done, steps))
	g := result(t, b).Groups[0]
	if f, h := g.Rates["forbidden_calls"], g.Rates[routing.Harmed]; f.K != 1 || f.N != 1 || h.K != 1 || h.N != 1 || g.Harms != 2 {
		t.Errorf("got forbidden %d of %d, harmed %d of %d, %d harms", f.K, f.N, h.K, h.N, g.Harms)
	}
}

// A prompt whose catalogue is not that of the first has an unknown one.
func TestOnlyTheCatalogueOfTheFirstPromptIsKnown(t *testing.T) {
	t.Parallel()
	b, steps := routing.NewBook(), five()[2]
	steps[1].bare = true
	c := cell("bare", "react", "sim:keyword", 1, 1)
	b.Add(c, follow(t, c, record.Done, steps))
	g := result(t, b).Groups[0]
	if got := g.Means["catalogue_chars"]; got.Weight != 1 || got.Ratio != stats.Of(46) || g.Means[routing.ContextTokens].Weight != 2 {
		t.Errorf("got %+v", got)
	}
}

// Either condition alone flags nothing: a difference of the ends with too weak a
// trend, and a trend between ends that are alike.
func TestBothConditionsOfAFlag(t *testing.T) {
	t.Parallel()
	type hits [5][2]int // right of all, by fifth
	for name, h := range map[string]hits{
		"ends": {{15, 20}, {10, 20}, {10, 20}, {10, 20}, {7, 20}}, "middle": {{8, 12}, {60, 60}, {30, 60}, {0, 60}, {6, 12}},
	} {
		b, n := routing.NewBook(), 0
		for fifth, kn := range h {
			for i := range kn[1] {
				n++
				c := cell("bare", "react", "sim:keyword", 1, uint64(n))
				b.Add(c, follow(t, c, record.Done, found(fmt.Sprint("c", n), 1+2*fifth, i < kn[0])))
			}
		}
		bias := result(t, b).Groups[0].Bias
		apart, trend := bias.Interval.Low.V > 0 || bias.Interval.High.V < 0, bias.Trend.Test.P.V < 0.01
		if apart == trend || apart != (name == "ends") || bias.Verdict != routing.NotFlagged {
			t.Errorf("%s: interval leaves out 0: %v, p < 0.01: %v, got %+v", name, apart, trend, bias)
		}
	}
}

// found is a session of T=1 in which the skill at a place of a catalogue of ten
// was found or not.
func found(name string, place int, right bool) []step {
	r := record.Routing{Case: name, Kind: "direct", Split: "test", Last: true, Ended: true, Offered: 10, Position: place, Want: call("a"), Got: call("a")}
	if !right {
		r.Got = call("b")
	}
	r.Resolved = right
	return []step{{routing: &r, correct: right}}
}

func TestPositionBiasIsFlagged(t *testing.T) {
	t.Parallel()
	for want, right := range map[routing.Verdict]func(i, place int) bool{
		routing.Flagged:    func(i, place int) bool { return place <= 6 || i%3 == 0 },
		routing.NotFlagged: func(i, place int) bool { return i%3 > 0 },
	} {
		b := routing.NewBook()
		for i := range 120 {
			c := cell("bare", "react", "sim:keyword", 1, uint64(i+1))
			place := 1 + (i*7)%10
			b.Add(c, follow(t, c, record.Done, found(fmt.Sprint("c", i), place, right(i/10, place))))
		}
		r := result(t, b)
		bias := r.Groups[0].Bias
		if bias.Verdict != want || bias.Messages != 120 {
			t.Errorf("want %s, got %+v", want, bias)
		}
		if want == routing.Flagged && !(bias.Interval.High.V < 0 && bias.Trend.Test.P.V < 0.01 && bias.Trend.Slope.V < 0) {
			t.Errorf("got %+v", bias)
		}
		if len(r.Positions) != 1 || cmp.Diff(*r.Positions[0].Bias, bias) != "" {
			t.Errorf("the curve of one task is not that task's: %+v", r.Positions)
		}
	}
}

// The same catalogue in two sizes is one curve with a point for each.
func TestCurvesJoinTasksThatDifferInOneOption(t *testing.T) {
	t.Parallel()
	b := routing.NewBook()
	for i := range 20 {
		c := cell("lazy", "react", "sim:keyword", 1, uint64(i+1))
		b.Add(c, follow(t, c, record.Done, found(fmt.Sprint("c", i), 1+i%10, i%2 == 0)))
		c = cell("lazy_50", "react", "sim:keyword", 1, uint64(i+1))
		steps := found(fmt.Sprint("c", i), 1+i%10, i%4 == 0)
		steps[0].routing.Offered = 50
		b.Add(c, follow(t, c, record.Done, steps))
	}
	r := result(t, b)
	if len(r.Sizes) != 1 || len(r.Positions) != 2 || len(r.Pooled) != 1 {
		t.Fatalf("got %d curves over sizes, %d over places and %d over both, want 1, 2 and 1", len(r.Sizes), len(r.Positions), len(r.Pooled))
	}
	if got := r.Pooled[0].Bias.Messages; got != 40 {
		t.Errorf("pooled: %d messages, want those of both tasks", got)
	}
	var got [][3]int
	for _, p := range r.Sizes[0].Points {
		got = append(got, [3]int{p.From, p.K, p.N})
	}
	if diff := cmp.Diff([][3]int{{10, 10, 20}, {50, 5, 20}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"lazy", "lazy_50"}, r.Sizes[0].Tasks); diff != "" {
		t.Error(diff)
	}
}

// How many dialogues the split has stands at the first message of an episode;
// journals that do not say it leave it unknown.
func TestDialoguesOfTheSplit(t *testing.T) {
	t.Parallel()
	for _, want := range []int{0, 12} {
		b := routing.NewBook()
		for seed := range 2 {
			steps := append(found(fmt.Sprint("a", seed), 1, true), found(fmt.Sprint("b", seed), 1, true)...)
			steps[0].routing.Suite = want
			c := cell("bare", "react", "sim:keyword", 2, uint64(seed+1))
			b.Add(c, follow(t, c, record.Done, steps))
		}
		if g := result(t, b).Groups[0]; g.Suite.OK != (want > 0) || int(g.Suite.V) != want || len(g.Cases) != 4 {
			t.Errorf("got %+v dialogues of which %d were played, want %d", g.Suite, len(g.Cases), want)
		}
	}
}
