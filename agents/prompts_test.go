package agents_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

var update = flag.Bool("update", false, "write golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (run with -update and read the change): %s", path, d)
	}
}

// resolve plans an experiment with some agents on one task.
func resolve(task, agentList string, more ...string) (*harness.Plan, error) {
	k := harness.Kit{Tasks: []harness.Task{warehouse.Task(), repo.Task()}, Strategies: agents.List(), Files: configs.FS}
	text := "name: x\ntasks: [" + task + "]\nmodels: [sim:perfect]\nhorizons: 8\nseeds: [3]\nagents: [" + agentList + "]\n" + strings.Join(more, "\n")
	x, node, err := harness.ParseExperiment("x.yaml", []byte(text), nil)
	if err != nil {
		return nil, err
	}
	return k.Plan(x, node)
}

// refusing answers as the inner model, but spoils the first attempt at step 3.
type refusing struct {
	inner    model.Model
	requests *[]model.Request
}

func (m refusing) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	*m.requests = append(*m.requests, r)
	reply, err := m.inner.Generate(ctx, r)
	if r.Step == 3 && r.Purpose == record.ForStep {
		reply.Text = strings.ReplaceAll(reply.Text, "item_", "crate_")
	}
	return reply, err
}

// asked plays the plan's first cell and returns every request.
func asked(t *testing.T, p *harness.Plan) []model.Request {
	t.Helper()
	var requests []model.Request
	e, err := p.Episode(p.Cells[0], func(m *harness.Model, task harness.Task) (model.Model, error) {
		inner, err := m.Open(task)
		return refusing{inner, &requests}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	finish(t, e)
	return requests
}

func finish(t *testing.T, e *harness.Episode) {
	t.Helper()
	log, err := journal.OpenLog(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if end, err := e.Run(context.Background(), log); err != nil || end.Status != record.Done {
		t.Fatalf("%+v, %v", end, err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
}

// shipped are the strategies that show something of the past, or Σ, both memory
// modes included.
var shipped = map[string]string{
	"react":          "react",
	"memory":         "memory",
	"memory-append":  "{base: memory, name: memory-append, memory: append}",
	"stateful":       "stateful",
	"skillstate":     "skillstate",
	"truncated":      "truncated",
	"summary_capped": "summary_capped",
	"llmlingua":      "llmlingua",
	"masked":         "{base: masked, keep: 2}",
	"compacted":      "{base: compacted, compact: 500}",
}

func TestPromptsAreAsTheyAreWritten(t *testing.T) {
	t.Parallel()
	for name, entry := range shipped {
		p, err := resolve("warehouse", entry)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, r := range asked(t, p) {
			if r.Step == 0 || r.Step == 3 || r.Step == 7 || r.Purpose == record.ForSummary {
				fmt.Fprintf(&b, "======== %s, step %d, attempt %d\n%s", r.Purpose, r.Step, r.Attempt, r.Prompt.Text())
			}
		}
		golden(t, name+".txt", b.String())
	}
}

// informing answers as the inner model, and what asks for scores by n-grams.
type informing struct{ inner model.Model }

func (m informing) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	if r.Form == model.Scores {
		return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Finish: record.Stop}, nil
	}
	return m.inner.Generate(ctx, r)
}

// TestWhatAnInformerReads: a text to try it with, then each turn behind the one
// before it; and what is left of the history then.
func TestWhatAnInformerReads(t *testing.T) {
	t.Parallel()
	p := mustResolve(t, "{base: llmlingua, budget: {chars: 1100}}")
	var requests []model.Request
	e, err := p.Episode(p.Cells[0], func(m *harness.Model, task harness.Task) (model.Model, error) {
		inner, err := m.Open(task)
		return refusing{informing{inner}, &requests}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	e.Settings.Informer = "an endpoint"
	finish(t, e)
	var b strings.Builder
	for _, r := range requests {
		if r.Step == 0 || r.Step == 3 || r.Step == 4 {
			before, text := r.Prompt.Text(), ""
			if r.Form == model.Scores {
				before, text = model.Judged(r.Prompt)
				text = "-------- judged\n" + text
			}
			fmt.Fprintf(&b, "======== %s, step %d, attempt %d\n%s%s", r.Purpose, r.Step, r.Attempt, before, text)
		}
	}
	golden(t, "llmlingua-informer.txt", b.String())
}

// TestInstructionsAreTheSameForAll holds also that they lead every prompt, that
// the contract ends it, and that both fit the paper's prompts.
func TestInstructionsAreTheSameForAll(t *testing.T) {
	t.Parallel()
	for _, task := range []string{"warehouse", "{task: warehouse, options: {placement: any_empty}}", "repo"} {
		var instructions string
		for name, entry := range shipped {
			p, err := resolve(task, entry)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range asked(t, p) {
				is, contract, text := r.Prompt.Only(prompt.Instructions), r.Prompt.Only(prompt.Contract), r.Prompt.Text()
				if instructions == "" {
					instructions = is
				}
				if is != instructions || !strings.HasPrefix(text, is) || !strings.HasSuffix(text, contract) {
					t.Errorf("%s on %s: step %d: instructions %q", name, task, r.Step, is)
				}
				if n := utf8.RuneCountInString(is + contract); n > 1200 {
					t.Errorf("%s on %s: instructions and contract have %d characters, want at most 1200", name, task, n)
					break
				}
			}
		}
	}
}

// kinds lists the sections of a prompt that are not empty, in order.
func kinds(p prompt.Prompt) string {
	var list []string
	for s := range p.Segments() {
		if n := len(list); n == 0 || list[n-1] != string(s.Kind) {
			list = append(list, string(s.Kind))
		}
	}
	return strings.Join(list, " ")
}

// TestTheLadderNeedsKeysAlone holds the ablations to what they change.
func TestTheLadderNeedsKeysAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, kinds, contract, not string }{
		{"react", "instructions history observation contract", "Action: <command>", "state"},
		{"memory", "instructions summary history observation contract", "Action: <command>", "state"},
		{"stateful", "instructions state history observation contract", "Merge: shallow.", "state_patch"},
		{"skillstate", "instructions state observation contract", "Merge: deep.", "StateUpdate"},
		{"{base: stateful, name: a, merge: deep, validate: true}", "instructions state history observation contract", "Merge: deep.", "state_patch"},
		{"{base: skillstate, name: b, order: [instructions, state, history, observation]}", "instructions state history observation contract", "Merge: deep.", "StateUpdate"},
		{"{base: skillstate, name: c, merge: shallow}", "instructions state observation contract", "Merge: shallow.", "Merge: deep"},
		{"{base: skillstate, name: d, told: false}", "instructions state observation contract", "state_patch", "Merge:"},
		{"{base: skillstate, name: e, order: [observation, instructions, state]}", "observation instructions state contract", "Merge: deep.", "StateUpdate"},
		{"{base: skillstate, name: f, wire: tool}", "instructions state observation contract", "propose_transition", "```"},
	} {
		p, err := resolve("warehouse", c.entry)
		if err != nil {
			t.Fatal(err)
		}
		requests := asked(t, p)
		last := requests[len(requests)-1].Prompt
		if got := kinds(last); got != c.kinds {
			t.Errorf("%s: %s, want %s", c.entry, got, c.kinds)
		}
		if contract := last.Only(prompt.Contract); !strings.Contains(contract, c.contract) || strings.Contains(contract, c.not) {
			t.Errorf("%s: contract %q, want %q and not %q in it", c.entry, contract, c.contract, c.not)
		}
	}
}

// TestRetryAndValidateAreKeys counts attempts at the one spoiled reply.
func TestRetryAndValidateAreKeys(t *testing.T) {
	t.Parallel()
	bad := canned(`{"state_patch": {"colour": "red"}, "action": "Wait"}`)
	for entry, calls := range map[string]int{
		"skillstate":                                        8 * 3,
		"{base: skillstate, retry: 0}":                      8,
		"{base: skillstate, retry: 1}":                      8 * 2,
		"{base: skillstate, validate: false}":               8,
		"{base: skillstate, state_max_chars: 1}":            8 * 3,
		"{base: skillstate, merge: replace, retry: 0}":      8,
		"{base: react, order: [instructions, observation]}": 8 * 3, // no action line
	} {
		p, err := resolve("warehouse", entry)
		if err != nil {
			t.Fatal(err)
		}
		made := 0
		e, err := p.Episode(p.Cells[0], func(*harness.Model, harness.Task) (model.Model, error) {
			return counting{bad, &made}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		finish(t, e)
		if made != calls {
			t.Errorf("%s: %d calls, want %d", entry, made, calls)
		}
	}
}

type canned string

func (a canned) Generate(context.Context, model.Request) (record.Reply, error) {
	return record.Reply{Text: string(a), Finish: record.Stop}, nil
}

type counting struct {
	model.Model
	made *int
}

func (c counting) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	*c.made++
	return c.Model.Generate(ctx, r)
}

func TestWordsAreReplacedByAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"contract.action.txt": "End with Action: and a command.", "feedback.txt": "{{range .Violations}}Mind {{.Hint}}{{end}}\n\n\n", "summary.rewrite.txt": "Sum up.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := resolve("warehouse", "memory", fmt.Sprintf("templates: %q", dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range asked(t, p) {
		want := prompt.LabelContract + "End with Action: and a command.\n"
		if r.Purpose == record.ForSummary {
			want = prompt.LabelContract + "Sum up.\n"
		}
		if got := r.Prompt.Only(prompt.Contract); got != want {
			t.Errorf("%s %d: contract %q, want %q", r.Purpose, r.Step, got, want)
		}
		if got := r.Prompt.Only(prompt.Feedback); (r.Attempt > 0) != strings.HasPrefix(got, prompt.LabelFeedback+"Mind ") || strings.HasSuffix(got, "\n\n") {
			t.Errorf("%s %d: feedback %q", r.Purpose, r.Step, got)
		}
	}
}
