package transition

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

const (
	good  = `{"state_patch": {"inventory": {"shelf_4": "item_9"}}, "action": "Store item_9 shelf_4"}`
	other = `{"state_patch": {}, "action": "Wait"}`
)

func fenced(object string) string { return "```json\n" + object + "\n```" }

func parseText(text string) (record.Move, []state.Violation) {
	return Parse(model.Envelope, model.Fenced, Strict, record.Reply{Text: text, Finish: record.Stop})
}

func classes(vs []state.Violation) string {
	var names []string
	for _, v := range vs {
		names = append(names, v.Class)
	}
	return strings.Join(names, " ")
}

func show(m record.Move) string {
	patch := "-"
	if m.Patch != nil {
		patch = m.Patch.Compact()
	}
	return fmt.Sprintf("%s | %s | %s", m.Action, patch, strings.Join(m.Flags, " "))
}

const goodMove = `Store item_9 shelf_4 | {"inventory":{"shelf_4":"item_9"}} | `

func TestEnvelopeAccepted(t *testing.T) {
	t.Parallel()
	disagree := goodMove + BlocksDisagree
	for name, test := range map[string]struct{ text, want string }{
		"fenced":             {"The dock holds item_9.\n\n" + fenced(good) + "\n", goodMove},
		"fence without name": {"```\n" + good + "\n```", goodMove},
		"tildes":             {"~~~json\n" + good + "\n~~~", goodMove},
		"capital JSON":       {"```JSON\n" + good + "\n```", goodMove},
		"indented fence":     {"1. So:\n   ```json\n   " + good + "\n   ```", goodMove},
		"fence never closed": {"```json\n" + good, goodMove},
		"fence on the line":  {"Answer: ```json " + good + "```", goodMove},
		"bare":               {good, goodMove},
		"bare in prose":      {"I answer " + good + " and wait.", goodMove},
		"over lines":         {"```json\n{\n  \"state_patch\": {\n    \"inventory\": {\"shelf_4\": \"item_9\"}\n  },\n  \"action\": \"Store item_9 shelf_4\"\n}\n```", goodMove},
		"other order":        {`{"action": "Wait", "state_patch": {}}`, "Wait | {} | "},
		"escaped keys":       {`{"\u0061ction": "Wait", "state_\u0070atch": {}}`, "Wait | {} | "},
		"null in patch":      {`{"state_patch": {"inventory": {"shelf_42": null}}, "action": "Ship item_12 shelf_42"}`, `Ship item_12 shelf_42 | {"inventory":{"shelf_42":null}} | `},
		"numbers as written": {`{"state_patch": {"n": 1.50, "m": -0, "big": 12345678901234567890}, "action": "Wait"}`, `Wait | {"big":12345678901234567890,"m":-0,"n":1.50} | `},
		"byte order mark":    {"\uFEFF" + fenced(good), goodMove},
		"CRLF":               {"Reason.\r\n\r\n```json\r\n{\r\n\"state_patch\": {},\r\n\"action\": \"Wait\"\r\n}\r\n```\r\n", "Wait | {} | "},
		"unicode":            {`{"state_patch": {"заметка": "полка 📦 \ud83d\ude80"}, "action": "Wait"}`, `Wait | {"заметка":"полка 📦 🚀"} | `},
		"empty action":       {`{"state_patch": {}, "action": ""}`, " | {} | "},

		"prose braces":            {"I set {x} and {inventory} first.\n" + fenced(good), goodMove},
		"prose brace unclosed":    {"I set {x here, then:\n" + good, goodMove},
		"set notation":            {"The empty shelves are {shelf_1, shelf_2}, so " + good, goodMove},
		"code in prose":           {"if (ok) { return; } else { x = \"{\" }\n" + good, goodMove},
		"emoticon":                {"Easy :{ \n" + good, goodMove},
		"fragment first":          {"The state is `{\"inventory\": {}}`.\n" + fenced(good), goodMove},
		"broken draft first":      {"```json\n{\"state_patch\": {}, \"action\": \n```\nNo:\n" + fenced(good), goodMove},
		"broken bare draft":       {`Draft {"state_patch": {"a": "x}, oops ` + "\nFinal: " + good, goodMove},
		"fragment last":           {good + "\nThat is {\"inventory\": {\"shelf_4\": \"item_9\"}} afterwards.", goodMove},
		"open fragment last":      {good + "\nI might add {\"sta", goodMove},
		"fence inside string":     {"```json\n" + `{"state_patch": {"notes": "use ` + "```json\\n{}\\n```" + ` here"}, "action": "Wait"}` + "\n```", "Wait | {\"notes\":\"use ```json\\n{}\\n``` here\"} | "},
		"JSON inside string":      {`{"state_patch": {"notes": "{\"state_patch\": {}, \"action\": \"Ship\"}"}, "action": "Wait"}`, `Wait | {"notes":"{\"state_patch\": {}, \"action\": \"Ship\"}"} | `},
		"braces inside string":    {`{"state_patch": {"notes": "}}{{ \\"}, "action": "Wait"}`, `Wait | {"notes":"}}{{ \\"} | `},
		"tag inside string":       {`{"state_patch": {"notes": "a <think> b </think>"}, "action": "Wait"}`, `Wait | {"notes":"a <think> b </think>"} | `},
		"closing tag in string":   {`{"state_patch": {"notes": "\"</think>"}, "action": "Wait"}`, `Wait | {"notes":"\"</think>"} | `},
		"tag after backslash":     {`{"state_patch": {"a": "\\"}, "action": "<think>"}`, `<think> | {"a":"\\"} | `},
		"thinking before":         {"<think>maybe " + other + "?</think>\n" + fenced(good), goodMove},
		"thinking after":          {fenced(good) + "\n<think>or " + other + "</think>", goodMove},
		"thinking on the line":    {"<think>" + other + "</think>" + good, goodMove},
		"thinking never opened":   {"The dock, say " + other + "\n</think>\n\n" + good, goodMove},
		"thinking with open {":    {"<think>{\"state_patch\": {\"a\": \"</think>" + good, goodMove},
		"long tag, other case":    {"<THINKING>\n" + other + "\n</Thinking>\n" + good, goodMove},
		"tag twice":               {"<think>a<think>" + other + "</think>" + other + "</think>" + good, goodMove},
		"same block twice":        {fenced(good) + "\nAgain:\n" + fenced(good), goodMove},
		"same, other spacing":     {`{"state_patch":{},"action":"Wait"}` + "\n" + other, "Wait | {} | "},
		"two, last counts":        {fenced(other) + "\nOn second thought:\n" + fenced(good), disagree},
		"three, two differ":       {good + other + good, disagree},
		"shortest":                {good + `{"action":"","state_patch":{}}`, " | {} | " + BlocksDisagree},
		"only the action differs": {strings.Replace(good, "Store", "Ship", 1) + good, disagree},
		"draft with open string":  {"```json\n{\"state_patch\": {\"a\": \"x\\\n```\n" + good, goodMove},
		"only the patch differs":  {`{"state_patch": {"a": 1}, "action": "Store item_9 shelf_4"} ` + good, disagree},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			move, found := parseText(test.text)
			if found != nil || show(move) != test.want {
				t.Errorf("%q:\n got %s %v\nwant %s", test.text, show(move), found, test.want)
			}
		})
	}
}

func TestEnvelopeBroken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ text, classes, hint string }{
		"trailing comma, object":  {`{"state_patch": {"a": "b",}, "action": "Wait"}`, JSONSyntax, "line 1:26: trailing comma"},
		"trailing comma, outer":   {"```json\n{\n\"state_patch\": {},\n\"action\": \"Wait\",\n}\n```", JSONSyntax, "line 4:17: trailing comma"},
		"trailing comma, array":   {`{"state_patch": {"a": [1, ] }, "action": "Wait"}`, JSONSyntax, "trailing comma"},
		"bareword action":         {`{"state_patch": {}, "action": Wait}`, JSONSyntax, `line 1:31: bareword "Wait"`},
		"bareword None":           {`{"state_patch": {"a": None}, "action": "Wait"}`, JSONSyntax, `bareword "None"`},
		"bareword True":           {`{"state_patch": {"a": True}, "action": "Wait"}`, JSONSyntax, `bareword "True"`},
		"bareword nul":            {`{"state_patch": {"a": nul}, "action": "Wait"}`, JSONSyntax, `bareword "nul"`},
		"bareword undefined":      {`{"state_patch": undefined, "action": "Wait"}`, JSONSyntax, `bareword "undefined"`},
		"bareword in array":       {`{"state_patch": {"a": [false, foo]}, "action": "Wait"}`, JSONSyntax, `bareword "foo"`},
		"unquoted first key":      {`{state_patch: {}, action: "Wait"}`, JSONSyntax, `line 1:2: unquoted key "state_patch"`},
		"unquoted inner key":      {`{"state_patch": {shelf_1: null}, "action": "Wait"}`, JSONSyntax, `unquoted key "shelf_1"`},
		"unquoted later key":      {`{"state_patch": {}, action: "Wait"}`, JSONSyntax, `unquoted key "action"`},
		"line comment":            {"{\"state_patch\": {}, // nothing\n\"action\": \"Wait\"}", JSONSyntax, "line 1:21: comment"},
		"block comment":           {`{"state_patch": {} /* nothing */, "action": "Wait"}`, JSONSyntax, "comment"},
		"comment first":           {"{ // the patch\n\"state_patch\": {}, \"action\": \"Wait\"}", JSONSyntax, "comment"},
		"hash comment":            {"{\"state_patch\": {}, # nothing\n\"action\": \"Wait\"}", JSONSyntax, "comment"},
		"single quotes":           {`{'state_patch': {}, 'action': 'Wait'}`, JSONSyntax, "line 1:2: single quotes"},
		"single quoted value":     {`{"state_patch": {}, "action": 'Wait'}`, JSONSyntax, "single quotes"},
		"backquotes":              {"{`state_patch`: {}, `action`: `Wait`}", JSONSyntax, "backquotes"},
		"brace missing in fence":  {"```json\n{\"state_patch\": {\"a\": {}, \"action\": \"Wait\"}\n```\nDone.", JSONSyntax, "unclosed object"},
		"quote missing":           {`{"state_patch": {"a": "x}}, "action": "Wait"}`, JSONSyntax, "unescaped quote inside a string, or a missing comma"},
		"array unclosed":          {"```json\n{\"state_patch\": {\"a\": [1, 2\n```", JSONSyntax, "unclosed array"},
		"string unclosed":         {"```json\n{\"state_patch\": {\"a\": \"x\n```", JSONSyntax, "line 2:25: unclosed string"},
		"wrong bracket":           {`{"state_patch": {"a": [1, 2}, "action": "Wait"}`, JSONSyntax, `'}' closes something else`},
		"duplicate outer key":     {`{"state_patch": {}, "action": "Wait", "action": "Ship item_1 shelf_1"}`, JSONSyntax, `line 1:39: duplicate key "action"`},
		"duplicate inner key":     {`{"state_patch": {"s": {"shelf_1": null, "shelf_1": "item_2"}}, "action": "Wait"}`, JSONSyntax, `duplicate key "shelf_1"`},
		"duplicate by escape":     {`{"state_patch": {"a": 1, "\u0061": 1}, "action": "Wait"}`, JSONSyntax, `duplicate key "a"`},
		"NaN":                     {`{"state_patch": {"a": NaN}, "action": "Wait"}`, JSONSyntax, `NaN or Infinity: "NaN"`},
		"minus Infinity":          {`{"state_patch": {"a": -Infinity}, "action": "Wait"}`, JSONSyntax, `NaN or Infinity: "-Infinity"`},
		"leading zero":            {`{"state_patch": {"a": 01}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"plus":                    {`{"state_patch": {"a": +1}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"no digit before point":   {`{"state_patch": {"a": .5}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"no digit after point":    {`{"state_patch": {"a": 1.}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"hexadecimal":             {`{"state_patch": {"a": 0x1F}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"grouped digits":          {`{"state_patch": {"a": 1_000}, "action": "Wait"}`, JSONSyntax, "malformed number"},
		"curly quotes":            {`{“state_patch”: {}, “action”: “Wait”}`, JSONSyntax, "full-width or curly punctuation “"},
		"full-width colon":        {`{"state_patch"：{}, "action": "Wait"}`, JSONSyntax, "full-width or curly punctuation ："},
		"full-width comma":        {`{"state_patch": {}，"action": "Wait"}`, JSONSyntax, "full-width or curly punctuation ，"},
		"lone high surrogate":     {`{"state_patch": {"a": "\ud83d"}, "action": "Wait"}`, JSONSyntax, `lone surrogate \ud83d`},
		"lone low surrogate":      {`{"state_patch": {"a": "\uDE80 x"}, "action": "Wait"}`, JSONSyntax, `lone surrogate \uDE80`},
		"bad escape":              {`{"state_patch": {"a": "C:\work"}, "action": "Wait"}`, JSONSyntax, `bad escape "\w"`},
		"bad unicode escape":      {`{"state_patch": {"a": "\u12g4"}, "action": "Wait"}`, JSONSyntax, `bad escape "\u"`},
		"escaped apostrophe":      {`{"state_patch": {"a": "it\'s"}, "action": "Wait"}`, JSONSyntax, `bad escape "\'"`},
		"raw newline":             {"{\"state_patch\": {\"a\": \"x\ny\"}, \"action\": \"Wait\"}", JSONSyntax, "line 1:25: raw line break inside a string"},
		"raw tab":                 {"{\"state_patch\": {\"a\": \"x\ty\"}, \"action\": \"Wait\"}", JSONSyntax, "raw control character U+0009"},
		"invalid UTF-8":           {"{\"state_patch\": {\"a\": \"\xff\"}, \"action\": \"Wait\"}", JSONSyntax, "invalid UTF-8"},
		"byte order mark inside":  {"{\"state_patch\": \uFEFF{}, \"action\": \"Wait\"}", JSONSyntax, "byte order mark"},
		"mark after the brace":    {"{\uFEFF\"state_patch\": {}, \"action\": \"Wait\"}", JSONSyntax, "byte order mark"},
		"no-break space":          {"{\u00a0\"state_patch\": {}, \"action\": \"Wait\"}", JSONSyntax, "invisible character U+00A0"},
		"zero width space":        {"{\"state_patch\":\u200b {}, \"action\": \"Wait\"}", JSONSyntax, "invisible character U+200B"},
		"comma missing":           {"{\"state_patch\": {}\n\"action\": \"Wait\"}", JSONSyntax, "line 2:1: missing comma"},
		"comma missing, number":   {`{"state_patch": {"a": 1 "b": 2}, "action": "Wait"}`, JSONSyntax, "missing comma"},
		"colon missing":           {`{"state_patch" {}, "action": "Wait"}`, JSONSyntax, "missing colon"},
		"colon doubled":           {`{"state_patch":: {}, "action": "Wait"}`, JSONSyntax, `unexpected ':', want a value`},
		"equals sign":             {`{"state_patch"= {}, "action": "Wait"}`, JSONSyntax, "missing colon"},
		"semicolon":               {`{"state_patch": {}; "action": "Wait"}`, JSONSyntax, `unexpected ';'`},
		"value missing":           {`{"state_patch": {"a": }, "action": "Wait"}`, JSONSyntax, `unexpected '}', want a value`},
		"comma doubled":           {`{"state_patch": {},, "action": "Wait"}`, JSONSyntax, `unexpected ','`},
		"quote inside":            {`{"state_patch": {"a": "the "big" box"}, "action": "Wait"}`, JSONSyntax, "unescaped quote"},
		"doubled braces":          {`{{"state_patch": {}, "action": "Wait"}}`, JSONSyntax, "doubled brace"},
		"escaped as a whole":      {`{\"state_patch\": {}, \"action\": \"Wait\"}`, JSONSyntax, "backslash outside a string"},
		"too deep":                {`{"state_patch": {"a": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}, "action": "Wait"}`, JSONSyntax, "nested deeper than 64"},
		"column in code points":   {`жжж {"state_patch": {"ключ": x}, "action": "Wait"}`, JSONSyntax, "line 1:30: bareword"},
		"the fault of the answer": {`{"state_patch": {"a": x}, "action": "Wait"} so {"b": y} holds`, JSONSyntax, `bareword "x"`},
		"inside a broken one":     {`{'state_patch': {"action": {"a": 1}}, 'action': "W`, JSONSyntax, "line 1:2: single quotes"},
		"nested, then broken":     {`{"answer": ` + good + `, 'x': `, JSONSyntax, "single quotes"},
		"the last of two":         {`{"state_patch": {"a": x}, "action": "Wait"}{"state_patch": {"b": y}, "action": "Wait"}`, JSONSyntax, `bareword "y"`},

		"extra key":             {`{"state_patch": {}, "action": "Wait", "reason": "full"}`, Envelope, `unexpected "reason"; want exactly the keys`},
		"extra keys":            {`{"z":1,"state_patch":{},"b":2,"a":3,"action":"Wait","c":4,"d":5}`, Envelope, `unexpected "a", "b", "c", 2 more`},
		"patch missing":         {`{"action": "Wait"}`, Envelope, `missing "state_patch"; want`},
		"action missing":        {`{"state_patch": {"inventory": {}}}`, Envelope, `missing "action"; want`},
		"both missing":          {`{}`, Envelope, `missing "state_patch" and "action"`},
		"other spelling":        {`{"statePatch": {}, "Action": "Wait"}`, Envelope, `missing "state_patch" and "action"; unexpected "Action", "statePatch"`},
		"the patch alone":       {fenced(`{"inventory": {"shelf_1": null}}`), Envelope, `unexpected "inventory"`},
		"wrapped":               {`{"response": ` + good + `}`, Envelope, `unexpected "response"`},
		"patch null":            {`{"state_patch": null, "action": "Wait"}`, Envelope, "state_patch is null, want an object"},
		"patch a list":          {`{"state_patch": [{"op": "add"}], "action": "Wait"}`, Envelope, "state_patch is an array, want an object"},
		"patch a string":        {`{"state_patch": "{}", "action": "Wait"}`, Envelope, "state_patch is a string, want an object"},
		"action null":           {`{"state_patch": {}, "action": null}`, Envelope, "action is null, want a string"},
		"action an object":      {`{"state_patch": {}, "action": {"name": "Wait"}}`, Envelope, "action is an object, want a string"},
		"action a list":         {`{"state_patch": {}, "action": ["Wait"]}`, Envelope, "action is an array, want a string"},
		"action a number":       {`{"state_patch": {}, "action": 3}`, Envelope, "action is a number, want a string"},
		"both kinds wrong":      {`{"state_patch": true, "action": false}`, Envelope + " " + Envelope, "state_patch is a boolean"},
		"patch in one, action":  {`{"state_patch": {"a": 1}} {"action": "Wait"}`, Envelope, `missing "state_patch"`},
		"valid example, answer": {`{"inventory": {}} then {"state_patch": {}}`, Envelope, `missing "action"`},

		"prose only":             {"I will wait for the next delivery.", NoJSON, "no JSON object"},
		"prose with braces":      {"I would set {x} and then wait {for now}.", NoJSON, ""},
		"prose with open brace":  {"I would set {x and then wait.", NoJSON, ""},
		"an action line":         {"The dock is empty.\nAction: Wait", NoJSON, ""},
		"empty fence":            {"```json\n```", NoJSON, ""},
		"YAML":                   {"```yaml\nstate_patch:\n  a: b\naction: Wait\n```", NoJSON, ""},
		"a list":                 {`["Wait"]`, NoJSON, ""},
		"all in thinking":        {"<think>" + good + "</think>\nSo be it.", NoJSON, ""},
		"thinking never closed":  {"Well.\n<think>\n" + good, NoJSON, ""},
		"hesitation, no refusal": {"I can't find item_5 anywhere, so I wait.", NoJSON, ""},

		"sorry":               {"I'm sorry, but I can't help with that.", Refusal, "refuses"},
		"cannot assist":       {"I cannot assist with this request.", Refusal, ""},
		"curly apostrophe":    {"I can’t help with that.", Refusal, ""},
		"as an AI":            {"As an AI language model, I do not have access to a warehouse.", Refusal, ""},
		"unable":              {"I am unable to perform physical actions.", Refusal, ""},
		"bold":                {"**I must decline.** Please ask a person.", Refusal, ""},
		"after thinking":      {"<think>This is odd.</think>\n\nSorry, I can't do this.", Refusal, ""},
		"broken, not refused": {"I'm sorry, but I erred: {\"state_patch\": {}, \"action\": Wait}", JSONSyntax, ""},

		"nothing":        {"", Empty, "the reply is empty"},
		"blanks":         {" \t\r\n\n", Empty, "the reply is empty"},
		"mark alone":     {"\uFEFF", Empty, ""},
		"thinking alone": {"<think>\nLet me see.\n</think>\n", Empty, "only thinking"},
		"open thinking":  {"<think>Let me see " + good, Empty, "only thinking"},
		"wide blanks":    {"\u00a0\u2003", Empty, ""},

		"cut in key":         {`{"state_pa`, Truncated, "before the JSON object is complete"},
		"cut after brace":    {"So:\n```json\n{", Truncated, ""},
		"cut in patch":       {"```json\n{\"state_patch\": {\"inventory\": {\"shelf_1\": \"item_1\"", Truncated, ""},
		"cut after patch":    {`{"state_patch": {"inventory": {"shelf_1": "item_1"}}`, Truncated, ""},
		"cut in action":      {`{"state_patch": {}, "action": "Ship item_1 shelf_4`, Truncated, ""},
		"cut before brace":   {`{"state_patch": {}, "action": "Ship item_1 shelf_4"`, Truncated, ""},
		"cut in escape":      {`{"state_patch": {"a": "\u00`, Truncated, ""},
		"cut after fragment": {"Σ is {\"inventory\": {}}.\n{\"state_patch\": {", Truncated, ""},
		"cut after another":  {`{"action": "none"} was old. {"sta`, Truncated, ""},
		"cut while nested":   {`{"answer": ` + good, Truncated, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			move, found := parseText(test.text)
			if classes(found) != test.classes {
				t.Fatalf("%q: got %s %v, want %s", test.text, show(move), found, test.classes)
			}
			if !strings.Contains(found[0].Hint, test.hint) {
				t.Errorf("%q:\n got hint %q\nwant %q in it", test.text, found[0].Hint, test.hint)
			}
		})
	}
}

// A provider's word about the end of a reply changes what it earns.
func TestFinish(t *testing.T) {
	t.Parallel()
	broken := `{"state_patch": {"a": b}, "action": "Wait"}`
	openBroken := `{'state_patch': {'a': `
	for _, test := range []struct {
		text   string
		finish record.Finish
		want   string
	}{
		{good, record.Length, ""},
		{good + " and so", record.Oversize, ""},
		{good + "\n" + `{"state_patch": {"`, record.Length, ""},
		{"The dock holds", record.Length, Truncated},
		{"I'm sorry, but I can't", record.Length, Truncated},
		{"Set {\"inventory\": {}} and", record.Length, Truncated + " " + Envelope},
		{broken + " because", record.Oversize, Truncated + " " + JSONSyntax},
		{`{"state_patch": {}, "act`, record.Length, Truncated},
		{`{"state_patch": {}, "act`, record.Unknown, Truncated},
		{`{"state_patch": {}, "act`, record.Stop, Truncated},
		{openBroken, record.Stop, JSONSyntax},
		{openBroken, record.Unknown, Truncated + " " + JSONSyntax},
		{openBroken, record.Length, Truncated + " " + JSONSyntax},
		{"", record.Length, Empty + " " + Truncated},
		{"<think>The dock", record.Length, Empty + " " + Truncated},
		{"", record.Refusal, Refusal},
		{good, record.Refusal, Refusal},
		{"", record.ContentFilter, Refusal},
		{good[:30], record.ContentFilter, Refusal},
	} {
		_, found := Parse(model.Envelope, "", Strict, record.Reply{Text: test.text, Finish: test.finish})
		if classes(found) != test.want {
			t.Errorf("%s %q: got %v, want %q", test.finish, test.text, found, test.want)
		}
	}
}

func TestThinkingFieldAlone(t *testing.T) {
	t.Parallel()
	_, found := Parse(model.Envelope, "", Strict, record.Reply{Thinking: good, Finish: record.Stop})
	if classes(found) != Empty || !strings.Contains(found[0].Hint, "only thinking") {
		t.Errorf("got %v", found)
	}
}

// A reply cut anywhere is complete or truncated, never the fault of its writer:
// in particular the patch alone is not taken for an envelope.
func TestTruncationAtEveryByte(t *testing.T) {
	t.Parallel()
	patch := state.From(map[string]any{"inventory": map[string]any{
		"shelf_1": "item \"1\" {x} \\ é📦", "action": map[string]any{"state_patch": map[string]any{}, "action": "Wait"},
	}})
	for _, wire := range []model.Wire{model.Fenced, model.JSONSchema, model.Tool} {
		whole := Write(model.Envelope, wire, "A reason with \"quotes\"; {braces}.", &patch, "Ship item_1 shelf_42")
		text := &whole.Text
		if wire == model.Tool {
			text = &whole.Calls[0].Arguments
		}
		full := *text
		complete := strings.LastIndexByte(full, '}') + 1
		started := strings.IndexByte(full, '{')
		for n := range len(full) {
			for _, finish := range []record.Finish{record.Stop, record.Unknown, record.Length, record.ToolCalls} {
				*text, whole.Finish = full[:n], finish
				_, found := Parse(model.Envelope, wire, Lenient, whole)
				switch {
				case n >= complete:
					if found != nil {
						t.Fatalf("%s %q: refused: %v", finish, full[:n], found)
					}
				case n <= started && finish != record.Length:
					if c := classes(found); c != NoJSON && c != Empty {
						t.Fatalf("%s %q: got %v, want no_json", finish, full[:n], found)
					}
				case !slices.ContainsFunc(found, func(v state.Violation) bool { return v.Class == Truncated }) || strings.Contains(classes(found), Envelope):
					t.Fatalf("%s %q: got %v, want truncated", finish, full[:n], found)
				}
			}
		}
	}
}
