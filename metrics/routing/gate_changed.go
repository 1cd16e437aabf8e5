package routing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// changes collects what differs between two runs that can be compared.
type changes struct {
	old, now *Result
	noted    bool
	texts    []string            // kinds of texts, in the order of their discovery
	tasks    map[string][]string // whose such texts changed
	others   []string
}

// digests are the hashes that make up that of a task (harness.Kit): of the
// instructions, of the dialogues, and of skills and vectors. All but the first are
// "" where the task has no such ones.
type digests struct{ instructions, dialogues, library string }

func (d Definition) digests() digests {
	parts := strings.Split(d.Hash, "-")
	if len(parts) != 3 {
		return digests{instructions: d.Hash}
	}
	return digests{parts[0], parts[1], parts[2]}
}

// note takes what shaped a group.
func (c *changes) note(g Group) {
	c.noted = true
	a, b := c.old.Tasks[g.Task], c.now.Tasks[g.Task]
	x, y := a.digests(), b.digests()
	switch {
	case (x.dialogues == "") != (y.dialogues == ""):
		c.text("texts of suite or skills", g.Task)
	case x.instructions != y.instructions && x.dialogues == "":
		c.text("texts of suite or skills", g.Task)
	case x.instructions != y.instructions:
		c.text("instructions", g.Task)
	}
	if x.dialogues != "" && y.dialogues != "" && x.library != y.library {
		c.text("library", g.Task)
	}
	c.options("options of task", g.Task, a, b)
	if g.Model != "" {
		c.options("settings of model", g.Model, c.old.Models[g.Model], c.now.Models[g.Model])
	}
}

func (c *changes) text(what, task string) {
	if c.tasks == nil {
		c.tasks = map[string][]string{}
	}
	if len(c.tasks[what]) == 0 {
		c.texts = append(c.texts, what)
	}
	if !slices.Contains(c.tasks[what], task) {
		c.tasks[what] = append(c.tasks[what], task)
	}
}

// options compares keys.
func (c *changes) options(what, name string, a, b Definition) {
	x, y := keysOf(a), keysOf(b)
	all := maps.Clone(x)
	maps.Copy(all, y)
	var list []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		if !bytes.Equal(x[key], y[key]) && !unset(x[key], y[key]) {
			list = append(list, fmt.Sprintf("%.80s (%s, now %s)", key, valueText(x[key]), valueText(y[key])))
		}
	}
	if line := fmt.Sprintf("%s %.80s changed since the baseline: %s", what, name, strings.Join(list, ", ")); len(list) > 0 && !slices.Contains(c.others, line) {
		c.others = append(c.others, line)
	}
}

// keysOf are the options by key, each in one form.
func keysOf(d Definition) map[string]json.RawMessage {
	keys := map[string]any{}
	out := map[string]json.RawMessage{}
	if json.Unmarshal(d.Options, &keys) != nil {
		return out
	}
	for key, v := range keys {
		if text, err := json.Marshal(v); err == nil {
			out[key] = text
		}
	}
	return out
}

// unset reports whether one has an option at nothing that the other does not know:
// so it is after a task was given a new one.
func unset(a, b json.RawMessage) bool {
	nothing := func(v json.RawMessage) bool {
		return v == nil || slices.Contains([]string{`false`, `0`, `""`, `null`, `[]`, `{}`}, string(v))
	}
	return (a == nil || b == nil) && nothing(a) && nothing(b)
}

func valueText(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	return fmt.Sprintf("%.80s", value)
}

// words say all of it.
func (c *changes) words() []string {
	var list []string
	if c.noted && c.old.Templates != c.now.Templates {
		list = append(list, "texts that join the parts of prompts changed since the baseline")
	}
	for _, what := range c.texts {
		list = append(list, fmt.Sprintf("%s changed since the baseline: %.300s", what, strings.Join(c.tasks[what], ", ")))
	}
	return append(list, c.others...)
}
