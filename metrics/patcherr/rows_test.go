package patcherr_test

import (
	"fmt"
	"strings"
	"testing"

	"skillbench/harness/state"
	"skillbench/metrics/patcherr"
)

const rowSchema = `"schema":{"type":"object","properties":{"at":{"type":"object","additionalProperties":{"type":"string"}}},"required":["at"],"additionalProperties":false}`

// row writes a line; the members given come after a state and a schema.
func row(members string) string {
	return `{"state":{"at":{"a":"1","b":"2"}},` + rowSchema + `,` + members + "}\n"
}

func reply(patch, action string) string {
	return fmt.Sprintf(`"reply":%q`, "So.\n```json\n{\"state_patch\":"+patch+",\"action\":\""+action+"\"}\n```")
}

func primaries(t *testing.T, rows string) []string {
	t.Helper()
	episodes, err := patcherr.ReadRows("rows.jsonl", strings.NewReader(rows))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range episodes {
		for _, a := range e.Attempts {
			got = append(got, a.Primary(patcherr.First))
		}
	}
	return got
}

func TestRowsRecordedElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, members, want string }{
		{"right", reply(`{"at":{"a":null}}`, "Ship 1") + `,"truth":{"at":{"b":"2"}}`, patcherr.None},
		{"no truth", reply(`{"at":{"a":null}}`, "Ship 1"), patcherr.None},
		{"deleted", reply(`{"at":{"a":null,"b":null}}`, "Ship 1") + `,"truth":{"at":{"b":"2"}}`, patcherr.PrematureDelete},
		{"missed", reply(`{}`, "Ship 1") + `,"truth":{"at":{"b":"2"}}`, patcherr.MissedUpdate},
		{"an error that stood", reply(`{}`, "Wait") + `,"truth":{"at":{"b":"2"}},"truth_before":{"at":{"b":"2"}}`, patcherr.None},
		{"refused by the world", reply(`{"at":{"a":null}}`, "Ship 1") + `,"truth":{"at":{"a":"1","b":"2"}},"action":{"refused":true}`, patcherr.Unearned},
		{"no command", reply(`{}`, "Dance") + `,"action":{"pattern":"Ship \\d|Wait"}`, "action_grammar"},
		{"a command", reply(`{}`, "Ship 1") + `,"action":{"pattern":"Ship \\d|Wait"}`, patcherr.None},
		{"unknown key", reply(`{"x":1}`, "Wait"), "schema_unknown_key"},
		{"wrong type", reply(`{"at":{"a":1}}`, "Wait"), "schema_type"},
		{"required", reply(`{"at":null}`, "Wait"), "schema_value"},
		{"syntax", reply(`{"at":{},}`, "Wait"), "json_syntax"},
		{"mended, counted", reply(`{"at":{},}`, "Wait") + `,"repair":"lenient"`, "json_syntax"},
		{"lost by replace", reply(`{"at":{"a":"1"}}`, "Wait") + `,"merge":"replace","truth":{"at":{"a":"1","b":"2"}}`, patcherr.PrematureDelete},
		{"harmless under deep", reply(`{"at":{"a":"1"}}`, "Wait") + `,"truth":{"at":{"a":"1","b":"2"}}`, patcherr.None},
		{"cut", `"reply":"{\"state_patch\":{","finish":"length"`, "truncated"},
		{"withheld", `"reply":"","finish":"content_filter"`, "refusal"},
		{"tool", `"reply":"","wire":"tool","finish":"tool_calls","calls":[{"name":"propose_transition","arguments":"{\"state_patch\":{},\"action\":\"Wait\"}"}]`, patcherr.None},
		{"line", `"reply":"Action: Wait","form":"action"`, patcherr.None},
		{"update", `"reply":"Action: Wait\nStateUpdate: {\"at\":{}}","form":"update","merge":"shallow","truth":{"at":{"a":"1","b":"2"}}`, patcherr.PrematureDelete},
		{"thinking is no answer", `"reply":"","thinking":"{\"state_patch\":{},\"action\":\"Wait\"}"`, "empty"},
	} {
		if got := primaries(t, row(c.members)); len(got) != 1 || got[0] != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

func TestRowsOfOneStepAndEpisode(t *testing.T) {
	t.Parallel()
	ok := reply(`{}`, "Wait")
	rows := row(ok+`,"model":"m","episode":"x","step":3,"attempt":0,"tokens":10`) +
		strings.Replace(row(ok+`,"model":"m","episode":"x","step":3,"attempt":1,"tokens":7`), rowSchema+",", "", 1) +
		row(ok+`,"model":"m","episode":"y"`) + row(ok+`,"model":"n","episode":"x"`)
	episodes, err := patcherr.ReadRows("rows.jsonl", strings.NewReader(rows))
	if err != nil || len(episodes) != 3 {
		t.Fatalf("%d episodes, %v", len(episodes), err)
	}
	if n, tokens := episodes[0].Retries(); episodes[0].Steps != 1 || n != 1 || tokens != 7 {
		t.Errorf("%+v: %d retries, %d tokens", episodes[0], n, tokens)
	}
	if episodes[0].Cell.Seed != episodes[2].Cell.Seed || episodes[0].Cell.Seed == episodes[1].Cell.Seed {
		t.Error("want one seed for one label")
	}
	if n := len(patcherr.Groups(episodes)); n != 2 {
		t.Errorf("%d groups, want a model each", n)
	}
}

func TestRowsSayWhereTheyAreWrong(t *testing.T) {
	t.Parallel()
	good := row(reply(`{}`, "Wait"))
	for _, c := range []struct{ line, want string }{
		{`{`, "rows.jsonl:2: "},
		{`[]`, "rows.jsonl:2: "},
		{``, "rows.jsonl:2: "},
		{`{"reply":"x"}`, "rows.jsonl:2: state: want an object, found none"},
		{`{"state":{}}`, "rows.jsonl:2: reply: want a string, found none"},
		{`{"state":{},"reply":"x","replies":1}`, "rows.jsonl:2: replies: "},
		{`{"state":{},"reply":"x","reply":"y"}`, "rows.jsonl:2: "},
		{`{"state":[],"reply":"x"}`, "rows.jsonl:2: state: "},
		{`{"state":{},"reply":7}`, "rows.jsonl:2: reply: "},
		{`{"state":{},"reply":"x","form":"verse"}`, `rows.jsonl:2: form: want one of ["envelope" "update" "action"], got "verse"`},
		{`{"state":{},"reply":"x","step":-1}`, "rows.jsonl:2: step, attempt, tokens: want whole numbers from 0"},
		{`{"state":{},"reply":"x","action":{"pattern":"("}}`, "rows.jsonl:2: action.pattern: "},
		{`{"state":{},"reply":"x","truth_before":{}}`, "rows.jsonl:2: truth_before: want truth beside it, found none"},
		{`{"state":{},"reply":"x","schema":{"type":7}}`, "rows.jsonl:2: schema: "},
		{`{"state":{},"reply":"x","schema":{"$ref":"http://x/y"}}`, "rows.jsonl:2: schema: "},
	} {
		_, err := patcherr.ReadRows("rows.jsonl", strings.NewReader(good+c.line+"\n"+good))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %s…", c.line, err, c.want)
		}
	}
	_, err := patcherr.ReadRows("rows.jsonl", strings.NewReader(`{"state":{},"reply":"x"}`))
	if err == nil || err.Error() != "rows.jsonl:1: schema: want an object in the first row, found none" {
		t.Errorf("no schema: %v", err)
	}
	_, err = patcherr.ReadRows("rows.jsonl", strings.NewReader(good+strings.Repeat(" ", patcherr.MaxRow+1)))
	if err == nil || !strings.HasPrefix(err.Error(), "rows.jsonl:2: want a line of at most") {
		t.Errorf("a long line: %v", err)
	}
}

func FuzzRows(f *testing.F) {
	f.Add(row(reply(`{"at":{"a":null}}`, "Ship 1") + `,"truth":{"at":{"b":"2"}}`))
	f.Add(row(reply(`{"at":{"~/\u0000":"\u202e"}}`, "Wait") + `,"truth":{"at":{"a":{"b":{}}}},"action":{"refused":true},"merge":"replace"`))
	f.Fuzz(func(t *testing.T, text string) {
		episodes, err := patcherr.ReadRows("rows.jsonl", strings.NewReader(text))
		if err != nil {
			return
		}
		var b strings.Builder
		r := patcherr.NewReport(episodes)
		for _, write := range []func() error{func() error { return r.Text(&b) }, func() error { return r.Markdown(&b) }, func() error { return r.CSV(&b) }, func() error { return r.Findings(&b) }} {
			if err := write(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// A world of many facts that all moved takes no time to speak of.
func TestManyMovesAreJudgedFast(t *testing.T) {
	t.Parallel()
	before, after := map[string]any{}, map[string]any{}
	for i := range 5_000 {
		before[fmt.Sprint("a", i)], after[fmt.Sprint("b", i)] = "same", "same"
	}
	truth := state.From(map[string]any{"at": after}).Compact()
	old := state.From(map[string]any{"at": before}).Compact()
	got := primaries(t, `{"state":`+old+`,"schema":{},`+reply(`{}`, "Wait")+`,"truth":`+truth+"}\n")
	if len(got) != 1 || got[0] != patcherr.MissedUpdate {
		t.Errorf("%v", got)
	}
}
