package money_test

import (
	"context"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/metrics/money"
	"skillbench/tasks/repo"
	"skillbench/tasks/warehouse"
)

// A scorer tells how likely texts are.
type scorer struct{}

func (scorer) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Finish: record.Stop}, nil
}

// play runs an experiment into a new folder.
func play(t *testing.T, experiment string) (dir string, m journal.Manifest) {
	t.Helper()
	kit := harness.Kit{Tasks: []harness.Task{warehouse.Task(), repo.Task()}, Strategies: agents.List(), Files: configs.FS,
		Endpoint: func(path string) (harness.Model, error) {
			open := func(harness.Task) (model.Model, error) { return scorer{}, nil }
			return harness.Model{Name: path, Kind: record.Real, Identity: []byte(`{}`), Open: open}, nil
		}}
	x, node, err := harness.ParseExperiment("x.yaml", []byte(experiment), nil)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := kit.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = plan.Manifest(journal.Made{}); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	r := &harness.Runner{Plan: plan, Dir: dir, Workers: 2}
	if result, err := r.Run(context.Background(), plan.Cells); err != nil || len(result.Failed) > 0 {
		t.Fatal(result, err)
	}
	return dir, m
}

const recorded = `
name: x
tasks: [warehouse, repo]
agents: [react, memory, {name: memory_append, base: memory, memory: append}, stateful, {name: history_first, base: stateful, order: [instructions, history, state, observation]}, skillstate, {name: asking, base: llmlingua, informer: scorer}]
models: [{sim: clumsy, rates: {json_syntax: 0.3}, verbosity: {"": 120}}]
horizons: [10]
noise: 2
seeds: 2
`

// naive compares whole prompts. What is judged shares nothing with a chat.
func naive(t *testing.T, e *tokens.Encoding, r *journal.Reader, before map[string]string) []money.Call {
	t.Helper()
	var calls []money.Call
	type sent struct {
		text string
		at   int
	}
	last := map[string]sent{}
	lastLane := ""
	err := r.Each(func(event journal.Event) error {
		if event.Call == nil {
			return nil
		}
		c := *event.Call
		p, err := r.Prompt(c)
		if err != nil {
			return err
		}
		text, at, lane := p.Text(), len(calls), c.Lane()
		call := money.Call{Prompt: e.Count(text), Completion: c.Completion}
		if lane != "scores" && lastLane != "" && lastLane != lane {
			call.Common = append(call.Common, money.Common{Ago: at - last[lastLane].at, Tokens: e.Common(last[lastLane].text, text)})
		}
		if s, ok := last[lane]; ok {
			call.Common = append(call.Common, money.Common{Ago: at - s.at, Tokens: e.Common(s.text, text)})
		} else {
			if b, ok := before[lane]; ok {
				call.Common = append(call.Common, money.Common{Tokens: e.Common(b, text)})
			}
			before[lane] = text
		}
		if last[lane] = (sent{text, at}); lane != "scores" {
			lastLane = lane
		}
		calls = append(calls, call)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

func read(t *testing.T, dir string, c record.Cell) *journal.Reader {
	t.Helper()
	r, err := journal.Read(journal.CellDir(dir, c.ID))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestFollowerEqualsWholePrompts(t *testing.T) {
	t.Parallel()
	e, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	dir, m := play(t, recorded)
	openings, before := money.Openings{}, map[string]map[string]string{}
	retries, summaries, scores := 0, 0, 0
	for _, c := range m.Cells {
		key := money.Key(c)
		if before[key] == nil {
			before[key] = map[string]string{}
		}
		r := read(t, dir, c)
		f := money.Follow(r, e, openings, key)
		err := r.Each(func(event journal.Event) error {
			if event.Call == nil {
				return nil
			}
			switch event.Call.Purpose {
			case record.ForRetry:
				retries++
			case record.ForSummary:
				summaries++
			case record.ForScores:
				scores++
			}
			return f.Add(*event.Call)
		})
		if err != nil {
			t.Fatal(err)
		}
		want := naive(t, e, read(t, dir, c), before[key])
		for i, got := range f.Calls() {
			if !same(got, want[i]) {
				t.Fatalf("%s, call %d: got %+v, want %+v", c.ID, i, got, want[i])
			}
			for _, common := range got.Common {
				if common.Tokens > got.Prompt {
					t.Errorf("%s, call %d: %d common tokens of %d", c.ID, i, common.Tokens, got.Prompt)
				}
			}
		}
		if len(f.Calls()) != len(want) {
			t.Errorf("%s: %d calls, want %d", c.ID, len(f.Calls()), len(want))
		}
	}
	if retries == 0 || summaries == 0 || scores == 0 {
		t.Errorf("%d retries, %d summaries, %d calls for scores: want some of each", retries, summaries, scores)
	}
}

func same(a, b money.Call) bool {
	if a.Prompt != b.Prompt || a.Completion != b.Completion || len(a.Common) != len(b.Common) {
		return false
	}
	for i := range a.Common {
		if a.Common[i] != b.Common[i] {
			return false
		}
	}
	return true
}
