package compare

import (
	"bytes"
	"encoding/json"
	"fmt"

	"skillbench/harness/journal"
	"skillbench/metrics"
)

// unlike says what differs between two runs that the comparison does not name.
func unlike(a, b Side) []string {
	m, n := a.Manifest, b.Manifest
	var out []string
	add := func(what, x, y string) {
		if x != y {
			out = append(out, fmt.Sprintf("%s: %s and %s", what, orNone(x), orNone(y)))
		}
	}
	if m.Tokenizer != n.Tokenizer {
		out = append(out, fmt.Sprintf("tokenizer: %s and %s, so tokens are not compared", m.Tokenizer, n.Tokenizer))
	}
	add("templates", m.Templates, n.Templates)
	add("summarizer", m.Summarizer, n.Summarizer)
	if drifts(a.Rows) || drifts(b.Rows) {
		add("lag", fmt.Sprint(m.Lag), fmt.Sprint(n.Lag))
		add("patience", fmt.Sprint(m.Patience), fmt.Sprint(n.Patience))
	}
	out = append(out, definitions("task", m.Tasks, n.Tasks)...)
	out = append(out, definitions("agent", m.Agents, n.Agents)...)
	if a.Model == b.Model {
		out = append(out, definitions("model", named(m.Models, a.Model), named(n.Models, b.Model))...)
	}
	add("made by skillbench", m.Made.Skillbench, n.Made.Skillbench)
	return out
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

func drifts(rows []metrics.Row) bool {
	for _, r := range rows {
		if r.Cell.Drift != "" {
			return true
		}
	}
	return false
}

func named(list []journal.Definition, name string) []journal.Definition {
	for _, d := range list {
		if d.Name == name {
			return []journal.Definition{d}
		}
	}
	return nil
}

// definitions says which names that both have stand for different things.
func definitions(noun string, a, b []journal.Definition) []string {
	var out []string
	for _, x := range a {
		for _, y := range b {
			if x.Name == y.Name && (x.Base != y.Base || x.Hash != y.Hash || !sameJSON(x.Keys, y.Keys)) {
				out = append(out, fmt.Sprintf("%s %s: %s and %s", noun, x.Name, x, y))
			}
		}
	}
	return out
}

func sameJSON(a, b json.RawMessage) bool {
	var x, y bytes.Buffer
	if json.Compact(&x, a) != nil || json.Compact(&y, b) != nil {
		return bytes.Equal(a, b)
	}
	return bytes.Equal(x.Bytes(), y.Bytes())
}
