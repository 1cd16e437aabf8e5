package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// method is the paragraph on how the results were made, and what every name in
// them stands for.
func method(d *data) []Block {
	m := d.manifest
	seeds, repeats, horizons := map[uint64]bool{}, 0, map[int]bool{}
	for _, c := range m.Cells {
		seeds[c.Seed], horizons[c.Horizon] = true, true
		repeats = max(repeats, c.Repeat+1)
	}
	words := []string{
		fmt.Sprintf("Run %s: %d cells over horizons T = %s, seeds %s, %d %s of each.", plain(m.Name), len(m.Cells), numbers(horizons), numbers(seeds), repeats, plural(repeats, "run")),
		fmt.Sprintf("Tokens are counted with %s; characters are Unicode code points.", plain(m.Tokenizer)),
		"All strategies get the same instructions, byte for byte, and the same base events for the same seed and horizon. A refused attempt changes nothing, is not executed, and is asked again with feedback as often as the strategy's retry setting says; after that the step is missed.",
	}
	if slices.ContainsFunc(m.Cells, func(c record.Cell) bool { return c.World == record.Teacher }) {
		words = append(words, "In the teacher world each move is judged and then replaced by the oracle's, in the world, the state and the history.")
	}
	if slices.ContainsFunc(m.Cells, func(c record.Cell) bool { return c.Drift != "" }) {
		words = append(words, fmt.Sprintf("Drifts are alerted to %d %s after they happen; their open event is announced at most %d times.", m.Lag, plural(m.Lag, "step"), m.Patience))
	}
	if m.Summarizer != "" {
		words = append(words, "Summaries are written by "+plain(m.Summarizer)+".")
	} else {
		words = append(words, "Summaries are written by the acting model.")
	}
	words = append(words, retryWords(m.Agents)...)
	words = append(words, stateWords(m.Agents)...)
	words = append(words, informerWords(m.Agents)...)
	words = append(words, decodingWords(m.Models)...)
	words = append(words, d.servedWords()...)
	words = append(words, "Means are over seeds, with repeats of a seed averaged first, and ± is the sample standard deviation; intervals are Student's t over seeds at 95 %, those of proportions Wilson's.")
	words = append(words, fmt.Sprintf("Connecting texts of prompts: templates %s. Made by skillbench %s with %s.", plain(m.Templates), orUnknown(m.Made.Skillbench), orUnknown(m.Made.Go)))
	out := []Block{Paragraph(strings.Join(words, " "))}
	for _, part := range []struct {
		name, caption, base string
		list                []journal.Definition
	}{
		{"strategies", "Strategies and their settings", "strategy", m.Agents},
		{"models", "Models and what shapes their replies", "kind", m.Models},
		{"tasks", "Tasks and their options", "task", m.Tasks},
	} {
		t := &Table{Name: part.name, Caption: part.caption, Columns: columns("name", "name", "base", part.base, "keys", "keys", "hash", "skill files")}
		for _, one := range part.list {
			t.Rows = append(t.Rows, []Cell{text(plain(one.Name)), text(plain(one.Base)), text(keys(one.Keys)), text(plain(one.Hash))})
		}
		if len(t.Rows) > 0 {
			if part.name != "tasks" {
				t.drop(3)
			}
			out = append(out, t)
		}
	}
	return out
}

// drop takes a column out.
func (t *Table) drop(column int) {
	t.Columns = slices.Delete(t.Columns, column, column+1)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Delete(row, column, column+1)
	}
}

// servedWords say what endpoints called themselves.
func (d *data) servedWords() []string {
	served := map[string]bool{}
	for _, c := range d.cells {
		for s := range c.served {
			served[plain(s)] = true
		}
	}
	if len(served) == 0 {
		return nil
	}
	list := sorted(served)
	if more := len(list) - 10; more > 0 {
		list = append(list[:10], fmt.Sprintf("%d more", more))
	}
	return []string{"Replies say that they were served by: " + strings.Join(list, ", ") + "."}
}

func orUnknown(s string) string {
	if s == "" {
		return "(version not recorded)"
	}
	return plain(s)
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// numbers lists a set in order, ranges of neighbours shortened.
func numbers[N int | uint64](set map[N]bool) string {
	var list []N
	for n := range set {
		list = append(list, n)
	}
	slices.Sort(list)
	var words []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		switch {
		case j > i+1:
			words = append(words, fmt.Sprintf("%d–%d", list[i], list[j]))
		default:
			for ; i < j; i++ {
				words = append(words, fmt.Sprint(list[i]))
			}
			words = append(words, fmt.Sprint(list[j]))
		}
		i = j + 1
	}
	return strings.Join(words, ", ")
}

// keys shows a JSON object as "key value" pairs in natural order.
func keys(data json.RawMessage) string {
	var compact bytes.Buffer
	if json.Compact(&compact, data) != nil {
		return plain(string(data))
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(data, &members) != nil {
		return plain(compact.String())
	}
	names := sorted(members)
	slices.SortFunc(names, state.Compare)
	var words []string
	for _, name := range names {
		words = append(words, name+" "+readable(members[name]))
	}
	return plain(strings.Join(words, "; "))
}

// readable shows one JSON value: a string as its text, all others without quotes,
// unless those tell something.
func readable(value json.RawMessage) string {
	var s *string
	if json.Unmarshal(value, &s) == nil && s != nil {
		return *s
	}
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // it has parsed
	if strings.Contains(compact.String(), `\`) || strings.Contains(compact.String(), `""`) {
		return compact.String()
	}
	return strings.NewReplacer(`"`, "", ",", ", ").Replace(compact.String())
}
