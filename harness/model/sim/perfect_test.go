package sim_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/tasks/warehouse"
)

func perfect(verbosity map[string]int) *sim.Model {
	return sim.New(sim.Config{Mechanism: sim.Perfect, Verbosity: verbosity}, warehouse.Task().Language)
}

// blinded does not see some kinds of a prompt.
type blinded struct {
	inner  model.Model
	hidden []prompt.Kind
}

func (b blinded) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	var left []prompt.Segment
	for s := range r.Prompt.Segments() {
		hide := false
		for _, k := range b.hidden {
			hide = hide || s.Kind == k
		}
		if !hide {
			left = append(left, s)
		}
	}
	r.Prompt = prompt.Prompt{left}
	return b.inner.Generate(ctx, r)
}

// play runs an agent for 60 steps and returns its actions, its prompts and its
// score. No step asks for a fact of the last five, which any context would hold.
func play(t *testing.T, agent string, m model.Model) (actions []string, requests []model.Request, score float64) {
	t.Helper()
	k := harness.Kit{Tasks: []harness.Task{warehouse.Task()}, Strategies: agents.List(), Files: configs.FS}
	x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\ntasks: [{task: warehouse, options: {min_age: 6, warm_start: 8}}]\nmodels: [sim:perfect]\nhorizons: 60\nseeds: [5]\nagents: ["+agent+"]\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := k.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Episode(p.Cells[0], func(*harness.Model, harness.Task) (model.Model, error) { return hearing{m, &requests}, nil })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if end, err := e.Run(context.Background(), log); err != nil || end.Status != record.Done {
		t.Fatal(end, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	err = r.Each(func(e journal.Event) error {
		if e.Act != nil {
			actions = append(actions, e.Act.Action)
			if e.Act.Outcome.Correct {
				score += 1.0 / 60
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return actions, requests, score
}

type hearing struct {
	model.Model
	requests *[]model.Request
}

func (h hearing) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	*h.requests = append(*h.requests, r)
	return h.Model.Generate(ctx, r)
}

func TestPerfectNeedsWhatTheContextHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		agent   string
		hidden  []prompt.Kind
		perfect bool
	}{
		{"react", nil, true},
		{"react", []prompt.Kind{prompt.History}, false},
		{"memory", nil, true},
		{"memory", []prompt.Kind{prompt.Summary}, false},
		{"memory", []prompt.Kind{prompt.History}, false},
		{"{base: memory, memory: append}", nil, true},
		{"{base: memory, memory: append}", []prompt.Kind{prompt.Summary}, false},
		{"stateful", nil, true},
		{"stateful", []prompt.Kind{prompt.State}, true}, // the history holds the same
		{"stateful", []prompt.Kind{prompt.State, prompt.History}, false},
		{"skillstate", nil, true},
		{"skillstate", []prompt.Kind{prompt.State}, false},
		{"{base: skillstate, merge: shallow}", nil, true},
		{"{base: skillstate, merge: replace}", nil, true},
		{"{base: skillstate, wire: tool}", nil, true},
		{"{base: skillstate, wire: json_schema}", nil, true},
		{"skillstate", []prompt.Kind{prompt.Observation}, false},
	} {
		_, _, score := play(t, c.agent, blinded{perfect(nil), c.hidden})
		if whole := score > 0.9999; whole != c.perfect || !c.perfect && score > 0.9 {
			t.Errorf("%s without %v: score %.2f", c.agent, c.hidden, score)
		}
	}
}

func TestOnlyTheTextOfAPromptIsRead(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"react", "memory", "stateful", "skillstate"} {
		_, requests, _ := play(t, agent, perfect(nil))
		m := perfect(nil)
		for i, r := range requests {
			want, err := m.Generate(context.Background(), r)
			if err != nil {
				t.Fatal(err)
			}
			other := model.Request{
				Prompt: prompt.Prompt{{prompt.Label(prompt.Feedback, r.Prompt.Text())}}, Wire: r.Wire,
				Form: "poem", Schema: []byte("{}"), Cell: "c", Agent: "a", Purpose: "p", Step: 900, Attempt: 9, Seed: 77, Repeat: 5,
			}
			got, err := perfect(nil).Generate(context.Background(), other)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Fatalf("%s, call %d: the reply depends on more than the text: %s", agent, i, d)
			}
		}
	}
}

func TestFormsAreFoundInTheContract(t *testing.T) {
	t.Parallel()
	const before = prompt.LabelState + `{"inventory":{}}` + "\n" + prompt.LabelLatest + "Received item_3.\n" + prompt.LabelContract
	for contract, want := range map[string]string{
		"One line.\nAction: <command>\n":                                            "Action: Store item_3 shelf_0",
		"StateUpdate: {…}\nthen Action: <command>\n":                                `StateUpdate: {"inventory":{"shelf_0":"item_3"}}`,
		"An object with state_patch and action.\nMerge: deep. Anything.\n":          `{"state_patch":{"inventory":{"shelf_0":"item_3"}},"action":"Store item_3 shelf_0"}`,
		"Wholly other words around state_patch, and as to action:\nMerge: replace.": `{"state_patch":{"inventory":{"shelf_0":"item_3"}},"action":"Store item_3 shelf_0"}`,
	} {
		reply := perfect(nil).Reply(before+contract, model.Fenced, 0)
		if !strings.Contains(reply.Text, want) {
			t.Errorf("%q: got %q, want %q in it", contract, reply.Text, want)
		}
	}
	if reply := perfect(nil).Reply(before+"Sum up.\n", model.Fenced, 0); strings.Contains(reply.Text, "Action") || strings.Contains(reply.Text, "{") {
		t.Errorf("a summary is %q", reply.Text)
	}
}

func TestVerbositySetsLengthAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, agent := range []string{"react", "memory", "stateful", "skillstate"} {
		terse, requests, _ := play(t, agent, perfect(nil))
		for _, size := range []int{300, 2000} {
			m := perfect(map[string]int{agent: size, "other": 1})
			verbose, _, score := play(t, agent, m)
			if d := cmp.Diff(terse, verbose); d != "" || score < 0.9999 {
				t.Errorf("%s with %d characters: score %.2f, other actions: %s", agent, size, score, d)
			}
			for _, r := range requests {
				if r.Purpose == record.ForSummary {
					continue
				}
				short, _ := perfect(nil).Generate(context.Background(), r)
				long, _ := m.Generate(context.Background(), r)
				want, got := move(r, short), move(r, long)
				if want.Action != got.Action || text(want.Patch) != text(got.Patch) {
					t.Fatalf("%s: step %d: %+v became %+v", agent, r.Step, want, got)
				}
				if n := utf8.RuneCountInString(long.Text); n < max(size-30, len(short.Text)) || n > max(size, len(short.Text))+30 {
					t.Errorf("%s: step %d: %d characters, want about %d", agent, r.Step, n, size)
				}
			}
		}
	}
}

func move(r model.Request, reply record.Reply) record.Move {
	m, _ := transition.Parse(r.Form, r.Wire, transition.Strict, reply)
	return m
}

func text(o *state.Object) string {
	if o == nil {
		return "none"
	}
	return o.Compact()
}

func TestHostilePromptsAreAnswered(t *testing.T) {
	t.Parallel()
	pieces := []string{
		prompt.LabelInstructions, prompt.LabelState, prompt.LabelSkillState, prompt.LabelSummary, prompt.LabelHistory, prompt.LabelRecent, prompt.LabelLedger,
		prompt.LabelLatest, prompt.LabelFeedback, prompt.LabelContract, prompt.LabelObservation, prompt.LabelReply,
		"{", "}", `{"inventory":{"shelf_1":"item_1"}}`, `{"inventory":[1,null]}`, `{"inventory":null}`, "}{", "Merge: replace", "Merge: shallow", "Merge: ", "state_patch", "StateUpdate:", "Action: ", "Action: Ship item_1 shelf_1\n",
		"Customer ordered item_1.\n", "Received item_99999999999999999999.\n", "Success: stored item_1 on shelf_1.\n", "Error: item_1 is not on shelf_1.\n", "Maintenance", "\n", "\r\n", "\x00", "\xff", "\u2028", "<think>",
	}
	rapid.Check(t, func(rt *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 30).Draw(rt, "pieces") {
			if rapid.IntRange(0, 5).Draw(rt, "free") == 0 {
				b.WriteString(rapid.String().Draw(rt, "text"))
			} else {
				b.WriteString(rapid.SampledFrom(pieces).Draw(rt, "piece"))
			}
		}
		wire := rapid.SampledFrom([]model.Wire{"", model.Fenced, model.JSONSchema, model.Tool}).Draw(rt, "wire")
		size := rapid.SampledFrom([]int{0, 1, 21, 400}).Draw(rt, "size")
		reply := perfect(nil).Reply(b.String(), wire, size)
		if again := perfect(nil).Reply(b.String(), wire, size); fmt.Sprint(again) != fmt.Sprint(reply) {
			rt.Fatalf("the same text was answered with %v and %v", reply, again)
		}
		if reply.Served != sim.Served || reply.Finish == "" {
			rt.Fatalf("%+v does not say that it is simulated, or how it ended", reply)
		}
	})
}
