package routing_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics/routing"
)

var update = flag.Bool("update", false, "write the golden file anew")

var kinds = map[string]string{"sim:keyword": record.Simulated, "big": record.Real}

// manifest has the tasks of the tests: one arm each, and the same catalogue in
// three sizes.
func manifest() journal.Manifest {
	return journal.Manifest{Name: "made", Tokenizer: "o200k_base", Templates: "t", Tasks: []journal.Definition{
		{Name: "bare", Base: "routing", Hash: "h", Keys: json.RawMessage(`{"suite":"after-sales","split":"test","arm":"bare_tools","k":5,"skills":0,"position":0}`)},
		{Name: "lazy", Base: "routing", Hash: "h", Keys: json.RawMessage(`{"suite":"after-sales","split":"test","arm":"lazy_catalogue","k":5,"skills":0,"position":0}`)},
		{Name: "lazy_50", Base: "routing", Hash: "h", Keys: json.RawMessage(`{"suite":"after-sales","split":"test","arm":"lazy_catalogue","k":5,"skills":50,"position":0}`)},
	}, Agents: []journal.Definition{{Name: "react"}, {Name: "always_none"}}, Models: []journal.Definition{{Name: "sim:keyword", Base: record.Simulated}, {Name: "big", Base: record.Real}}}
}

func result(t testing.TB, b *routing.Book) *routing.Result {
	t.Helper()
	r := b.Result(manifest(), kinds)
	if r == nil {
		t.Fatal("nothing on routing")
	}
	return r
}

func TestByHand(t *testing.T) {
	t.Parallel()
	r := result(t, fiveOf(t, 1, 2, 3, 4, 5))
	if len(r.Groups) != 1 {
		t.Fatalf("%d groups", len(r.Groups))
	}
	g := r.Groups[0]
	want := map[string][2]int{
		routing.WrongTool: {2, 5}, routing.ParamFaults: {2, 3}, "param_faults_of_all": {2, 5}, routing.FirstContact: {4, 5},
		routing.Accuracy: {4, 6}, routing.DialoguesRight: {3, 5}, "score": {2, 5}, "called_when_wanted": {2, 3}, routing.FalseTriggers: {1, 1},
		"out_of_scope_recall": {0, 1}, "asks_precision": {2, 2}, "asks_recall": {2, 2}, "forbidden_calls": {1, 1}, routing.Harmed: {1, 5}, "calls_held": {1, 5}, routing.PoisonedCalls: {0, 0},
	}
	for name, p := range g.Rates {
		if got := [2]int{p.K, p.N}; got != want[name] {
			t.Errorf("%s: got %v, want %v", name, got, want[name])
		}
	}
	if len(g.Rates) != len(want) {
		t.Errorf("%d rates, want %d", len(g.Rates), len(want))
	}
	for name, want := range map[string]float64{routing.CallsPerTurn: 6.0 / 6, routing.ContextTokens: 880.0 / 8, "looks_per_dialogue": 1.0 / 5,
		"catalogue_chars": 46, "definition_chars": 30.0 / 5, "result_chars": (8.0 + 13 + 5 + 5 + 16) / 5} {
		if got := g.Means[name].Ratio.V; math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: got %f, want %f", name, got, want)
		}
	}
	// F1 is 1 for order-status, 0 for return-label, 2/3 for submit-refund and
	// 4/5 for (none). Chance agrees on 5 of 36, the two on 24.
	for what, pair := range map[string][2]float64{"macro F1": {g.MacroF1.Value.V, (1 + 0 + 2.0/3 + 0.8) / 4}, "kappa": {g.Kappa.Value.V, 19.0 / 31}} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s: got %f, want %f", what, pair[0], pair[1])
		}
	}
	if diff := cmp.Diff([]routing.Confusion{{"(decline)", "submit-refund", 1}, {"return-label", "exchange-item", 1}}, routing.Confused(g.Confusion, 5)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(routing.Faults{Missing: 1, Invalid: 1, Wrong: 1}, g.Faults); diff != "" {
		t.Error(diff)
	}
	fifths := [][2]int{{1, 1}, {0, 0}, {0, 0}, {0, 0}, {2, 3}}
	for i, p := range g.Fifths {
		if got := [2]int{p.K, p.N}; got != fifths[i] {
			t.Errorf("fifth %d: got %v, want %v", i+1, got, fifths[i])
		}
	}
	if g.Bias.Verdict != routing.TooFew || g.Bias.Messages != 4 || g.Harms != 1 || g.Dialogues != 5 || g.Sessions != 5 || g.Cells != (routing.Cells{Results: 5}) {
		t.Errorf("got %+v", g)
	}
}

// Wilson's interval of 4 of 5 dialogues, each a session of its own, is that of a
// quantile of Student's t with 4 degrees of freedom: t² = 7.708650.
func TestIntervalsAreOverSessions(t *testing.T) {
	t.Parallel()
	p := result(t, fiveOf(t, 1, 2, 3, 4, 5)).Groups[0].Rates[routing.FirstContact]
	const q, n, share = 2.776445, 4.0, 0.8 // five trials are worth four: the variance between sessions is 5/4 of the binomial one
	z2 := q * q
	low := (share + z2/(2*n) - q*math.Sqrt(share*(1-share)/n+z2/(4*n*n))) / (1 + z2/n)
	if math.Abs(p.Interval.Low.V-low) > 1e-5 || math.Abs(p.Effective.V-4) > 1e-9 {
		t.Errorf("got %+v, want from %f", p, low)
	}
}

func TestGoldenResult(t *testing.T) {
	t.Parallel()
	b := fiveOf(t, 1, 2, 3, 4, 5)
	for seed, steps := range five() {
		c := cell("lazy", "react", "sim:keyword", 1, seed)
		b.Add(c, follow(t, c, record.Done, steps))
		c = cell("bare", "always_none", "", 1, seed)
		b.Add(c, follow(t, c, record.Done, declined(steps)))
	}
	got, err := result(t, b).JSON()
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "routing.json")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("run with -update and read what changed:\n%s", diff)
	}
	r, err := routing.Read(golden)
	if err != nil {
		t.Fatal(err)
	}
	again, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(again)); diff != "" {
		t.Errorf("reading and writing changes it:\n%s", diff)
	}
}

// declined is what becomes of the dialogues of one who always declines: every
// turn ends at once.
func declined(steps []step) []step {
	var out []step
	for _, s := range steps {
		r := *s.routing
		if r.Attempt > 0 || !r.Got.Do.Decides() {
			continue
		}
		r.Got, r.Faults, r.Harm, r.Ended, r.Resolved = do(record.Decline), nil, false, true, r.Last && r.Want.Do == record.Decline
		out = append(out, step{routing: &r, correct: r.Resolved})
	}
	return out
}
