package warehouse

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

func TestScriptDependsOnSeedAndHorizonAlone(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64, horizon int) []event {
		s, err := write(seed, horizon, defaults())
		if err != nil {
			t.Fatal(err)
		}
		return s.events
	}
	if diff := cmp.Diff(draw(7, 50), draw(7, 50), cmp.AllowUnexported(event{})); diff != "" {
		t.Error(diff)
	}
	for _, other := range [][]event{draw(8, 50), draw(7, 51)[:50]} {
		if cmp.Equal(draw(7, 50), other, cmp.AllowUnexported(event{})) {
			t.Error("another seed or horizon gave the same events")
		}
	}
}

func TestKindsAreDrawnByWeight(t *testing.T) {
	t.Parallel()
	o := defaults()
	o.WarmStart = 250
	o.Weights = Weights{Receive: 3, Order: 3, Maintenance: 6}
	s, err := write(1, 12000, o)
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, e := range s.events {
		count[e.kind]++
	}
	// Three standard deviations of a binomial are 142 and 164.
	if n := count[kindReceive]; n < 2850 || n > 3150 {
		t.Errorf("%d arrivals of 12000, want about 3000", n)
	}
	if n := count[kindMaintenance]; n < 5830 || n > 6170 {
		t.Errorf("%d maintenances of 12000, want about 6000", n)
	}
}

func TestFullWarehouse(t *testing.T) {
	t.Parallel()
	o := defaults()
	o.WarmStart = Shelves - 1
	o.Weights = Weights{Receive: 1000, Order: 1, Maintenance: 1}
	spec := harness.Spec{Horizon: 400, Seed: 3, Options: options(t, *o)}
	full := 0
	for _, s := range play(t, spec, oracle) {
		if !s.out.Correct {
			t.Fatalf("step %d: %s %q: %+v", s.o.Step, s.o.Text, s.action, s.out)
		}
		if s.o.Load == Shelves {
			full++
			if s.o.Kind != kindOrder {
				t.Fatalf("step %d: %s in a full warehouse", s.o.Step, s.o.Kind)
			}
		}
	}
	if full == 0 {
		t.Error("the warehouse was never full")
	}
}

func TestMinAgeIsRespected(t *testing.T) {
	t.Parallel()
	for _, age := range []int{0, 1, 5, 20} {
		o := defaults()
		o.MinAge, o.WarmStart = age, 3
		least := 1 << 30
		for seed := range uint64(10) {
			steps := play(t, harness.Spec{Horizon: 150, Seed: seed, Options: options(t, *o)}, oracle)
			for _, s := range steps {
				if (s.o.Age == nil) != (s.o.Kind == kindReceive) {
					t.Fatalf("step %d: %s has age %v", s.o.Step, s.o.Kind, s.o.Age)
				}
				if s.o.Age != nil {
					least = min(least, *s.o.Age)
				}
			}
		}
		if least != age {
			t.Errorf("min_age %d: the youngest fact asked for is %d steps old", age, least)
		}
	}
}

// TestAgeIsReadOffTheTranscript recomputes ages from the text alone.
func TestAgeIsReadOffTheTranscript(t *testing.T) {
	t.Parallel()
	o := defaults()
	o.WarmStart = 5
	shown := map[string]int{}
	for _, s := range play(t, harness.Spec{Horizon: 200, Seed: 11, Options: options(t, *o)}, oracle) {
		first, _, _ := strings.Cut(s.o.Text, "\n")
		if !strings.HasPrefix(first, "Success: shipped") && strings.Contains(first, " shelf_") {
			for _, word := range strings.Fields(first) {
				if isItem(word) {
					shown[word] = s.o.Step
				}
			}
		}
		if s.o.Age != nil && *s.o.Age != s.o.Step-shown[s.o.Item] {
			t.Errorf("step %d: age of %s is %d, last shown at %d", s.o.Step, s.o.Item, *s.o.Age, shown[s.o.Item])
		}
	}
}

func TestItemsAreNamedInOrderOfArrival(t *testing.T) {
	t.Parallel()
	o := defaults()
	o.WarmStart = 4
	steps := play(t, harness.Spec{Horizon: 60, Seed: 2, Options: options(t, *o)}, oracle)
	if want := "Stock: item_1 on shelf_0, item_2 on shelf_1, item_3 on shelf_2, item_4 on shelf_3.\n"; !strings.HasPrefix(steps[0].o.Text, want) {
		t.Errorf("O_0 is %q, want it to open with %q", steps[0].o.Text, want)
	}
	next := 5
	for _, s := range steps {
		if s.o.Kind == kindReceive {
			if s.o.Item != itemName(next) {
				t.Errorf("step %d: %s arrived, want %s", s.o.Step, s.o.Item, itemName(next))
			}
			next++
		}
	}
}

func TestMissesCascade(t *testing.T) {
	t.Parallel()
	spec := harness.Spec{Horizon: 80, Seed: 5}
	for _, s := range play(t, spec, func(record.Observation, state.Object) string { return "Wait" }) {
		if s.o.Impossible == (s.o.Kind == kindReceive) {
			t.Errorf("step %d: %s: impossible is %v", s.o.Step, s.o.Kind, s.o.Impossible)
		}
		if s.o.Load != 0 || s.out.Correct {
			t.Errorf("step %d: load %d, %+v", s.o.Step, s.o.Load, s.out)
		}
	}
}

func TestRefusedSpecs(t *testing.T) {
	t.Parallel()
	for want, spec := range map[string]harness.Spec{
		"horizon: want a positive integer, got 0":                      {},
		"noise: want 0 or more lines, got -1":                          {Horizon: 1, Noise: -1},
		`placement: want lowest_empty or any_empty, got "x"`:           {Horizon: 1, Options: json.RawMessage(`{"placement":"x"}`)},
		"warm_start: want 0 to 499 items, got 500":                     {Horizon: 1, Options: json.RawMessage(`{"warm_start":500}`)},
		"min_age: want 0 or more steps, got -1":                        {Horizon: 1, Options: json.RawMessage(`{"min_age":-1}`)},
		"weights.order: want 1 to 1000, got 0":                         {Horizon: 1, Options: json.RawMessage(`{"weights":{"order":0}}`)},
		`options: json: unknown field "shelves"`:                       {Horizon: 1, Options: json.RawMessage(`{"shelves":5}`)},
		"options: want one JSON object, got more text after it":        {Horizon: 1, Options: json.RawMessage(`{} {}`)},
		"min_age: step 1 has no possible event: the warehouse is full": {Horizon: 9, Options: json.RawMessage(`{"warm_start":499,"min_age":90}`)},
		"drift: want one of [secret_move":                              {Horizon: 50, Drift: "quake"},
		"drift: want a horizon of at least 15":                         {Horizon: 14, Drift: secretMove, Lag: 1, Patience: 15},
		"lag: want 0 or more steps, got -1":                            {Horizon: 50, Drift: secretMove, Lag: -1, Patience: 1},
		"patience: want 1 or more announcements, got 0":                {Horizon: 50, Drift: secretMove, Lag: 1},
		"drift: want at most 420 items stored at once":                 {Horizon: 50, Drift: secretAudit, Lag: 1, Patience: 15, Options: json.RawMessage(`{"warm_start":450}`)},
		"drift: want a script with room for 5 of canceled_order":       {Horizon: 50, Drift: canceledOrder, Lag: 1, Patience: 15, Options: json.RawMessage(`{"min_age":60}`)},
	} {
		if _, err := begin(spec); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}
