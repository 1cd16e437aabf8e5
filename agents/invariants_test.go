package agents_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skillbench/agents"
	"skillbench/agents/agenttest"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/harness/trial"
)

var all = check.Names()

// A spoiled agent changes the prompts of another.
type spoiled struct {
	harness.Agent
	spoil func(v harness.View, p prompt.Prompt) prompt.Prompt
}

func (s spoiled) Prompt(v harness.View) (prompt.Prompt, error) {
	p, err := s.Agent.Prompt(v)
	if err != nil {
		return nil, err
	}
	return s.spoil(v, p), nil
}

// spoil returns skillstate with spoiled prompts; begin makes the spoiler of one
// agent.
func spoil(begin func() func(harness.View, prompt.Prompt) prompt.Prompt) harness.Strategy {
	s := agents.SkillState()
	build := s.New
	s.New = func(setup harness.Setup) (harness.Agent, error) {
		a, err := build(setup)
		return spoiled{a, begin()}, err
	}
	return s
}

// insert puts a segment before the contract.
func insert(p prompt.Prompt, s prompt.Segment) prompt.Prompt {
	return slices.Insert(slices.Clone(p), len(p)-1, []prompt.Segment{s})
}

func always(f func(harness.View, prompt.Prompt) prompt.Prompt) func() func(harness.View, prompt.Prompt) prompt.Prompt {
	return func() func(harness.View, prompt.Prompt) prompt.Prompt { return f }
}

// show replaces the Σ that a prompt shows.
func show(p prompt.Prompt, v harness.View, o state.Object) prompt.Prompt {
	changed := slices.Clone(p)
	for i, section := range p {
		if section[0].Kind == prompt.State {
			changed[i] = slices.Clone(section)
			changed[i][1].Text = strings.Replace(section[1].Text, v.State.Compact(), o.Compact(), 1)
		}
	}
	return changed
}

// past appends an observation of two steps ago under a kind.
func past(kind prompt.Kind) func(harness.View, prompt.Prompt) prompt.Prompt {
	return func(v harness.View, p prompt.Prompt) prompt.Prompt {
		if len(v.Past) < 2 {
			return p
		}
		turn := v.Past[len(v.Past)-2]
		return insert(p, prompt.Of(kind, turn.Step, turn.Observation))
	}
}

// replies appends the last reply, which holds reasoning, under a kind.
func replies(kind prompt.Kind) func(harness.View, prompt.Prompt) prompt.Prompt {
	return func(v harness.View, p prompt.Prompt) prompt.Prompt {
		if len(v.Past) == 0 {
			return p
		}
		turn := v.Past[len(v.Past)-1]
		return insert(p, prompt.Label(kind, turn.Reply+"\n"))
	}
}

func TestInvariants(t *testing.T) {
	t.Parallel()
	episodes := 0 // that any agent of this test has begun, which is what resuming must not see
	for name, test := range map[string]struct {
		strategy harness.Strategy
		fails    []string
		evidence string // in that of the first that fails
	}{
		"skillstate": {agents.SkillState(), nil, ""},
		"react":      {agents.React(), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "a segment of history (steps 0) shows the canary that the observation of step 0 held"},

		"past observation as history":     {spoil(always(past(prompt.History))), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "(steps 0) shows the canary that the observation of step 0 held"},
		"past observation as observation": {spoil(always(past(prompt.Observation))), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "a segment of observation (steps 0) shows the canary"},
		"past observation as state":       {spoil(always(past(prompt.State))), []string{check.NoHistoryLeak, check.InvalidPatchRollback, check.BoundedPromptGrowth}, "a segment of state (steps 0) shows the canary"},
		"past observation as feedback":    {spoil(always(past(prompt.Feedback))), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "a segment of feedback (steps 0) shows the canary"},
		"past observation as contract":    {spoil(always(past(prompt.Contract))), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "a segment of contract (steps 0) shows the canary"},
		"reasoning":                       {spoil(always(replies(prompt.Ledger))), []string{check.NoHistoryLeak, check.BoundedPromptGrowth}, "a segment of ledger (steps none) shows the canary that the reasoning of step"},
		"stale state": {spoil(func() func(harness.View, prompt.Prompt) prompt.Prompt {
			var states []state.Object
			return func(v harness.View, p prompt.Prompt) prompt.Prompt {
				for len(states) <= v.Step {
					states = append(states, v.State)
				}
				return show(p, v, states[max(0, v.Step-2)])
			}
		}), []string{check.NoHistoryLeak, check.InvalidPatchRollback, check.BoundedPromptGrowth}, "the canary that the state of step 2 held"},
		"count of turns": {spoil(always(func(v harness.View, p prompt.Prompt) prompt.Prompt {
			return insert(p, prompt.Label(prompt.Contract, fmt.Sprintf("%2d turns so far.\n", len(v.Past))))
		})), []string{check.NoHistoryLeak}, `the prompts differ from byte`},

		"state changed after a refusal": {spoil(always(func(v harness.View, p prompt.Prompt) prompt.Prompt {
			if v.Feedback == nil {
				return p
			}
			return show(p, v, state.Deep.Apply(v.State, state.From(map[string]any{"proposed": 1})))
		})), []string{check.InvalidPatchRollback, check.NoHistoryLeak, check.BoundedPromptGrowth}, "after a refused reply the prompt shows another Σ"},

		"padding by step": {spoil(always(func(v harness.View, p prompt.Prompt) prompt.Prompt {
			return insert(p, prompt.Label(prompt.Contract, strings.Repeat("Mind the step. ", v.Step)+"\n"))
		})), []string{check.BoundedPromptGrowth}, "characters beside Σ, O and feedback, at step 0 it had"},

		"memory of the process": {spoil(func() func(harness.View, prompt.Prompt) prompt.Prompt {
			episodes++
			text := fmt.Sprintf("Agent %6d.\n", episodes)
			return func(v harness.View, p prompt.Prompt) prompt.Prompt {
				return insert(p, prompt.Label(prompt.Contract, text))
			}
		}), []string{check.NoHistoryLeak, check.ResumeRoundTrip}, "Agent"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, r := range run(t, test.strategy) {
				if want := !slices.Contains(test.fails, r.Invariant); r.Pass != want {
					t.Errorf("%s: pass is %t, want %t: %q", r.Invariant, r.Pass, want, r.Evidence)
				}
				evidence := strings.Join(r.Evidence, "\n")
				if len(test.fails) > 0 && r.Invariant == test.fails[0] && !strings.Contains(evidence, test.evidence) {
					t.Errorf("%s: the evidence does not say %q:\n%s", r.Invariant, test.evidence, evidence)
				}
			}
		})
	}
}

// skillstate keeps its promises under every setting of its keys.
func TestSettings(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*harness.Settings){
		"shallow":       func(s *harness.Settings) { s.Merge = state.Shallow },
		"replace":       func(s *harness.Settings) { s.Merge = state.Replace },
		"json_schema":   func(s *harness.Settings) { s.Wire = model.JSONSchema },
		"tool":          func(s *harness.Settings) { s.Wire = model.Tool },
		"lenient":       func(s *harness.Settings) { s.Repair = transition.Lenient },
		"no retry":      func(s *harness.Settings) { s.Retry = 0 },
		"late, indent":  func(s *harness.Settings) { s.Commit, s.Render = harness.AfterAccept, harness.Indent2 },
		"not validated": func(s *harness.Settings) { s.Validate, s.Told = false, false },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := agents.SkillState()
			set(&s.Defaults)
			for _, r := range run(t, s) {
				if !r.Pass {
					t.Errorf("%s does not hold:\n%s", r.Invariant, strings.Join(r.Evidence, "\n"))
				}
			}
		})
	}
}

func column(s harness.Strategy) harness.Column {
	return harness.Column{Name: s.Name, Strategy: s, Settings: s.Defaults}
}

func tally(t *testing.T) harness.Variant {
	v, err := agenttest.Tally()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func run(t *testing.T, s harness.Strategy) []check.Result {
	results, err := trial.Run(t.Context(), harness.Kit{Files: configs.FS}, column(s), tally(t), 12, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(all) {
		t.Fatalf("got %d results, want %d", len(results), len(all))
	}
	return results
}

// The trial gives bad replies of every class that the form knows.
func TestClassesTried(t *testing.T) {
	t.Parallel()
	stateless := []string{transition.ActionGrammar, transition.Empty, transition.Refusal, transition.Truncated}
	for _, test := range []struct {
		strategy harness.Strategy
		want     []string
	}{
		{agents.SkillState(), transition.Classes()},
		{agents.Stateful(), append(stateless, transition.JSONSyntax)},
		{agents.React(), stateless},
	} {
		for _, r := range run(t, test.strategy) {
			tried := strings.Join(r.Evidence, ", ")
			for _, class := range transition.Classes() {
				if r.Invariant == check.InvalidPatchRollback && strings.Contains(tried, class) != slices.Contains(test.want, class) {
					t.Errorf("%s: want %q: %s", test.strategy.Name, test.want, tried)
				}
			}
		}
	}
}

// A loop that did not roll back would have written one of these journals.
func TestRollbackCatchesLoop(t *testing.T) {
	t.Parallel()
	tried, err := trial.New(harness.Kit{Files: configs.FS}, column(agents.SkillState()), tally(t), 40)
	if err != nil {
		t.Fatal(err)
	}
	played, err := tried.Play(t.Context(), t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	events, err := os.ReadFile(filepath.Join(played.Dir, "events.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		change   func(line string) string
		evidence string
	}{
		"as it was": {func(line string) string { return line }, ""},
		"the action ran": {func(line string) string {
			return strings.Replace(line, `"action":"none"`, `"action":"Wait"`, 1)
		}, `the action was "Wait", want "none"`},
		"the patch was committed": {func(line string) string {
			if strings.Contains(line, `"action":"none"`) {
				return strings.Replace(line, `"state":"`, `"state":"00`, 1)
			}
			return line
		}, "the accepted patches give"},
		"the attempt is not recorded": {func(line string) string {
			if strings.HasPrefix(line, `{"transition"`) && strings.Contains(line, `"violations"`) {
				return ""
			}
			return line
		}, "damaged: "}, // no reader takes a call without a judgement
		"the attempt was accepted": {func(line string) string {
			if before, _, ok := strings.Cut(line, `,"violations"`); ok {
				return before + "}}\n"
			}
			return line
		}, "was accepted"},
		"the world accepted something": {func(line string) string {
			if strings.Contains(line, `"action":"none"`) {
				return strings.Replace(line, `"valid":false`, `"valid":true`, 1)
			}
			return line
		}, "yet the world accepted an action"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			var changed bytes.Buffer
			for line := range bytes.Lines(events) {
				changed.WriteString(test.change(string(line)))
			}
			segments, err := os.ReadFile(filepath.Join(played.Dir, "segments.jsonl"))
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "segments.jsonl"), segments, 0o644)
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, "events.jsonl"), changed.Bytes(), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			r, err := journal.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			result, err := check.PatchRollback(r, played.Facts)
			if err != nil {
				result = check.Result{Evidence: []string{err.Error()}}
			}
			if evidence := strings.Join(result.Evidence, "\n"); result.Pass != (test.evidence == "") || !strings.Contains(evidence, test.evidence) {
				t.Errorf("pass is %t, want evidence %q:\n%s", result.Pass, test.evidence, evidence)
			}
		})
	}
}
