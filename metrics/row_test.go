package metrics_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/tokens"
	"skillbench/metrics"
	"skillbench/metrics/stats"
)

// naive computes a row from the raw lines of a journal, holding everything in
// memory and rebuilding every prompt as text.
func naive(t *testing.T, dir string, c record.Cell) metrics.Row {
	t.Helper()
	encoding, err := tokens.Load("o200k_base")
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{""}
	for _, line := range lines(t, dir, "segments.jsonl") {
		texts = append(texts, unquote(t, line))
	}
	row := metrics.Row{Cell: c, Actionable: c.Horizon, Status: record.Interrupted}
	prompts := map[string][][]any{} // by lane: the segments of each section
	var correct, valid float64
	var firstTokens, firstChars, stateChars []float64
	for _, line := range lines(t, dir, "events.jsonl") {
		var e map[string]map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if call := e["call"]; call != nil {
			lane := "step"
			if call["purpose"] == "summary" {
				lane = "summary"
			}
			prompts[lane] = spliced(prompts[lane], call["splice"].([]any))
			text, ofState := written(prompts[lane], texts)
			if int(call["chars"].(float64)) != utf8.RuneCountInString(text) {
				t.Errorf("chars %v, want %d", call["chars"], utf8.RuneCountInString(text))
			}
			row.Calls++
			row.PromptTokens += encoding.Count(text)
			row.CompletionTokens += encoding.Count(texts[int(call["reply"].(float64))])
			if n, ok := call["thinking"]; ok {
				row.CompletionTokens += encoding.Count(texts[int(n.(float64))])
			}
			asked, _ := call["calls"].([]any)
			for _, a := range asked {
				row.CompletionTokens += encoding.Count(a.(map[string]any)["name"].(string)) + encoding.Count(a.(map[string]any)["arguments"].(string))
			}
			switch call["purpose"] {
			case "retry":
				row.Retries++
			case "step":
				firstTokens = append(firstTokens, float64(encoding.Count(text)))
				firstChars = append(firstChars, float64(utf8.RuneCountInString(text)))
				if ofState > 0 {
					stateChars = append(stateChars, float64(ofState))
				}
			}
		}
		if act := e["act"]; act != nil {
			row.Steps++
			o, out := act["observation"].(map[string]any), act["outcome"].(map[string]any)
			if o["free"] != true && out["free"] != true {
				if out["correct"] == true && o["impossible"] != true {
					correct++
				}
				if out["valid"] == true {
					valid++
				}
			}
		}
		if end := e["end"]; end != nil {
			row.Status = record.Status(end["status"].(string))
		}
	}
	if row.Status.Final() {
		row.Correct, row.Valid = stats.Of(correct), stats.Of(valid)
	}
	row.PromptTokensMean, row.PromptTokensMax = meanMax(firstTokens)
	row.PromptCharsMean, row.PromptCharsMax = meanMax(firstChars)
	_, row.StateCharsMax = meanMax(stateChars)
	return row
}

func lines(t *testing.T, dir, name string) []string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	if len(data) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func unquote(t *testing.T, line string) (text string) {
	t.Helper()
	if err := json.Unmarshal([]byte(line), &text); err != nil {
		t.Fatal(err)
	}
	return text
}

// spliced applies edits to sections of raw segments [kind, text, …].
func spliced(old [][]any, edits []any) [][]any {
	var next [][]any
	number := func(edit map[string]any, key string) int { n, _ := edit[key].(float64); return int(n) }
	for i, e := range edits {
		edit := e.(map[string]any)
		var section []any
		if i < len(old) {
			section = append(section, old[i][number(edit, "skip"):][:number(edit, "keep")]...)
		}
		added, _ := edit["add"].([]any)
		next = append(next, append(section, added...))
	}
	return next
}

func written(sections [][]any, texts []string) (text string, ofState int) {
	for _, section := range sections {
		for _, s := range section {
			piece := texts[int(s.([]any)[1].(float64))]
			text += piece
			if s.([]any)[0] == "state" {
				ofState += utf8.RuneCountInString(piece)
			}
		}
	}
	return text, ofState
}

func meanMax(list []float64) (mean, top stats.Value) {
	if len(list) == 0 {
		return
	}
	total, most := 0.0, list[0]
	for _, v := range list {
		total, most = total+v, max(most, v)
	}
	return stats.Of(total / float64(len(list))), stats.Of(most)
}

func TestRowEqualsANaiveComputation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := newStage(t, drawExperiment(rt))
		c := s.plan.Cells[0]
		e, err := s.plan.Episode(c, func(*harness.Model, harness.Task) (model.Model, error) {
			return ending{newErring(), rapid.IntRange(0, 40).Draw(rt, "overflow at")}, nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		dir := t.TempDir()
		log, err := journal.OpenLog(dir)
		if err != nil {
			rt.Fatal(err)
		}
		if _, err := e.Run(context.Background(), log); err != nil {
			rt.Fatal(err)
		}
		if err := log.Close(); err != nil {
			rt.Fatal(err)
		}
		r, err := journal.Read(dir)
		if err != nil {
			rt.Fatal(err)
		}
		got, err := metrics.Measure(c, r)
		if err != nil {
			rt.Fatal(err)
		}
		got.Belief, got.Recovery = stats.Value{}, metrics.Recovery{} // held to tables of their own
		if d := cmp.Diff(naive(t, dir, c), got, cmp.Comparer(near)); d != "" {
			rt.Fatal(d)
		}
	})
}

// near allows for another order of adding.
func near(a, b stats.Value) bool {
	return a.OK == b.OK && a.V-b.V < 1e-9*(1+a.V) && b.V-a.V < 1e-9*(1+a.V)
}

// An ending model overflows at a step, counted from 1; 0 for never.
type ending struct {
	erring
	at int
}

func (e ending) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	if e.at > 0 && r.Step >= e.at-1 && r.Attempt > 0 {
		return record.Reply{Finish: record.Overflow}, nil
	}
	return e.erring.Generate(ctx, r)
}

func TestCellsAreTheSameBytesForAnyNumberOfWorkers(t *testing.T) {
	t.Parallel()
	var first []byte
	for _, workers := range []int{1, 2, 8} {
		s := newStage(t, "agents: [react, memory, stateful, skillstate, oracle]\nhorizons: [4, 12]\nseeds: 2\nnoise: [0, 2]\n")
		dir := t.TempDir()
		r := harness.Runner{Plan: s.plan, Dir: dir, Workers: workers, Wrap: func(harness.Model, model.Model) (model.Model, error) { return newErring(), nil }}
		result, err := r.Run(context.Background(), s.plan.Cells)
		if err != nil || result.Done != len(s.plan.Cells) {
			t.Fatalf("%d workers: %+v, %v", workers, result, err)
		}
		manifest, err := s.plan.Manifest(journal.Made{})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := metrics.Rows(dir, manifest)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := metrics.WriteCells(&out, rows); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
		}
		if d := cmp.Diff(string(first), out.String()); d != "" {
			t.Errorf("%d workers: %s", workers, d)
		}
	}
	if n := bytes.Count(first, []byte("\n")); n != 41 {
		t.Errorf("%d lines, want a heading and 40 cells", n)
	}
}

func TestHeadingOfCells(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	row := metrics.Row{Cell: record.Cell{ID: "a,b", Horizon: 10, World: record.Closed}, Actionable: 10, Status: record.Interrupted, Belief: stats.Of(1.0 / 3)}
	if err := metrics.WriteCells(&out, []metrics.Row{row}); err != nil {
		t.Fatal(err)
	}
	want := "cell,task,agent,model,model_kind,horizon,seed,repeat,noise,drift,steps,actionable,correct,valid,score,belief,calls,retries,prompt_tokens,completion_tokens,total_tokens," +
		"prompt_tokens_mean,prompt_tokens_max,prompt_chars_mean,prompt_chars_max,state_chars_max,drifts,recovered,recovery_steps,status"
	heading, line, _ := strings.Cut(out.String(), "\n")
	if !strings.HasPrefix(heading, want) {
		t.Errorf("got  %s\nwant %s", heading, want)
	}
	if !strings.HasPrefix(line, `"a,b",,,,,10,0,0,0,,0,10,,,,0.333333,0,0,0,0,0,,,,,,0,,,interrupted`) {
		t.Errorf("an unknown value is an empty field: %s", line)
	}
}

func TestBelief(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sigma, truth string
		held, facts  int
	}{
		{`{"inventory":{}}`, `{"inventory":{}}`, 0, 0},
		{`{"inventory":{"shelf_1":"item_1"}}`, `{"inventory":{"shelf_1":"item_1"}}`, 1, 1},
		{`{"inventory":{"shelf_1":"item_1","shelf_2":"item_2"}}`, `{"inventory":{"shelf_1":"item_2","shelf_2":"item_2"}}`, 1, 2},
		{`{"inventory":{"shelf_1":"item_1"}}`, `{"inventory":{}}`, 0, 1},
		{`{"inventory":{}}`, `{"inventory":{"shelf_1":"item_1"}}`, 0, 0},
		{`{"inventory":{"shelf_1":"item_1"},"notes":"x"}`, `{"inventory":{"shelf_1":"item_1"}}`, 1, 1},
		{`{"inventory":{"shelf_1":1}}`, `{"inventory":{"shelf_1":"1"}}`, 0, 1},
	} {
		held, facts := metrics.Belief(parse(t, c.sigma), parse(t, c.truth))
		if held != c.held || facts != c.facts {
			t.Errorf("%s in %s: %d of %d, want %d of %d", c.sigma, c.truth, held, facts, c.held, c.facts)
		}
	}
}

func parse(t *testing.T, text string) state.Object {
	t.Helper()
	o, err := state.Parse([]byte(text))
	if err != nil {
		t.Fatal(fmt.Errorf("%s: %w", text, err))
	}
	return o
}
