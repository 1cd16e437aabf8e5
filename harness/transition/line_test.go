package transition

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

func TestActionLine(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, want string }{
		"alone":                {"Action: Wait", "Wait"},
		"after reasoning":      {"The dock is empty.\n\nAction: Wait\n", "Wait"},
		"CRLF":                 {"So.\r\nAction: Ship item_1 shelf_2\r\n", "Ship item_1 shelf_2"},
		"byte order mark":      {"\uFEFFAction: Wait", "Wait"},
		"the last":             {"Action: Wait\nNo.\nAction: Ship item_1 shelf_2\nDone.", "Ship item_1 shelf_2"},
		"made-up turn":         {"Action: Wait\nObservation: item_3 arrived\nAction: Store item_3 shelf_0", "Store item_3 shelf_0"},
		"lower case":           {"action: Wait", "Wait"},
		"upper case":           {"ACTION : Wait", "Wait"},
		"bold label":           {"**Action:** Wait", "Wait"},
		"bold label, colon":    {"**Action**: Wait", "Wait"},
		"bold line":            {"**Action: Wait**", "Wait"},
		"code line":            {"`Action: Ship item_1 shelf_2`", "Ship item_1 shelf_2"},
		"code command":         {"Action: `Ship item_1 shelf_2`", "Ship item_1 shelf_2"},
		"bold and code":        {"**Action:** `Wait`", "Wait"},
		"in a fence":           {"```\nAction: Wait\n```", "Wait"},
		"marks inside":         {"Action: Search `foo` in *bar*", "Search `foo` in *bar*"},
		"trailing text stays":  {"Action: Wait (nothing to do)", "Wait (nothing to do)"},
		"trailing stop stays":  {"Action: Wait.", "Wait."},
		"thinking before":      {"<think>\nAction: Ship item_1 shelf_2\n</think>\nAction: Wait", "Wait"},
		"thinking after":       {"Action: Wait\n<think>\nAction: Ship item_1 shelf_2", "Wait"},
		"word inside":          {"My action: none.\nAction: Wait\nReaction: good\nActions: two", "Wait"},
		"blank line after":     {"Action: Wait\n\n\n", "Wait"},
		"update not looked at": {"StateUpdate: {broken\nAction: Wait", "Wait"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			move, found := Parse(model.ActionLine, "", "", record.Reply{Text: test.text, Finish: record.Stop})
			if found != nil || show(move) != test.want+" | - | " {
				t.Errorf("%q: got %s %v, want %s", test.text, show(move), found, test.want)
			}
		})
	}
}

func TestActionLineRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text   string
		finish record.Finish
		want   string
	}{
		{"I wait.", record.Stop, ActionGrammar},
		{"Action Wait", record.Stop, ActionGrammar},
		{"Action:", record.Stop, ActionGrammar},
		{"Action: ** **", record.Stop, ActionGrammar},
		{"So the action: Wait", record.Stop, ActionGrammar},
		{"The last line:\nAction\n: Wait", record.Stop, ActionGrammar},
		{good, record.Stop, ActionGrammar},
		{"Action: Wait\nAction:", record.Stop, ActionGrammar},
		{"<think>\nAction: Wait\n</think>\nDone", record.Stop, ActionGrammar},
		{"<think>\nAction: Wait", record.Stop, Empty},
		{" \n", record.Stop, Empty},
		{"I'm sorry, but I can't do that.", record.Stop, Refusal},
		{"I'm sorry, but I must:\nAction: Wait", record.Stop, ""},
		{"Action: Wait", record.Refusal, Refusal},
		{"Let me see", record.Length, Truncated},
		{"Action: Ship item_1 shelf_4", record.Length, Truncated},
		{"Action: Ship item_1 shelf_4\n", record.Length, ""},
		{"Action: Ship item_1 shelf_4", record.Unknown, ""},
	} {
		_, found := Parse(model.ActionLine, "", "", record.Reply{Text: test.text, Finish: test.finish})
		if classes(found) != test.want {
			t.Errorf("%s %q: got %v, want %q", test.finish, test.text, found, test.want)
		}
	}
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text    string
		finish  record.Finish
		classes string
		want    string
	}{
		{"Action: Wait", record.Stop, "", "Wait | - | "},
		{"Action: Wait\nStateUpdate: {\"a\": 1}", record.Stop, "", `Wait | {"a":1} | `},
		{"StateUpdate: {\"a\": 1}\nAction: Wait", record.Stop, "", `Wait | {"a":1} | `},
		{"StateUpdate:\n{\n  \"a\": {\r\n    \"b\": null\r\n  }\n}\nAction: Wait", record.Stop, "", `Wait | {"a":{"b":null}} | `},
		{"Action: Wait\n**StateUpdate:**\n```json\n{\"a\": 1}\n```", record.Stop, "", `Wait | {"a":1} | `},
		{"Action: Wait\nstateupdate: `{\"a\": 1}`", record.Stop, "", `Wait | {"a":1} | `},
		{"Action: Wait\nStateUpdate: {}", record.Stop, "", `Wait | {} | `},
		{"StateUpdate: {\"a\": 1}\nStateUpdate: {\"b\": 2}\nAction: Wait", record.Stop, "", `Wait | {"b":2} | `},
		{"StateUpdate: {\"a\": \"\\nAction: Ship\"}\nAction: Wait", record.Stop, "", `Wait | {"a":"\nAction: Ship"} | `},
		{"Action: Wait\nStateUpdate: {\"a\": 1} as said", record.Length, "", `Wait | {"a":1} | `},
		{"{\"a\": 1}\nAction: Wait", record.Stop, "", "Wait | - | "},

		{"Action: Wait\nStateUpdate: {\"a\": 1,}", record.Stop, JSONSyntax, "Wait | - | "},
		{"Action: Wait\nStateUpdate: none", record.Stop, JSONSyntax, "Wait | - | "},
		{"Action: Wait\nStateUpdate: [1]", record.Stop, JSONSyntax, "Wait | - | "},
		{"StateUpdate: {\"a\": {\"b\": 1}\nAction: Wait", record.Stop, JSONSyntax, "Wait | - | "},
		{"StateUpdate: {\"a\": 1, \"a\": 2}\nAction: Wait", record.Stop, JSONSyntax, "Wait | - | "},
		{"StateUpdate: {\"a\": 1,}\nNo action", record.Stop, JSONSyntax + " " + ActionGrammar, " | - | "},
		{"Action: Wait\nStateUpdate: {\"a\": 1", record.Stop, Truncated, "Wait | - | "},
		{"Action: Wait\nStateUpdate:", record.Length, Truncated, "Wait | - | "},
		{"Action: Wait\nStateUpdate:", record.Stop, JSONSyntax, "Wait | - | "},
		{"Action: Wait\nStateUpdate: {\"a\": x", record.Length, Truncated + " " + JSONSyntax, "Wait | - | "},
	} {
		move, found := Parse(model.Update, "", Strict, record.Reply{Text: test.text, Finish: test.finish})
		if classes(found) != test.classes || show(move) != test.want {
			t.Errorf("%q: got %s %v, want %s %s", test.text, show(move), found, test.want, test.classes)
		}
	}
	move, found := Parse(model.Update, "", Lenient, record.Reply{Text: "Action: Wait\nStateUpdate: {a: 'x',}", Finish: record.Stop})
	if want := `Wait | {"a":"x"} | repaired repaired:json_syntax`; found != nil || show(move) != want {
		t.Errorf("got %s %v, want %s", show(move), found, want)
	}
}

func TestProse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"item_1 is on shelf_2.": "", good: "", "I'm sorry, but I can't.": "",
		" ": Empty, "<think>item_1 is on shelf_2.</think>": Empty,
	} {
		move, found := Parse(model.Prose, "", "", record.Reply{Text: text, Finish: record.Length})
		got, _, _ := strings.Cut(classes(found), " ")
		if got != want || move.Action != "" || move.Patch != nil {
			t.Errorf("%q: got %s %v, want %q", text, show(move), found, want)
		}
	}
}
