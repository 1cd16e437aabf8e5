package routing

import (
	"context"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/transition"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// shop is a small suite that stays as it is, with a change to its options.
func shop(horizon int, seed uint64, change func(*Options)) harness.Spec {
	o := defaults()
	o.Suite = "testdata/shop.yaml"
	if change != nil {
		change(&o)
	}
	return spec(horizon, seed, o)
}

func spec(horizon int, seed uint64, o Options) harness.Spec {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // options are plain values
	}
	return harness.Spec{Horizon: horizon, Seed: seed, Options: data}
}

func start(t testing.TB, s harness.Spec) *world {
	t.Helper()
	w, err := begin(s)
	if err != nil {
		t.Fatal(err)
	}
	return w.(*world)
}

// A step is one finished step.
type step struct {
	o      record.Observation
	action string
	out    record.Outcome
}

// play plays an episode to its end.
func play(t testing.TB, w *world, act func(record.Observation) string) []step {
	t.Helper()
	var steps []step
	for {
		o, ok := w.Observe()
		if !ok {
			return steps
		}
		action := act(o)
		steps = append(steps, step{o, action, w.Act(action)})
	}
}

// at brings a world to the first step of a case.
func at(t testing.TB, w *world, id string) record.Observation {
	t.Helper()
	for {
		o, ok := w.Observe()
		if !ok {
			t.Fatalf("no case %s", id)
		}
		if o.Item == id {
			return o
		}
		w.Act(o.Oracle)
	}
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: %s", file, diff)
	}
}

// keyword plays a world with sim:keyword, whose prompts have the catalogue and the
// latest observation, and nothing of the past.
func keyword(t testing.TB, w *world, bias float64) []step {
	m := sim.New(sim.Config{Mechanism: sim.Keyword, Strength: &bias}, language{})
	catalogue := prompt.Label(prompt.Catalogue, w.Catalogue())
	return play(t, w, func(o record.Observation) string {
		p := prompt.Prompt{
			{prompt.Label(prompt.Catalogue, prompt.LabelCatalogue), catalogue},
			{prompt.Label(prompt.Observation, prompt.LabelLatest), prompt.Of(prompt.Observation, o.Step, o.Text)},
			{prompt.Label(prompt.Contract, prompt.LabelContract), prompt.Label(prompt.Contract, "Action: <command>\n")},
		}
		reply, err := m.Generate(context.Background(), model.Request{Prompt: p})
		if err != nil {
			t.Fatal(err)
		}
		move, found := transition.Parse(model.ActionLine, model.Fenced, transition.Strict, reply)
		if len(found) > 0 {
			t.Fatalf("%q is refused: %v", reply.Text, found)
		}
		return move.Action
	})
}

// firsts counts first decisions at messages, and those that are right.
func firsts(steps []step) (right, all int) {
	for _, s := range steps {
		r := s.out.Routing
		if r.Attempt > 0 || !r.Got.Do.Decides() {
			continue
		}
		all++
		if r.Got == r.Want && len(r.Faults) == 0 {
			right++
		}
	}
	return right, all
}
