package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/repo"
)

var ledgerPlan = sync.OnceValue(func() *harness.Plan {
	p, err := resolve("repo", "ledger")
	if err != nil {
		panic(err)
	}
	return p
})

// governor builds the ledger for a task.
func governor(t testing.TB, task harness.Task) harness.Governor {
	t.Helper()
	p := ledgerPlan()
	c := p.Columns[0]
	a, err := c.Strategy.New(harness.Setup{Skill: p.Variants[0].Skill, Settings: c.Settings, Templates: p.Templates, Encoding: p.Encoding, Task: task})
	if err != nil {
		t.Fatal(err)
	}
	return a.(harness.Governor)
}

// anyRead draws reads, searches and checks, out of few so that they repeat.
func anyRead(r *rand.Rand, truth state.Object) string {
	file := fmt.Sprintf("file_%d.go", r.IntN(4))
	switch r.IntN(5) {
	case 0:
		return "Read " + file
	case 1, 2:
		from := 1 + r.IntN(20)
		return fmt.Sprintf("Read %s %d-%d", file, from, from+r.IntN(15))
	case 3:
		return "Search revision " + fmt.Sprint(r.IntN(3))
	}
	branches, _ := truth.Get("branches")
	names := []string{"feature_1"}
	for name := range branches.(map[string]any) {
		names = append(names, name)
	}
	slices.SortFunc(names, strings.Compare)
	return "RunTests " + names[r.IntN(len(names))]
}

// holds reports whether an earlier result shows what a later one would: all of
// it for the same command, else each of its lines.
func holds(earlier, later string, same bool) bool {
	if same {
		return earlier == later
	}
	_, body, _ := strings.Cut(later, "\n")
	for line := range strings.Lines(body) {
		if !strings.Contains(earlier+"\n", "\n"+strings.TrimSuffix(line, "\n")+"\n") {
			return false
		}
	}
	return true
}

// TestReuseIsNeverStale plays random reads among random and right commands in
// the repository itself, which can say at any time what a read would show.
func TestReuseIsNeverStale(t *testing.T) {
	t.Parallel()
	steps := 100_000
	if testing.Short() {
		steps = 5_000
	}
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[record.Ruling]int{}
	done := 0
	for seed := uint64(1); done < steps; seed++ {
		done += randomTrace(t, r, seed, counts)
	}
	t.Logf("%d steps: %v", done, counts)
	if counts[record.Reuse] < steps/20 || counts[record.Nudge] < steps/100 {
		t.Errorf("%v: too few for the test to mean anything", counts)
	}
}

// randomTrace plays one episode and returns its steps.
func randomTrace(t *testing.T, r *rand.Rand, seed uint64, counts map[record.Ruling]int) int {
	task := repo.Task()
	world, err := task.New(harness.Spec{Horizon: 200, Seed: seed, Options: json.RawMessage(`{"files":4,"open":6,"overlap":0.6,"reads":true}`)})
	if err != nil {
		t.Fatal(err)
	}
	g := governor(t, task)
	var past []record.Turn
	var results []string
	for {
		o, ok := world.Observe()
		if !ok {
			return len(past)
		}
		action := o.Oracle
		switch n := r.IntN(10); {
		case n < 6:
			action = anyRead(r, world.Truth())
		case n == 6:
			action = task.Random(r, world.Truth())
		}
		v := g.Govern(harness.View{Step: o.Step, Past: past}, action)
		counts[v.Ruling]++
		turn := record.Turn{Step: o.Step, Observation: o.Text, Action: action, Ruling: v.Ruling}
		var out record.Outcome
		answered := false
		if v.Ruling == record.Reuse {
			would := world.Judge(action)
			if !strings.HasPrefix(action, "Read ") && !strings.HasPrefix(action, "Search ") {
				t.Fatalf("seed %d step %d: %s was not run", seed, o.Step, action)
			}
			if would.Free && !holds(results[v.Step], would.Result, action == past[v.Step].Action) {
				t.Fatalf("seed %d step %d: %s was answered by step %d, which is stale:\n%s\nnow:\n%s", seed, o.Step, action, v.Step, results[v.Step], would.Result)
			}
			out, answered = world.(harness.Answerer).Answer(v.Text)
		}
		if !answered {
			out, turn.Ruling = world.Act(action), record.Allow
		}
		turn.Valid = out.Valid
		past, results = append(past, turn), append(results, out.Result)
	}
}

// tree is a task whose resources lie in each other: what is read shows how often
// anything that it holds, or that holds it, was changed.
var tree = []string{"", "a", "a/x", "a/y", "b"}

func treeEffects(action string) []harness.Effect {
	verb, on, _ := strings.Cut(action, " ")
	kind := map[string]harness.EffectKind{"read": harness.Reads, "search": harness.Searches, "check": harness.Checks, "change": harness.Changes}[verb]
	if kind == "" {
		return nil
	}
	return []harness.Effect{{Kind: kind, On: on}}
}

func TestLedgerFollowsWhatChanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		g := governor(t, harness.Task{Effects: treeEffects})
		var past []record.Turn
		shown := map[string]bool{} // looks that would show the same again
		for n := range rapid.IntRange(1, 50).Draw(rt, "steps") {
			verb := rapid.SampledFrom([]string{"read", "search", "check", "change", "other"}).Draw(rt, "verb")
			on := rapid.SampledFrom(tree).Draw(rt, "on")
			action := verb + " " + on
			v := g.Govern(harness.View{Step: n, Past: past}, action)
			want := record.Allow
			if shown[action] {
				want = map[string]record.Ruling{"read": record.Reuse, "search": record.Reuse, "check": record.Nudge}[verb]
			}
			if v.Ruling != want {
				rt.Fatalf("step %d: %s: got %q, want %q", n, action, v.Ruling, want)
			}
			valid := rapid.Bool().Draw(rt, "valid")
			past = append(past, record.Turn{Step: n, Action: action, Valid: valid, Ruling: v.Ruling})
			if !valid {
				continue
			}
			if verb != "change" {
				shown[action] = true
				continue
			}
			for _, other := range tree {
				if on == other || within(on, other) || within(other, on) {
					for _, looking := range []string{"read ", "search ", "check "} {
						delete(shown, looking+other)
					}
				}
			}
		}
	})
}

func within(inner, outer string) bool { return outer == "" || strings.HasPrefix(inner, outer+"/") }

// says is a model that gives the same action at every step of a list.
type says []string

func (s says) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	return record.Reply{Text: "Action: " + s[min(r.Step, len(s)-1)], Finish: record.Stop}, nil
}

// governed plays an episode on a task that allows reads and returns its journal.
func governed(t *testing.T, agent, task string, m model.Model) (string, []record.Act, []string) {
	t.Helper()
	p, err := resolve(task, agent)
	if err != nil {
		t.Fatal(err)
	}
	e, err := p.Episode(p.Cells[0], func(*harness.Model, harness.Task) (model.Model, error) { return m, nil })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	acts, observed := replay(t, e, dir)
	return dir, acts, observed
}

// replay runs an episode on the journal in dir, and returns what it holds then.
func replay(t *testing.T, e *harness.Episode, dir string) (acts []record.Act, observed []string) {
	t.Helper()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Run(context.Background(), log); err != nil {
		t.Fatal(err)
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
			acts = append(acts, *e.Act)
		}
		if e.Call != nil {
			p, err := r.Prompt(*e.Call)
			if err != nil {
				return err
			}
			observed = append(observed, p.Only("observation"))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return acts, observed
}

const withReads = "{task: repo, name: repo, options: {reads: true}}"

func TestVerdictsAreCarriedOutAndRecorded(t *testing.T) {
	t.Parallel()
	script := says{"Read file_1.go", "Read file_1.go 3-9", "RunTests feature_9", "Commit feature_1 file_1.go", "RunTests feature_1", "RunTests feature_1", "Wait"}
	dir, acts, observed := governed(t, "ledger", withReads, script)
	reuse := acts[1]
	if v := reuse.Verdict; v == nil || v.Ruling != record.Reuse || v.Step != 0 || v.Skipped == nil || !strings.Contains(v.Skipped.Result, "\n3: ") {
		t.Fatalf("the second read: %+v", v)
	}
	if !reuse.Outcome.Free || !reuse.Outcome.Valid || strings.Contains(observed[2], "\n3: ") || !strings.Contains(observed[2], reuse.Verdict.Text) {
		t.Errorf("the second read gave %+v and %q", reuse.Outcome, observed[2])
	}
	if a, b := acts[1].Observation, acts[2].Observation; a.Kind != b.Kind || a.Item != b.Item || b.Step != 2 {
		t.Errorf("a read that is spared must leave its event: %+v, then %+v", a, b)
	}
	nudge := acts[5]
	if nudge.Verdict == nil || nudge.Verdict.Ruling != record.Nudge || !nudge.Outcome.Free {
		t.Fatalf("the second check: %+v, %+v", nudge.Verdict, nudge.Outcome)
	}
	if !strings.Contains(observed[6], nudge.Outcome.Result) || !strings.HasSuffix(observed[6], nudge.Verdict.Text+"\n") || strings.Contains(observed[7], "Remark:") {
		t.Errorf("the remark must end the next observation, and only that: %q, %q", observed[6], observed[7])
	}
	for _, n := range []int{0, 2, 3, 4} {
		if acts[n].Verdict != nil {
			t.Errorf("step %d: %s: %+v", n, acts[n].Action, acts[n].Verdict)
		}
	}
	again(t, dir, "ledger", withReads, script)
}

// again cuts the journal at many bytes and lets the episode go on; the journal
// must become what it was.
func again(t *testing.T, dir, agent, task string, m model.Model) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	segments, err := os.ReadFile(filepath.Join(dir, "segments.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < len(want); cut += len(want)/7 + 1 {
		p, err := resolve(task, agent)
		if err != nil {
			t.Fatal(err)
		}
		e, err := p.Episode(p.Cells[0], func(*harness.Model, harness.Task) (model.Model, error) { return m, nil })
		if err != nil {
			t.Fatal(err)
		}
		torn := t.TempDir()
		for name, data := range map[string][]byte{"events.jsonl": want[:cut], "segments.jsonl": segments} {
			if err := os.WriteFile(filepath.Join(torn, name), data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		replay(t, e, torn)
		if got, err := os.ReadFile(filepath.Join(torn, "events.jsonl")); err != nil || string(got) != string(want) {
			t.Errorf("resumed from byte %d: the journal differs, %v", cut, err)
		}
	}
}

func TestLedgerInformsWithoutStoring(t *testing.T) {
	t.Parallel()
	p, err := resolve(withReads, "ledger")
	if err != nil {
		t.Fatal(err)
	}
	c := p.Columns[0]
	a, err := c.Strategy.New(harness.Setup{Skill: p.Variants[0].Skill, Settings: c.Settings, Templates: p.Templates, Encoding: p.Encoding, Task: p.Variants[0].Task})
	if err != nil {
		t.Fatal(err)
	}
	var past []record.Turn
	for n, action := range []string{"Read file_1.go", "Search revision 1", "Merge pr_1", "Read file_2.go"} {
		past = append(past, record.Turn{Step: n, Observation: "E.\n", Reply: "Action: " + action, Action: action, Valid: true})
	}
	q, err := a.Prompt(harness.View{Step: 4, Observation: "Now.\n", Past: past})
	if err != nil {
		t.Fatal(err)
	}
	want := "## Execution Ledger\nChanged 2 steps ago: Merge pr_1\nLooked 1 step ago, fresh: Read file_2.go\nLooked 3 steps ago, stale: Search revision 1\nLooked 4 steps ago, stale: Read file_1.go\n"
	if got := q.Only("ledger"); got != want {
		t.Errorf("the ledger is %q, want %q", got, want)
	}
	if strings.Contains(q.Only("history"), "Looked") {
		t.Error("the ledger is in the history")
	}
}
