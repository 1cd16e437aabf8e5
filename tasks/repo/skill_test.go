package repo

import (
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"skillbench/harness/record"
	"skillbench/harness/state"
)

func TestSkillIsShort(t *testing.T) {
	t.Parallel()
	s := skill(t)
	if n := utf8.RuneCountInString(s.Instructions); n > 750 {
		t.Errorf("the instructions have %d characters, want at most 750", n)
	}
	if got, want := s.Initial.Compact(), start(t, spec(10, 1)).Truth().Compact(); got != want {
		t.Errorf("the first state is %s, the first truth %s", got, want)
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	rules := schema(t)
	for text, class := range map[string]string{
		`{"branches":{},"prs":{}}`:                                                             "",
		knownState:                                                                             "",
		`{"branches":{}}`:                                                                      state.ClassValue,
		`{"branches":{},"prs":{},"notes":"x"}`:                                                 state.ClassUnknownKey,
		`{"branches":{"main":{}},"prs":{}}`:                                                    state.ClassUnknownKey,
		`{"branches":{"feature_1":{"README":true}},"prs":{}}`:                                  state.ClassUnknownKey,
		`{"branches":{"feature_1":["file_1.go"]},"prs":{}}`:                                    state.ClassType,
		`{"branches":{"feature_1":{"file_1.go":false}},"prs":{}}`:                              state.ClassValue,
		`{"branches":{},"prs":{"pr_1":{"branch":"feature_1"}}}`:                                state.ClassValue,
		`{"branches":{},"prs":{"pr_1":{"branch":"feature_1","ci":"green"}}}`:                   state.ClassValue,
		`{"branches":{},"prs":{"pr_1":{"branch":"main","ci":"passed"}}}`:                       state.ClassValue,
		`{"branches":{},"prs":{"pr_1":{"branch":"feature_1","ci":"passed","approved":false}}}`: state.ClassValue,
		`{"branches":{},"prs":{"pr_1":{"branch":"feature_1","ci":"passed","author":"a"}}}`:     state.ClassUnknownKey,
		`{"branches":{},"prs":{"1":{"branch":"feature_1","ci":"passed"}}}`:                     state.ClassUnknownKey,
	} {
		o, err := state.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		if v := rules.Check(o); len(v) > 0 {
			found = v[0].Class
		}
		if found != class {
			t.Errorf("%s: found %q, want %q", text, found, class)
		}
	}
}

// The floor draws commands of the grammar, the same ones from the same source.
func TestRandom(t *testing.T) {
	t.Parallel()
	a, b := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
	verbs := map[string]int{}
	acts := run(t, spec(200, 1), func(w *world, o record.Observation) string {
		action := Random(a, w.Truth())
		if again := Random(b, w.Truth()); again != action {
			t.Fatalf("%q, then %q", action, again)
		}
		c, err := parse(action)
		if err != nil {
			t.Fatal(err)
		}
		verbs[c.verb]++
		return action
	})
	if len(verbs) < 4 {
		t.Errorf("only %v are drawn", verbs)
	}
	if correct, events := score(acts); 4*correct > events {
		t.Errorf("chance has %d of %d right", correct, events)
	}
}
