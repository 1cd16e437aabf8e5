package sim_test

import (
	"encoding/json"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

const (
	actionContract = "## Reply\nEnd with one line.\nAction: <command>\n"
	recallContract = "## Reply\nGive state_patch and action.\nThe command Recall <query> is free.\n"
)

func TestLackTellsAbsentFromUnreadable(t *testing.T) {
	t.Parallel()
	const ask = "## Latest Observation\nCustomer ordered item_5.\n" + actionContract
	for name, test := range map[string]struct {
		history    string
		unreadable string
	}{
		"nothing":           {"", ""},
		"another item":      {"Success stored item_55 shelf_3\n", ""},
		"a readable event":  {"Received item_5.\n", ""},
		"a pruned result":   {"Success stored item_5 shelf_3\n", "true"},
		"joined sentences":  {"Received item_5.Success: stored item_5 on shelf_3.\n", "true"},
		"only in the event": {"Success: shipped item_4 from shelf_1.\n", ""},
	} {
		m := sim.New(sim.Config{Mechanism: sim.Perfect, Guess: sim.Abstain}, warehouse.Task().Language)
		notes := m.Reply("## History\n"+test.history+ask, model.Fenced, 0).Notes
		if notes["lacks"] != "item_5" || notes["unreadable"] != test.unreadable {
			t.Errorf("%s: notes %v, want unreadable %q", name, notes, test.unreadable)
		}
	}
	m := sim.New(sim.Config{Mechanism: sim.Perfect}, warehouse.Task().Language)
	if r := m.Reply("## History\nSuccess: stored item_5 on shelf_3.\n"+ask, model.Fenced, 0); r.Notes != nil {
		t.Errorf("a whole sentence of a pruned history is not read: %+v", r)
	}
}

func TestRecallsWhatItLacksOnce(t *testing.T) {
	t.Parallel()
	m := sim.New(sim.Config{Mechanism: sim.Perfect}, warehouse.Task().Language)
	const state = "## Skill Execution State\n```json\n{\"inventory\":{\"shelf_3\":\"item_5\"}}\n```\n## Latest Observation\n"
	for name, test := range map[string]struct{ observation, action string }{
		"known":             {"Customer ordered item_5.\n", "Ship item_5 shelf_3"},
		"lacking":           {"Customer ordered item_6.\n", "Recall item_6"},
		"answered":          {"Recalled: (step 3) Received item_6.\nRecalled: (step 3) Action: Store item_6 shelf_8\nCustomer ordered item_6.\n", "Ship item_6 shelf_8"},
		"answered by error": {"Recalled: (step 3) Action: Store item_6 shelf_3\nRecalled: (step 4) Error: cannot store item_6 on shelf_3: it holds item_5.\nRecalled: (step 9) Success: moved item_6 from shelf_8 to shelf_9.\nCustomer ordered item_6.\n", "Ship item_6 shelf_9"},
		"in vain":           {"Recalled: nothing.\nCustomer ordered item_6.\n", "Ship item_6 shelf_0"},
	} {
		if got := actionOf(t, m.Reply(state+test.observation+recallContract, model.Fenced, 0)); got != test.action {
			t.Errorf("%s: %s, want %s", name, got, test.action)
		}
	}
}

func TestLooksBeforeItActs(t *testing.T) {
	t.Parallel()
	const before, after = "## Latest Observation\n[webhook] Issue assigned on feature_3: change file_7.go.\n", actionContract
	reads := sim.New(sim.Config{Mechanism: sim.Perfect, Reads: true}, repo.Task().Language)
	for offer, want := range map[string]string{
		"":                                 "Commit feature_3 file_7.go",
		"Free commands left: 5 (Read).\n":  "Read file_7.go",
		"Free commands left: 4 (Read).\n":  "Search revision",
		"Free commands left: 3 (Read).\n":  "Commit feature_3 file_7.go",
		"Free commands left: 0 (Read).\n":  "Commit feature_3 file_7.go",
		"Free commands left: -9 (Read).\n": "Commit feature_3 file_7.go",
	} {
		if got := actionOf(t, reads.Reply(before+offer+after, model.Fenced, 0)); got != want {
			t.Errorf("%q: %s, want %s", offer, got, want)
		}
	}
	plain := sim.New(sim.Config{Mechanism: sim.Perfect}, repo.Task().Language)
	if got := actionOf(t, plain.Reply(before+"Free commands left: 5 (Read).\n"+after, model.Fenced, 0)); got != "Commit feature_3 file_7.go" {
		t.Errorf("without the habit: %s", got)
	}
}

// actionOf is the action of a reply of either form.
func actionOf(t *testing.T, r record.Reply) string {
	t.Helper()
	if _, action, ok := strings.Cut(r.Text, "\nAction: "); ok {
		return strings.TrimSpace(action)
	}
	begin, end := strings.IndexByte(r.Text, '{'), strings.LastIndexByte(r.Text, '}')
	var envelope struct{ Action string }
	if begin < 0 || json.Unmarshal([]byte(r.Text[begin:end+1]), &envelope) != nil {
		t.Fatalf("no action in %q", r.Text)
	}
	return envelope.Action
}
