package transition

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/state"
)

func TestSort(t *testing.T) {
	t.Parallel()
	vs := []state.Violation{
		{Class: "fabricated"},
		{Class: ActionGrammar},
		{Class: SchemaType, Path: "/shelf_10", Hint: "1"},
		{Class: SchemaType, Path: "/shelf_2", Hint: "2"},
		{Class: SchemaType, Path: "/shelf_10", Hint: "3"},
		{Class: SchemaUnknownKey, Path: "/z"},
		{Class: JSONSyntax},
		{Class: Truncated},
	}
	Sort(vs)
	want := []state.Violation{
		{Class: Truncated},
		{Class: JSONSyntax},
		{Class: SchemaUnknownKey, Path: "/z"},
		{Class: SchemaType, Path: "/shelf_2", Hint: "2"},
		{Class: SchemaType, Path: "/shelf_10", Hint: "1"},
		{Class: SchemaType, Path: "/shelf_10", Hint: "3"},
		{Class: ActionGrammar},
		{Class: "fabricated"},
	}
	if diff := cmp.Diff(want, vs); diff != "" {
		t.Error(diff)
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain":                                    "plain",
		"<think>a</think> b":                       "b",
		"a <think>b</think> c":                     "a  c",
		"a</think> b":                              "b",
		"a <think>b":                               "a",
		"<think>a</think>b<think>c</think>d":       "bd",
		"<think>a<think>b</think>c":                "c",
		`<think>5" wide</think>a<think>b</think>c`: "ac",
		"<think>a":                                 "",
		"<Thinking>it's 5\" wide</thinking>x":      "x",
		`say "<think>" aloud`:                      `say "<think>" aloud`,
		`say "\"<think>" aloud`:                    `say "\"<think>" aloud`,
		"a < b <thin> <think":                      "a < b <thin> <think",
		"quote \" here\n<think>b</think>c":         "quote \" here\nc",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
