package execution

import (
	"strings"
	"testing"
	"unicode/utf8"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/state"
)

func skill(t testing.TB) harness.Skill {
	t.Helper()
	s, err := harness.LoadSkill(configs.FS, "skills/execution", "skills/execution")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSkillIsShort(t *testing.T) {
	t.Parallel()
	s := skill(t)
	if n := utf8.RuneCountInString(s.Instructions); n > 640 {
		t.Errorf("the instructions have %d characters, want at most 640", n)
	}
	if got, want := s.Initial.Compact(), start(t, spec(10, 1)).Truth().Compact(); got != want {
		t.Errorf("the first state is %s, the first truth %s", got, want)
	}
}

// The catalogue names every skill and flow, and holds no label of a prompt.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	text := start(t, spec(10, 1)).Catalogue()
	for _, name := range append(append([]string{"check"}, singles...), goalShip, goalSell) {
		if !strings.Contains(text, "\n- "+name+": ") && !strings.HasPrefix(text, "- "+name+": ") {
			t.Errorf("%s is not in it", name)
		}
	}
	if strings.Contains(text, "##") || !strings.HasSuffix(text, "\n") {
		t.Errorf("%q", text)
	}
}

func TestSchemaRefuses(t *testing.T) {
	t.Parallel()
	rules := skill(t).Schema
	for text, class := range map[string]string{
		`{"requests":{},"orders":{}}`: "",
		`{"requests":{"r_1":{"ticket":"task_1","status":"needs_info","use":"post"}},"orders":{"order_2":{"charge":"charge_0a1b2c3d"}}}`: "",
		`{"requests":{}}`:                                                      state.ClassValue,
		`{"requests":{},"orders":{},"notes":1}`:                                state.ClassUnknownKey,
		`{"requests":{"17":{}},"orders":{}}`:                                   state.ClassUnknownKey,
		`{"requests":{"r_1":"running"},"orders":{}}`:                           state.ClassType,
		`{"requests":{},"orders":{"order_1":{}}}`:                              state.ClassValue,
		`{"requests":{},"orders":{"order_1":{"lot":"lot_1"}}}`:                 state.ClassUnknownKey,
		`{"requests":{"r_1":{"ticket":"task_1","status":"done"}},"orders":{}}`: state.ClassValue,
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

// Commands that mean the same are the same, however their JSON is written.
func TestMeans(t *testing.T) {
	t.Parallel()
	plan := demand{id: "r_1", goal: goalShip, subject: "order_1", carrier: "post"}.run(nil).String()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`Run r_1 charge {"order":"order_1","amount":500}`, `Run r_1 charge { "amount": 500.0, "order": "order_1" }`, true},
		{`Run r_1 charge {"order":"order_1","amount":500}`, `Run r_1 charge {"order":"order_1","amount":"500"}`, false},
		{`Run r_1 charge {"order":"order_1"}`, `Run r_1 charge {"order":"order_1","amount":500}`, false},
		{`Run r_1 notify {"order":"order_1"}`, `Run r_2 notify {"order":"order_1"}`, false},
		{`Run r_1 notify {"order":"order_1"}`, `Run r_1 reserve {"order":"order_1"}`, false},
		{`Cancel task_1`, `Cancel task_1`, true},
		{`Cancel task_1`, `Resume task_1`, false},
		{"Wait", "Wait", true},
		{plan, strings.Replace(plan, `,"depends_on":[]`, "", 1), true},
		{plan, strings.Replace(plan, `"depends_on":[1]`, `"depends_on":[]`, 1), false},
		{plan, strings.Replace(plan, "post", "drone", 1), false},
		{plan, `Plan r_1 {}`, false},
	} {
		a, errA := parse(c.a)
		b, errB := parse(c.b)
		if errA != nil || errB != nil || a.means(b) != c.same || b.means(a) != c.same {
			t.Errorf("%s and %s: same %t (%v, %v)", c.a, c.b, a.means(b), errA, errB)
		}
	}
}

func TestGrammar(t *testing.T) {
	t.Parallel()
	for action, want := range map[string]string{
		"":                        `want Run, Plan, Cancel, Resume, Retry, Escalate or Wait, got ""`,
		"Wait now":                `Wait: want nothing after it, got "now"`,
		"Cancel 12":               `Cancel: want a ticket such as task_1234, got "12"`,
		"Retry task_1 task_2":     `Retry: want a ticket such as task_1234, got "task_1 task_2"`,
		"Run charge {}":           `Run: want a request such as r_17, got "charge"`,
		"Run r_1 {}":              `Run: want a skill behind the request, got "{}"`,
		"Run r_1 charge":          `Run: want one JSON object on one line at the end, got ""`,
		"Run r_1 charge {}}":      `Run: want one JSON object on one line at the end, got "{}}"`,
		"Plan r_1 [1]":            `Plan: want one JSON object on one line at the end, got "[1]"`,
		"Plan r_1 {\"a\":\n1}":    `Plan: want one JSON object on one line at the end, got "{\"a\":\n1}"`,
		strings.Repeat("W", 2001): `want a command of at most 2000 bytes, got 2001`,
	} {
		if err := Grammar(action); err == nil || err.Error() != want {
			t.Errorf("%.40q: got %v, want %s", action, err, want)
		}
	}
}
