package execution_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/execution"
	task "skillbench/tasks/execution"
)

// play runs cells of the task and returns where they are.
func play(t *testing.T, text string) (dir string, cells []record.Cell) {
	t.Helper()
	return experiment(t, "name: test\nmodels: [sim:perfect]\n"+text)
}

func experiment(t *testing.T, text string, set ...string) (dir string, cells []record.Cell) {
	t.Helper()
	kit := harness.Kit{Tasks: []harness.Task{task.Task()}, Strategies: agents.List(), Files: configs.FS}
	x, node, err := harness.ParseExperiment("test.yaml", []byte(text), set)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kit.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	result, err := (&harness.Runner{Plan: plan, Dir: dir}).Run(context.Background(), plan.Cells)
	if err != nil || result.Done != len(plan.Cells) {
		t.Fatalf("%+v, %v", result, err)
	}
	return dir, plan.Cells
}

// tallied follows one cell.
func tallied(t *testing.T, dir string, c record.Cell) (execution.Tally, bool) {
	t.Helper()
	r := reader(t, dir, c)
	f := execution.Follow(r)
	if _, err := metrics.Walk(r, f.Step); err != nil {
		t.Fatal(err)
	}
	return f.Done()
}

func reader(t *testing.T, dir string, c record.Cell) *journal.Reader {
	t.Helper()
	r, err := journal.Read(journal.CellDir(dir, c.ID))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// searched counts leaks by brute force: every value is looked for in the whole text
// of every prompt.
func searched(t *testing.T, dir string, c record.Cell) map[record.Harm]record.Count {
	t.Helper()
	r := reader(t, dir, c)
	prompts := map[int][]string{} // by step
	planted := record.Planted{}
	coming := record.Planted{}
	if err := r.Each(func(e journal.Event) error {
		switch {
		case e.Call != nil:
			p, err := r.Prompt(*e.Call)
			if err != nil {
				return err
			}
			prompts[e.Call.Step] = append(prompts[e.Call.Step], p.Text())
			planted.Keep, planted.Now, planted.Drop = slices.Concat(planted.Keep, coming.Keep), slices.Concat(planted.Now, coming.Now), slices.Concat(planted.Drop, coming.Drop)
			coming = record.Planted{}
		case e.Act != nil:
			outcome := e.Act.Outcome
			if e.Act.Oracle != nil {
				outcome = *e.Act.Oracle
			}
			if outcome.Execution != nil {
				coming = outcome.Execution.Planted
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	steps := func(value string) int {
		n := 0
		for _, texts := range prompts {
			if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, value) }) {
				n++
			}
		}
		return n
	}
	out := map[record.Harm]record.Count{}
	count := func(harm record.Harm, values []string, bad func(steps int) bool) {
		seen := map[string]bool{}
		for _, v := range values {
			if seen[v] {
				continue
			}
			seen[v] = true
			n := 0
			if bad(steps(v)) {
				n = 1
			}
			out[harm] = out[harm].Plus(record.Count{N: n, Of: 1})
		}
	}
	count(execution.DropShown, planted.Drop, func(n int) bool { return n > 0 })
	count(execution.NowStays, planted.Now, func(n int) bool { return n > 1 })
	count(execution.Lost, append(planted.Keep, planted.Now...), func(n int) bool { return n == 0 })
	return out
}

// What is found by following splices is what a search of whole prompts finds, and
// hygiene is what decides it.
func TestLeaksAreThoseOfWholePrompts(t *testing.T) {
	t.Parallel()
	dir, cells := play(t, `
tasks: [execution, {name: open, task: execution, options: {hygiene: false}}, {name: again, task: execution, options: {checkpoints: false}}]
agents: [react, memory, stateful, skillstate, masked, compacted, {name: short, base: truncated, budget: {chars: 12000}}]
horizons: [40]
seeds: 2
`)
	leaks := map[string]record.Count{}
	for _, c := range cells {
		got, ok := tallied(t, dir, c)
		if !ok {
			t.Fatalf("%s: no runtime ran", c.ID)
		}
		want := searched(t, dir, c)
		for harm, n := range want {
			if got.Harms[harm] != n {
				t.Errorf("%s: %s: %+v, want %+v", c.ID, harm, got.Harms[harm], n)
			}
			leaks[fmt.Sprint(c.Task, " ", c.Agent, " ", harm)] = leaks[fmt.Sprint(c.Task, " ", c.Agent, " ", harm)].Plus(n)
		}
	}
	for _, agent := range []string{"react", "memory", "stateful", "skillstate"} {
		on, off := leaks["execution "+agent+" drop_shown"], leaks["open "+agent+" drop_shown"]
		if on.N != 0 || on.Of < 100 || off.N < off.Of*9/10 {
			t.Errorf("%s: %+v values of drop in prompts with hygiene, %+v without", agent, on, off)
		}
		if now := leaks["execution "+agent+" now_stays"]; now.N != 0 {
			t.Errorf("%s: %+v values of now stay with hygiene", agent, now)
		}
	}
	if now := leaks["open react now_stays"]; now.N < now.Of*9/10 {
		t.Errorf("%+v values of now stay in a history without hygiene", now)
	}
}

// The same holds whatever the strategy, behind retries and where the oracle acts.
func TestLeaksAreThoseOfWholePromptsOfAll(t *testing.T) {
	t.Parallel()
	dir, cells := experiment(t, `
name: test
tasks: [{name: open, task: execution, options: {hygiene: false, checkpoints: false, result_bound: false}}, execution, {name: ids, task: execution, options: {request_ids: false, result_check: false}}]
agents: [react, memory, stateful, skillstate, {name: short, base: truncated, budget: {chars: 9000}}, {name: capped, base: summary_capped, budget: {chars: 9000}}, masked, compacted, hybrid, ledger, {name: pruned, base: llmlingua, budget: {chars: 9000}}]
models: [{name: clumsy, sim: clumsy, restates: true}]
worlds: [closed, teacher]
noise: [2]
horizons: [25]
seeds: 1
`)
	for _, c := range cells {
		got, ok := tallied(t, dir, c)
		if !ok {
			t.Fatalf("%s: no runtime ran", c.ID)
		}
		for harm, n := range searched(t, dir, c) {
			if got.Harms[harm] != n {
				t.Errorf("%s %s: %s: %+v, want %+v", c.World, c.ID, harm, got.Harms[harm], n)
			}
		}
	}
}

// Tallies add up what the acts say.
func TestTallyAddsUpActs(t *testing.T) {
	t.Parallel()
	dir, cells := play(t, "tasks: [{name: x, task: execution, options: {request_ids: false, safe_cancel: false}}]\nagents: [oracle]\nhorizons: [80]\nseeds: 1\n")
	got, ok := tallied(t, dir, cells[0])
	want := execution.Tally{Harms: map[record.Harm]record.Count{}}
	if err := reader(t, dir, cells[0]).Each(func(e journal.Event) error {
		if e.Act != nil {
			x := e.Act.Outcome.Execution
			want.Steps++
			for harm, c := range x.Harms {
				want.Harms[harm] = record.Count{N: want.Harms[harm].N + c.N, Of: want.Harms[harm].Of + c.Of}
			}
			want.Replaced, want.Latency, want.Settled = want.Replaced.Plus(x.Replaced), want.Latency.Plus(x.Latency), want.Settled.Plus(x.Settled)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" || !ok {
		t.Errorf("%t: %s", ok, d)
	}
	if want.Harms[record.Duplicate].N == 0 || len(want.Harms) < 10 {
		t.Errorf("only %v", slices.Sorted(maps.Keys(want.Harms)))
	}
}

// The shipped experiment has an arm for each mechanism, which does the harm that it
// prevents, and the first arm does none.
func TestShippedExperiment(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../configs/skills-execution.yaml")
	if err != nil {
		t.Fatal(err)
	}
	dir, cells := experiment(t, string(text), "agents=[oracle]", "seeds=3")
	arms := map[string]execution.Tally{}
	for _, c := range cells {
		one, _ := tallied(t, dir, c)
		arms[c.Task] = arms[c.Task].Plus(one)
	}
	for arm, harm := range map[string]record.Harm{
		"no retry by class": record.Wasted, "no request ids": record.Duplicate, "no version check": record.Undetected, "values for versions": record.Undetected,
		"no requires": record.Unprepared, "no fixed flow": record.PlannedMoney, "no plan check": record.BadPlan, "no enabled check": record.Disabled,
		"no index check": record.Outdated, "no result check": record.FalseSuccess, "no write guard": record.Undeclared, "results give orders": record.Unasked,
		"no safe cancel": record.HalfDone, "no checkpoints": record.Redone, "no event order": record.Disorder, "no result bound": record.Unbounded,
	} {
		on, off := arms["all on"].Harms[harm], arms[arm].Harms[harm]
		if off.N <= on.N || on.N > 0 && harm != record.Redone || on.Of == 0 {
			t.Errorf("%s: %s %+v, with all mechanisms %+v", arm, harm, off, on)
		}
	}
	// What runs cost: a cancellation waits for the one call that is on its way, and
	// for none where it does not wait; tickets take seconds; fixed flows take the
	// place of plans.
	on, hasty, trusting := arms["all on"], arms["no safe cancel"], arms["no plan check"]
	if c := on.Latency; c.Of == 0 || c.N != c.Of || hasty.Latency != (record.Count{Of: c.Of}) {
		t.Errorf("calls until a cancellation takes effect: %+v, without a safe cancel %+v", c, hasty.Latency)
	}
	if c := on.Settled; c.Of < 100 || c.N/c.Of < 1000 || c.N/c.Of > 120_000 {
		t.Errorf("milliseconds to settle: %+v", c)
	}
	if c := on.Replaced; c.N == 0 || c.N >= c.Of || trusting.Replaced.N == 0 || trusting.Replaced.N >= c.N {
		t.Errorf("plans replaced: %+v, without a check %+v", c, trusting.Replaced)
	}
	if len(arms) != 18 {
		t.Errorf("%d arms", len(arms))
	}
}
