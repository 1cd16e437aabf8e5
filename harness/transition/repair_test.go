package transition

import (
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

func TestLenient(t *testing.T) {
	t.Parallel()
	const flags = "repaired repaired:json_syntax"
	for name, test := range map[string]struct{ text, want string }{
		"trailing commas":  {`{"state_patch": {"a": [1,],}, "action": "Wait",}`, `Wait | {"a":[1]} | ` + flags},
		"unquoted keys":    {`{state_patch: {}, action: "Ship item_1 shelf_2"}`, `Ship item_1 shelf_2 | {} | ` + flags},
		"single quotes":    {`{'state_patch': {'a': null}, 'action': 'Wait'}`, `Wait | {"a":null} | ` + flags},
		"comments":         {"{\"state_patch\": {} /* none */, // so\n\"action\": \"Wait\"}", `Wait | {} | ` + flags},
		"None":             {`{"state_patch": {"a": None}, "action": "Wait"}`, `Wait | {"a":null} | ` + flags},
		"missing brace":    {"```json\n{\"state_patch\": {\"a\": \"b\"}, \"action\": \"Wait\"\n```", `Wait | {"a":"b"} | ` + flags},
		"curly quotes":     {`{“state_patch”: {}, “action”: “Wait”}`, `Wait | {} | ` + flags},
		"raw newline":      {"{\"state_patch\": {\"a\": \"x\ny\"}, \"action\": \"Wait\"}", `Wait | {"a":"x\ny"} | ` + flags},
		"bareword":         {`{"state_patch": {}, "action": Ship item_1 shelf_2}`, `Ship item_1 shelf_2 | {} | ` + flags},
		"missing commas":   {"{\"state_patch\": {\"a\": 1 \"b\": [1 2]}\n\"action\": \"Wait\"}", `Wait | {"a":1,"b":[1,2]} | ` + flags},
		"full width":       {`{"state_patch"：{}，"action"：＂Wait＂}`, `Wait | {} | ` + flags},
		"escapes":          {`{"state_patch": {"a": "C:\work\u00e9 it\'s"}, "action": "Wait"}`, `Wait | {"a":"C:\\worké it's"} | ` + flags},
		"short escape":     {`{"state_patch": {"a": "\u12g4"}, "action": "Wait"}`, `Wait | {"a":"\\u12g4"} | ` + flags},
		"quotes in quotes": {`{'state_patch': {'a': 'the "big" box'}, 'action': 'Wait'}`, `Wait | {"a":"the \"big\" box"} | ` + flags},
		"marks":            {"{\uFEFF\"state_patch\":\u00a0{},\u200b\"action\": \"Wait\"}", `Wait | {} | ` + flags},
		"hash comment":     {"{\"state_patch\": {}, # none\n\"action\": \"Wait\"}", `Wait | {} | ` + flags},
		"long":             {`{"state_patch": {"a": "` + strings.Repeat("x", 1000) + `",}, "action": "Wait"}`, `Wait | {"a":"` + strings.Repeat("x", 1000) + `"} | ` + flags},
		"long number":      {`{"state_patch": {"a": [` + strings.Repeat("1", 60) + `,]}, "action": "Wait"}`, `Wait | {"a":[` + strings.Repeat("1", 60) + `]} | ` + flags},
		"strict already":   {good, goodMove},
		"strict one wins":  {other + ` {"state_patch": {"a": 1,}, "action": "Wait"}`, "Wait | {} | "},

		"duplicate key":       {`{"state_patch": {"a": 1, "a": 2}, "action": "Wait"}`, JSONSyntax},
		"syntax and envelope": {`{"state_patch": {}, "reason": "x",}`, JSONSyntax},
		"envelope":            {`{"state_patch": {}}`, Envelope},
		"text ends in it":     {`{"state_patch": {}, 'action': "Ship item_1 shelf_4`, JSONSyntax},
		"too deep":            {`{"state_patch": {"a": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}, "action": "Wait"}`, JSONSyntax},
		"NaN":                 {`{"state_patch": {"a": NaN}, "action": "Wait"}`, JSONSyntax},
		"malformed number":    {`{"state_patch": {"a": 01}, "action": "Wait"}`, JSONSyntax},
		"lone surrogate":      {`{"state_patch": {"a": "\ud800"}, "action": "Wait"}`, JSONSyntax},
		"unescaped quote":     {`{"state_patch": {"a": "the "big" box"}, "action": "Wait"}`, JSONSyntax},
		"apostrophe":          {`{'state_patch': {'a': 'it's'}, 'action': 'Wait'}`, JSONSyntax},
		"quote missing":       {`{"state_patch": {"a": "x}}, "action": "Wait"}`, JSONSyntax},
		"string open":         {"```json\n{\"state_patch\": {}, \"action\": \"Ship item_1 shelf_4\n```", JSONSyntax},
		"wrong bracket":       {`{"state_patch": {"a": [1}, "action": "Wait"}`, JSONSyntax},
		"value missing":       {`{"state_patch": {"a": }, "action": "Wait"}`, JSONSyntax},
		"inner brace missing": {"```json\n{\"state_patch\": {\"a\": {}, \"action\": \"Wait\"}\n```", JSONSyntax},
		"text ends before }":  {`{"state_patch": {}, 'action': 'Wait'`, JSONSyntax},
		"prose":               {"I wait.", NoJSON},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			move, found := Parse(model.Envelope, "", Lenient, record.Reply{Text: test.text, Finish: record.Stop})
			got := classes(found)
			if found == nil {
				got = show(move)
			}
			if got != test.want {
				t.Errorf("%q:\n got %s\nwant %s", test.text, got, test.want)
			}
		})
	}
}

// A limit may have cut the action that a repair would make look complete.
func TestLenientNeverMendsWhatWasCut(t *testing.T) {
	t.Parallel()
	text := `{"state_patch": {"a": 1,}, "action": "Wait"}`
	_, found := Parse(model.Envelope, "", Lenient, record.Reply{Text: text, Finish: record.Length})
	if want := Truncated + " " + JSONSyntax; classes(found) != want {
		t.Errorf("got %v, want %s", found, want)
	}
}

func TestMendGuessesNoFurther(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"a": 1,} and more`, `{"a": [foo "x"]}`, `{"a": foo {}}`, `{"a": b: 1}`, `{"a" 1}`, `{"a": 1 2}`, `{[]}`, `{"a": ]}`, `{"a": "x`, "{", "x: {",
		`{"a": ` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "}",
	} {
		if out, ok := mend(text); ok && string(out) != "{}" {
			t.Errorf("%s became %s", text, out)
		}
	}
	if out, ok := mend(`{"a": ` + strings.Repeat("[", 63)); !ok || len(out) != 5+2*63+1 {
		t.Errorf("got %s %v", out, ok)
	}
}
