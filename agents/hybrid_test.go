package agents_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/record"
)

// envelopes is a model that recalls before every third action.
type envelopes struct{ query string }

func (m envelopes) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	action := "Wait"
	if m.query != "" && r.Step%3 == 1 {
		action = "Recall " + m.query
	}
	return record.Reply{Text: "```json\n{\"state_patch\": {}, \"action\": \"" + action + "\"}\n```", Finish: record.Stop}, nil
}

func TestRecallIsFreeAndLeavesTheEventsAlone(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"warehouse", "repo"} {
		base := func(acts []record.Act) (list []string) {
			for _, a := range acts {
				if !a.Outcome.Free {
					list = append(list, fmt.Sprint(a.Observation.Kind, a.Observation.Item, a.Action, a.Outcome.Correct, a.Outcome.Result))
				}
			}
			return list
		}
		_, plain, _ := governed(t, "hybrid", task, envelopes{})
		dir, acts, observed := governed(t, "hybrid", task, envelopes{"Wait"})
		if d := cmp.Diff(base(plain), base(acts)); d != "" {
			t.Errorf("%s: recalls changed the base events: %s", task, d)
		}
		recalls := 0
		for n, a := range acts {
			if a.Observation.Step != n {
				t.Errorf("%s: step %d calls itself %d", task, n, a.Observation.Step)
			}
			if a.Verdict == nil {
				continue
			}
			recalls++
			if a.Verdict.Ruling != record.Recall || !a.Outcome.Free || a.Verdict.Skipped != nil {
				t.Errorf("%s: step %d: %+v, %+v", task, n, a.Verdict, a.Outcome)
			}
			if !strings.Contains(observed[n+1], ") Action: Wait\n") {
				t.Errorf("%s: step %d: the answer does not show what was done: %q", task, n, observed[n+1])
			}
		}
		if recalls < 3 {
			t.Errorf("%s: %d recalls", task, recalls)
		}
		again(t, dir, "hybrid", task, envelopes{"Wait"})
	}
}

// alwaysRecalls does so at every step.
type alwaysRecalls struct{}

func (alwaysRecalls) Generate(context.Context, model.Request) (record.Reply, error) {
	return record.Reply{Text: "```json\n{\"state_patch\": {}, \"action\": \"Recall item\"}\n```", Finish: record.Stop}, nil
}

func TestRecallingForEverEnds(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"warehouse", "repo"} {
		_, acts, _ := governed(t, "hybrid", task, alwaysRecalls{})
		missed := 0
		for _, a := range acts {
			if !a.Outcome.Free {
				missed++
				if a.Outcome.Valid || a.Outcome.Correct {
					t.Errorf("%s: an event that has waited too often was answered: %+v", task, a)
				}
			}
		}
		if missed != 8 {
			t.Errorf("%s: %d base events, want 8", task, missed)
		}
	}
}

func hybrid(t *testing.T) harness.Commander {
	t.Helper()
	p := mustResolve(t, "hybrid")
	c := p.Columns[0]
	a, err := agents.Hybrid().New(harness.Setup{Skill: p.Variants[0].Skill, Settings: c.Settings, Templates: p.Templates, Encoding: p.Encoding})
	if err != nil {
		t.Fatal(err)
	}
	return a.(harness.Commander)
}

func TestRecallGrammar(t *testing.T) {
	t.Parallel()
	h := hybrid(t)
	for action, want := range map[string]struct{ own, ok bool }{
		"Recall item_5":                       {true, true},
		"Recall item_5 shelf":                 {true, true},
		"Recall":                              {true, false},
		"Recall  ":                            {true, false},
		"Recall " + strings.Repeat("x", 1000): {true, false},
		"Recalled item_5":                     {false, true},
		"Ship item_5 shelf_1":                 {false, true},
	} {
		if own, err := h.Command(action); own != want.own || (err == nil) != want.ok {
			t.Errorf("%.20q: got %t, %v", action, own, err)
		}
	}
}

func TestRecallIsBoundedAndFindsTheNewestWholeWords(t *testing.T) {
	t.Parallel()
	h := hybrid(t)
	var past []record.Turn
	for n := range 50 {
		past = append(past, record.Turn{Step: n, Action: "Wait", Observation: fmt.Sprintf("Success: stored item_5 on shelf_%d.\nReceived item_55.\n%s\n", n, strings.Repeat("item_7 ", 100))})
	}
	v := h.Govern(harness.View{Step: 50, Past: past}, "Recall ITEM_5 stored")
	want := "Recalled: (step 44) Success: stored item_5 on shelf_44.\n"
	if lines := strings.Count(v.Text, "\n") + 1; lines != 6 || !strings.HasPrefix(v.Text, want) {
		t.Errorf("%d lines: %s", lines, v.Text)
	}
	if v := h.Govern(harness.View{Step: 50, Past: past}, "Recall item_7"); len(v.Text) > 900 {
		t.Errorf("an answer of %d bytes", len(v.Text))
	}
	for _, nothing := range []string{"Recall item_6", "Recall ..."} {
		if v := h.Govern(harness.View{Step: 50, Past: past}, nothing); v.Text != "Recalled: nothing." {
			t.Errorf("%s: %q", nothing, v.Text)
		}
	}
}
