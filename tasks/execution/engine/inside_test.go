package engine

import (
	"testing"

	"skillbench/tasks/skills"
)

// Every change of state that is not listed is an error and changes nothing.
func TestTransitions(t *testing.T) {
	t.Parallel()
	legal := map[[2]State]bool{
		{"", Pending}: true, {Pending, Running}: true, {Pending, Canceled}: true, {Running, Succeeded}: true, {Running, Failed}: true,
		{Running, NeedsInfo}: true, {Running, Canceled}: true, {Failed, Pending}: true, {NeedsInfo, Pending}: true, {Canceled, Pending}: true,
	}
	all := []State{"", Pending, Running, Succeeded, Failed, NeedsInfo, Canceled, "lost"}
	for _, from := range all {
		for _, next := range all {
			got, err := from.to(next)
			if ok := legal[[2]State{from, next}]; ok != (err == nil) || ok && got != next || !ok && got != from {
				t.Errorf("from %q to %q: %q, %v", from, next, got, err)
			}
		}
	}
}

// What is kept, what is shown once, and what nobody sees, nested and in texts.
func TestShow(t *testing.T) {
	t.Parallel()
	out := skills.Output{Keep: []string{"id", "a.kept", "message"}, Now: []string{"a.now"}, Drop: []string{"a.dropped"}}
	body := `{"status":"ok","data":{"id":"id_1","a":{"kept":"yes","now":"secret-1","dropped":"secret-22"},"message":"secret-22 and secret-1 are in it","more":"secret-333"}}`
	for name, c := range map[string]struct {
		change       func(*Mechanisms)
		body         string
		shown, later string
	}{
		"all": {func(*Mechanisms) {}, body, `{"a":{"kept":"yes","now":"secret-1"},"id":"id_1","message":"… and secret-1 are in it"}`,
			`{"a":{"kept":"yes"},"id":"id_1","message":"… and … are in it"}`},
		"no hygiene":          {func(m *Mechanisms) { m.Hygiene = false }, `{"data":{"x":1},"status":"ok"}`, `{"data":{"x":1},"status":"ok"}`, `{"data":{"x":1},"status":"ok"}`},
		"an error":            {func(*Mechanisms) {}, `{"status":"error","code":"busy","data":{"a":{"now":"later on"}}}`, `{"a":{"now":"later on"},"error":"busy"}`, `{"error":"busy"}`},
		"no JSON":             {func(*Mechanisms) {}, "<html>", `{}`, `{}`},
		"no fields":           {func(*Mechanisms) {}, `[1]`, `{}`, `{}`},
		"no JSON, no hygiene": {func(m *Mechanisms) { m.Hygiene = false }, "<html>", `"\u003chtml\u003e"`, `"\u003chtml\u003e"`},
	} {
		m := All()
		c.change(&m)
		if _, shown, later := m.show(out, c.body); shown != c.shown || later != c.later {
			t.Errorf("%s: shown %s, later %s", name, shown, later)
		}
	}
}
