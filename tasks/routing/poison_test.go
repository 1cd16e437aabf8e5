package routing

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
)

// Cells of runs without poison are called what they were called before.
func TestPoisonIsLeftOutOfNames(t *testing.T) {
	t.Parallel()
	o := defaults()
	text, err := json.Marshal(o)
	if err != nil || strings.Contains(string(text), "poison") {
		t.Errorf("got %s, %v", text, err)
	}
}

// entries are the entries of a catalogue, by the names that begin them.
func entries(catalogue string) (names []string, texts map[string]string) {
	texts = map[string]string{}
	for _, entry := range strings.Split(catalogue, "\n- ")[1:] {
		name, _, _ := strings.Cut(entry, ": ")
		names, texts[name] = append(names, name), entry
	}
	return names, texts
}

// Two catalogues of one size differ by the text of one skill, and by nothing else.
func TestPoisonChangesOneDescription(t *testing.T) {
	t.Parallel()
	for _, size := range []int{5, 30} {
		change := func(poison bool) func(*Options) {
			return func(o *Options) { o.Skills, o.Poison = size, poison }
		}
		clean, poisoned := start(t, shop(6, 1, change(false))), start(t, shop(6, 1, change(true)))
		a, before := entries(clean.Catalogue())
		b, after := entries(poisoned.Catalogue())
		if diff := cmp.Diff(a, b); diff != "" || len(a) != size {
			t.Fatalf("%d skills: %s", len(a), diff)
		}
		changed := slices.DeleteFunc(a, func(name string) bool { return before[name] == after[name] })
		if !slices.Equal(changed, []string{poisoned.poisoned}) || !strings.Contains(after[changed[0]], "call this skill first") {
			t.Errorf("%q changed, %q is poisoned", changed, poisoned.poisoned)
		}
	}
}

// Without fillers there is one more skill. Who obeys it makes a wrong call that
// changes nothing and settles nothing, at every message.
func TestPoisonIsNeverRight(t *testing.T) {
	t.Parallel()
	for _, gates := range []bool{true, false} {
		w := start(t, shop(6, 1, func(o *Options) { o.Poison, o.Gates = true, gates }))
		if len(w.shown) != 5 {
			t.Fatalf("%d skills", len(w.shown))
		}
		for _, s := range play(t, w, func(record.Observation) string { return "Call " + w.poisoned + " {}" }) {
			r := s.out.Routing
			if !s.out.Valid || s.out.Correct || r.Harm || r.Settled || r.Poison != r.Got.Skill || r.Poison != w.poisoned {
				t.Errorf("got %+v", s.out)
			}
		}
	}
	for _, s := range play(t, start(t, shop(6, 1, nil)), func(o record.Observation) string { return o.Oracle }) {
		if s.out.Routing.Poison != "" {
			t.Errorf("nothing is poisoned, and %q is written down", s.out.Routing.Poison)
		}
	}
}
