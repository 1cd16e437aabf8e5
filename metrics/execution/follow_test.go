package execution_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/execution"
)

// followed plays steps by hand: each has a prompt of these texts, and a result with
// these values behind it.
func followed(t *testing.T, prompts [][]string, planted []record.Planted) map[record.Harm]record.Count {
	t.Helper()
	dir, stored := t.TempDir(), []byte(nil)
	numbers := map[string]int{}
	for _, texts := range prompts {
		for _, text := range texts {
			if numbers[text] == 0 {
				numbers[text] = len(numbers) + 1
				line, err := json.Marshal(text)
				if err != nil {
					t.Fatal(err)
				}
				stored = append(append(stored, line...), '\n')
			}
		}
	}
	for name, data := range map[string][]byte{"segments.jsonl": stored, "events.jsonl": nil} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, before := execution.Follow(r), 0
	for i, texts := range prompts {
		edit := prompt.Edit{Skip: before} // all of the prompt before leaves
		for _, text := range texts {
			edit.Add = append(edit.Add, prompt.Ref{Kind: prompt.History, Text: numbers[text]})
		}
		before = len(texts)
		step := metrics.Step{Attempts: []metrics.Attempt{{Sent: metrics.Sent{Call: journal.Call{Purpose: record.ForStep, Step: i, Splice: prompt.Splice{edit}}}}}}
		step.Act.Outcome.Execution = &record.Execution{Planted: planted[i]}
		if err := f.Step(step); err != nil {
			t.Fatal(err)
		}
	}
	tally, ok := f.Done()
	if !ok {
		t.Fatal("no runtime ran")
	}
	return tally.Harms
}

// Each class of a value is looked for in every prompt behind its result, and where
// no prompt follows it is not counted.
func TestValuesByClass(t *testing.T) {
	t.Parallel()
	all := record.Planted{Keep: []string{"lot_0000000a"}, Now: []string{"left_0000000b"}, Drop: []string{"id_0000000c"}}
	none := record.Planted{}
	for name, c := range map[string]struct {
		prompts [][]string
		planted []record.Planted
		want    map[record.Harm]record.Count
	}{
		"as it should be": {[][]string{{"begin"}, {"lot_0000000a left_0000000b"}, {"lot_0000000a"}}, []record.Planted{all, none, none},
			map[record.Harm]record.Count{execution.DropShown: {N: 0, Of: 1}, execution.NowStays: {N: 0, Of: 1}, execution.Lost: {N: 0, Of: 2}}},
		"lost": {[][]string{{"begin"}, {"nothing"}, {"left_0000000"}}, []record.Planted{all, none, none},
			map[record.Harm]record.Count{execution.DropShown: {N: 0, Of: 1}, execution.NowStays: {N: 0, Of: 1}, execution.Lost: {N: 2, Of: 2}}},
		"dropped late, now twice": {[][]string{{"begin"}, {"left_0000000b"}, {"x"}, {"xleft_0000000bid_0000000clot_0000000a"}}, []record.Planted{all, none, none, none},
			map[record.Harm]record.Count{execution.DropShown: {N: 1, Of: 1}, execution.NowStays: {N: 1, Of: 1}, execution.Lost: {N: 0, Of: 2}}},
		"now stays as it is": {[][]string{{"begin"}, {"left_0000000b"}, {"left_0000000b"}}, []record.Planted{all, none, none},
			map[record.Harm]record.Count{execution.DropShown: {N: 0, Of: 1}, execution.NowStays: {N: 1, Of: 1}, execution.Lost: {N: 1, Of: 2}}},
		"no prompt follows": {[][]string{{"begin"}, {"x"}}, []record.Planted{none, all}, map[record.Harm]record.Count{}},
	} {
		if d := cmp.Diff(c.want, followed(t, c.prompts, c.planted)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}
