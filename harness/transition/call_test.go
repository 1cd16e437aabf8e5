package transition

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

func TestToolCall(t *testing.T) {
	t.Parallel()
	call := func(arguments string) record.ToolCall {
		return record.ToolCall{Name: ToolName, Arguments: arguments}
	}
	for name, test := range map[string]struct {
		text          string
		calls         []record.ToolCall
		classes, hint string
	}{
		"good":             {"", []record.ToolCall{call(good)}, "", ""},
		"text beside it":   {"I say " + other, []record.ToolCall{call(good)}, "", ""},
		"blanks around it": {"", []record.ToolCall{call(" \n" + good + "\r\n")}, "", ""},
		"tags in strings":  {"", []record.ToolCall{call(`{"state_patch": {"a": "<think>"}, "action": "Wait"}`)}, "", ""},

		"two calls":           {"", []record.ToolCall{call(good), call(good)}, Envelope, "2 tool calls, want exactly one"},
		"split in two calls":  {"", []record.ToolCall{call(`{"state_patch": {}}`), call(`{"action": "Wait"}`)}, Envelope, "carries both parts"},
		"one part":            {"", []record.ToolCall{call(`{"action": "Wait"}`)}, Envelope, `missing "state_patch"`},
		"other part":          {"", []record.ToolCall{call(`{"state_patch": {}}`)}, Envelope, `missing "action"`},
		"wrong name":          {"", []record.ToolCall{{Name: "update_state", Arguments: good}}, Envelope, `call of "update_state"`},
		"no name":             {"", []record.ToolCall{{Arguments: good}}, Envelope, `call of ""`},
		"extra part":          {"", []record.ToolCall{call(`{"state_patch": {}, "action": "Wait", "why": ""}`)}, Envelope, `unexpected "why"`},
		"patch as a string":   {"", []record.ToolCall{call(`{"state_patch": "{}", "action": "Wait"}`)}, Envelope, "state_patch is a string"},
		"text instead":        {good, nil, NoJSON, "no tool call"},
		"refusal instead":     {"I cannot help with that.", nil, Refusal, ""},
		"nothing":             {" ", nil, Empty, ""},
		"empty arguments":     {"", []record.ToolCall{call("")}, NoJSON, "arguments"},
		"arguments null":      {"", []record.ToolCall{call("null")}, NoJSON, "arguments"},
		"arguments a list":    {"", []record.ToolCall{call("[" + good + "]")}, NoJSON, "arguments"},
		"arguments a string":  {"", []record.ToolCall{call(`"` + strings.ReplaceAll(good, `"`, `\"`) + `"`)}, NoJSON, "arguments"},
		"in a fence":          {"", []record.ToolCall{call(fenced(good))}, NoJSON, "arguments"},
		"two objects":         {"", []record.ToolCall{call(other + good)}, JSONSyntax, "line 1:38: more text after the object"},
		"text after":          {"", []record.ToolCall{call(good + " done")}, JSONSyntax, "more text after the object"},
		"trailing comma":      {"", []record.ToolCall{call(`{"state_patch": {}, "action": "Wait",}`)}, JSONSyntax, "trailing comma"},
		"duplicate":           {"", []record.ToolCall{call(`{"action": "Wait", "state_patch": {}, "action": "Wait"}`)}, JSONSyntax, "duplicate key"},
		"unquoted":            {"", []record.ToolCall{call(`{state_patch: {}, action: "Wait"}`)}, JSONSyntax, "unquoted key"},
		"cut":                 {"", []record.ToolCall{call(good[:40])}, Truncated, ""},
		"cut with single quo": {"", []record.ToolCall{call(`{'state_patch': {`)}, JSONSyntax, "single quotes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reply := record.Reply{Text: test.text, Calls: test.calls, Finish: record.ToolCalls}
			_, found := Parse(model.Envelope, model.Tool, Strict, reply)
			if classes(found) != test.classes || len(found) > 0 && !strings.Contains(found[0].Hint, test.hint) {
				t.Errorf("got %v, want %s with %q", found, test.classes, test.hint)
			}
		})
	}
}

// Calls that nobody asked for are not an empty reply.
func TestUnwantedCall(t *testing.T) {
	t.Parallel()
	reply := record.Reply{Calls: []record.ToolCall{{Name: "wait"}}, Finish: record.ToolCalls}
	for form, want := range map[model.Form]string{model.ActionLine: ActionGrammar, model.Envelope: NoJSON} {
		if _, found := Parse(form, model.Fenced, Strict, reply); classes(found) != want {
			t.Errorf("%s: got %v, want %s", form, found, want)
		}
	}
}
