package sim_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/tasks/warehouse"
)

// asked is one step of the warehouse as skillstate shows it.
func asked(t *testing.T, r model.Request) model.Request {
	t.Helper()
	schema, err := os.ReadFile("../../../configs/skills/warehouse/state.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	text := prompt.LabelInstructions + "Run it.\n" +
		prompt.LabelSkillState + "```json\n{\"inventory\":{\"shelf_0\":\"item_1\",\"shelf_1\":\"item_2\",\"shelf_3\":\"item_4\"}}\n```\n" +
		prompt.LabelLatest + "Maintenance due on shelf_1.\n" +
		prompt.LabelContract + "Give state_patch and action.\nMerge: deep.\n"
	r.Prompt = prompt.Prompt{{prompt.Of(prompt.Observation, 0, text)}}
	r.Form, r.Schema = model.Envelope, schema
	return r
}

func clumsy(c sim.Config) *sim.Model {
	c.Mechanism = sim.Clumsy
	return sim.New(c, warehouse.Task().Language)
}

func answer(t *testing.T, m *sim.Model, r model.Request) record.Reply {
	t.Helper()
	reply, err := m.Generate(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func TestClumsyMakesEveryClassAndLabelsItBesideTheReply(t *testing.T) {
	t.Parallel()
	right := answer(t, sim.New(sim.Config{Mechanism: sim.Perfect}, warehouse.Task().Language), asked(t, model.Request{}))
	if move, found := transition.Parse(model.Envelope, "", "", right); found != nil || move.Action != "Move item_2 shelf_1 shelf_2" {
		t.Fatalf("the right reply is %+v, %v", move, found)
	}
	for _, wire := range []model.Wire{model.Fenced, model.JSONSchema, model.Tool} {
		for _, class := range sim.Faults() {
			m := clumsy(sim.Config{Rates: map[string]float64{class: 1}})
			for step := range 20 {
				r := asked(t, model.Request{Cell: "c", Step: step, Wire: wire})
				reply := answer(t, m, r)
				if reply.Notes[sim.Injected] != class {
					t.Fatalf("%s, %s, step %d: labelled %q", wire, class, step, reply.Notes[sim.Injected])
				}
				whole := reply.Text + reply.Thinking
				for _, c := range reply.Calls {
					whole += c.Name + c.Arguments
				}
				if strings.Contains(whole, sim.Injected) || class != "action_grammar" && strings.Contains(whole, class) {
					t.Errorf("%s, %s: the label is in the reply: %s", wire, class, whole)
				}
				if diff := cmp.Diff(reply, answer(t, m, r)); diff != "" {
					t.Errorf("%s, %s: the same request is answered in two ways:\n%s", wire, class, diff)
				}
				refusedBy(t, wire, class, reply)
			}
		}
	}
}

// refusedBy checks the classes that the reply alone shows.
func refusedBy(t *testing.T, wire model.Wire, class string, reply record.Reply) {
	t.Helper()
	move, found := transition.Parse(model.Envelope, wire, transition.Strict, reply)
	if found == nil {
		if err := warehouse.Grammar(move.Action); err != nil {
			found = []state.Violation{{Class: transition.ActionGrammar}}
		}
	}
	got := ""
	if len(found) > 0 {
		got = found[0].Class
	}
	want := class
	switch class {
	case "schema_unknown_key", "schema_type", "schema_value", "unearned", "premature_delete", "overwrite", "duplicate", "missed_update", "fabricated":
		want = ""
	}
	if got != want {
		t.Errorf("%s, %s: read as %q: %s %v", wire, class, got, reply.Text, reply.Calls)
	}
}

func TestClumsyMendsItselfWhenAskedAgain(t *testing.T) {
	t.Parallel()
	rates := map[string]float64{"json_syntax": 1}
	for attempt := range 3 {
		r := asked(t, model.Request{Attempt: attempt})
		if got := answer(t, clumsy(sim.Config{Rates: rates}), r).Notes[sim.Injected]; (got == "") != (attempt > 0) {
			t.Errorf("attempt %d: %q", attempt, got)
		}
		if got := answer(t, clumsy(sim.Config{Rates: rates, OnRetry: true}), r).Notes[sim.Injected]; got == "" {
			t.Errorf("attempt %d with on_retry: no fault", attempt)
		}
	}
	told := asked(t, model.Request{})
	told.Prompt = append(told.Prompt[:1:1], []prompt.Segment{prompt.Of(prompt.Feedback, 0, prompt.LabelFeedback+"Mend this.\n")})
	if got := answer(t, clumsy(sim.Config{Rates: map[string]float64{"empty": 1}}), told).Notes[sim.Injected]; got != "" {
		t.Errorf("asked again through an endpoint, which tells no attempt: %q", got)
	}
}

func TestClumsyOnceErrsAtOneStepOfACell(t *testing.T) {
	t.Parallel()
	m := clumsy(sim.Config{Once: true, Rates: map[string]float64{"empty": 0.01, "overwrite": 0.01}})
	classes := map[string]int{}
	for _, cell := range strings.Fields("a b c d e f g h i j k l m n o p q r s t") {
		n := 0
		for step := range 60 {
			if class := answer(t, m, asked(t, model.Request{Cell: cell, Step: step})).Notes[sim.Injected]; class != "" {
				n++
				classes[class]++
			}
		}
		if n != 1 {
			t.Errorf("cell %s: %d faults, want 1", cell, n)
		}
	}
	if len(classes) != 2 {
		t.Errorf("classes %v, want both", classes)
	}
}

func TestClumsyConfig(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		config sim.Config
		want   string
	}{
		{sim.Config{Mechanism: sim.Clumsy}, ""},
		{sim.Config{Mechanism: sim.Clumsy, Rates: map[string]float64{"overwrite": 0.5, "empty": 0.5}}, ""},
		{sim.Config{Mechanism: sim.Clumsy, Rates: map[string]float64{"none": 0.5}}, "rates: want classes out of"},
		{sim.Config{Mechanism: sim.Clumsy, Rates: map[string]float64{"empty": -1}}, "rates.empty: want 0 to 1, got -1"},
		{sim.Config{Mechanism: sim.Clumsy, Rates: map[string]float64{"empty": 0.6, "overwrite": 0.6}}, "rates: want a sum of 1 at most, got 1.2"},
		{sim.Config{Mechanism: sim.Perfect, Once: true}, "rates, once, on_retry: they are keys of sim: clumsy"},
	} {
		err := c.config.Check()
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.config, err, c.want)
		}
	}
}
