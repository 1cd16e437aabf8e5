package skills

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNegativeHolds(t *testing.T) {
	t.Parallel()
	state := map[string]any{
		"paid": true, "total": 12.5, "items": json.Number("3"), "status": "sent",
		"tags": []any{"gift", json.Number("7")}, "order": map[string]any{"paid": false, "lines": []string{"a", "b"}},
	}
	for text, want := range map[string]bool{
		"paid == true":                             true,
		"not (paid == true)":                       false,
		"paid != true || total > 12":               true,
		"paid == true and total >= 12.5":           true,
		"items == 3":                               true,
		"items < -1":                               false,
		`status in ["sent", "lost"]`:               true,
		`status not in ["sent"]`:                   false,
		`"gift" in tags`:                           true,
		"7 in tags":                                true,
		`"paid" in order`:                          true,
		"order.paid == false":                      true,
		`order["paid"] == false`:                   true,
		"order?.paid == false":                     true,
		"len(order.lines) == 2":                    true,
		"len(status) > 3":                          true,
		"true":                                     true,
		"unknown == nil":                           true,
		"unknown == false":                         false,
		"unknown.deep.down == nil":                 true,
		"order.nothing.paid != nil":                false,
		"unknown > 3":                              false,
		"unknown <= 3":                             false,
		"not (unknown > 3)":                        true,
		"len(unknown) == 0":                        true,
		`"a" in unknown`:                           false,
		`status == 7`:                              false,
		"order.paid == false and not (total > 20)": true,
	} {
		n := Negative{State: text}
		if got, err := n.Holds(state); err != nil || got != want {
			t.Errorf("%s: %v, %v, want %v", text, got, err, want)
		}
	}
	if holds, err := (Negative{Topic: "anything"}).Holds(state); holds || err != nil {
		t.Errorf("a topic: %v, %v", holds, err)
	}
	if holds, err := (Negative{State: "paid == nil"}).Holds(nil); !holds || err != nil {
		t.Errorf("no state: %v, %v", holds, err)
	}
}

// TestNegativeOfUnlikeKinds: what cannot be compared is an error and no panic.
func TestNegativeOfUnlikeKinds(t *testing.T) {
	t.Parallel()
	state := map[string]any{"status": "sent", "n": 3, "self": Skill{}}
	for _, text := range []string{"status > 3", "status.deep == 1", "len(n) == 1", `"a" in n`} {
		if holds, err := (Negative{State: text}).Holds(state); err == nil || holds || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %v", text, holds, err)
		}
	}
	if holds, err := (Negative{State: "self == nil"}).Holds(state); !holds || err != nil {
		t.Errorf("a value that is not JSON: %v, %v", holds, err)
	}
}

func TestStatesAreBounded(t *testing.T) {
	t.Parallel()
	state := map[string]any{}
	state["self"] = state
	if holds, err := (Negative{State: "self.self.self != nil"}).Holds(state); !holds || err != nil {
		t.Errorf("a state that holds itself: %v, %v", holds, err)
	}
}

// TestExpressionsAreRestricted: nothing but looking and comparing.
func TestExpressionsAreRestricted(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "paid", "1", `"text"`, "order.paid", "not paid", "paid and true", "nil",
		"a + 1 == 2", "a * 2 > 1", "a ** 9 > 1", "1..9 == a", `a matches "x"`, `a contains "x"`, `a startsWith "x"`,
		"a ?? true", "a ? true : false", "if a == 1 { true } else { false }", "let x = 1; x == 1", "a == 1; b == 2",
		"all(a, # == 1)", "filter(a, true) == a", "map(a, #) == a", "now() == 1", "env() == 1", "$env == 1", `$env["a"] == 1`,
		"a.b() == 1", "a() == 1", "len() == 1", "len(a, b) == 1", "a[0] == 1", "a[b] == 1", "a[1:2] == 1", "{} == a", `{"a": 1} == a`,
		"a | len == 1", `"a" < 1`, `len("a") == "b" + "c"`, `abs(a) == 1`, strings.Repeat("(", 300), strings.Repeat("not ", 99) + "true",
		strings.Repeat("a == 1 and ", 40) + "true",
	} {
		if _, err := compile(text); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// TestConditionsAlwaysDecide: an expression that was let in gives an answer or an
// error for any state.
func TestConditionsAlwaysDecide(t *testing.T) {
	t.Parallel()
	leaf := rapid.OneOf(rapid.SampledFrom([]string{"a", "b", "a.b", "a.b.c", "nil", "true", "1", "-2.5", `"x"`, "[1, a]", "len(a)", `a["b"]`}))
	comparison := rapid.Custom(func(t *rapid.T) string {
		operator := rapid.SampledFrom([]string{"==", "!=", "<", "<=", ">", ">=", "in", "not in"}).Draw(t, "operator")
		return leaf.Draw(t, "left") + " " + operator + " " + leaf.Draw(t, "right")
	})
	value := rapid.SampledFrom([]any{nil, true, 1, 2.5, json.Number("1e400"), "x", []any{1, "x"}, map[string]any{"b": nil}, map[string]any{"b": map[string]any{"c": 1}}, struct{}{}})
	rapid.Check(t, func(t *rapid.T) {
		text := comparison.Draw(t, "one") + rapid.SampledFrom([]string{" and ", " or ", " && not ", " || !"}).Draw(t, "and") + "(" + comparison.Draw(t, "other") + ")"
		held, err := compile(text)
		if err != nil {
			t.Skip(err) // literals that can never be compared
		}
		state := map[string]any{"a": value.Draw(t, "a"), "b": value.Draw(t, "b")}
		one, err1 := held.in(state)
		other, err2 := Negative{State: text}.Holds(state)
		if one != other || (err1 == nil) != (err2 == nil) || err1 != nil && strings.Contains(err1.Error(), "\n") {
			t.Fatalf("%s: %v %v, then %v %v", text, one, err1, other, err2)
		}
	})
}

func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"paid == true", "a.b in [1, 2]", "len(a) > 3 and not (b == nil)", "a?.b?.c == 1", "(("} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		held, err := compile(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
			return
		}
		for _, state := range []map[string]any{nil, {"a": 1, "b": "x", "paid": []any{1}}, {"a": map[string]any{"b": true}}} {
			if _, err := held.in(state); err != nil && strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		}
	})
}
