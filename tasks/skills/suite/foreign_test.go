package suite_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/configs"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/suite"
)

func call(skill string) record.Route { return record.Route{Do: record.Call, Skill: skill} }

// lines sums a suite up, a line for each case.
func lines(s suite.Suite) []string {
	var out []string
	for _, c := range s.Cases {
		e := c.Turns[0].Expect
		line := []string{c.ID, c.Kind, c.Split, string(e.Do), e.Skill}
		for _, r := range e.Accept {
			line = append(line, "or", r.Skill)
		}
		out = append(out, strings.TrimSpace(strings.Join(line, " ")))
	}
	return out
}

func summaries(lib skills.Library) map[string]string {
	out := map[string]string{}
	for _, s := range lib.Skills {
		out[s.Name] = s.Summary
	}
	return out
}

func TestMetaTool(t *testing.T) {
	t.Parallel()
	s, lib, err := suite.Open("testdata/metatool/data/queries.csv", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"queries-1 direct dev call tidetable",
		"queries-2 direct test call pdf-linktool",
		"queries-3 direct dev call choir",
		"queries-4 direct test call tide-table",
	}
	if d := cmp.Diff(want, lines(s)); d != "" {
		t.Error(d)
	}
	if got := s.Cases[2].Turns[0].Say; got != "I sing alto and need the notes for the Messiah" {
		t.Errorf("a message over two lines became %q", got)
	}
	if got := summaries(lib)["tidetable"]; got != "Look up the tides of a harbour. Times are local." {
		t.Errorf("summary %q", got)
	}
}

func TestMetaToolForSeveralTools(t *testing.T) {
	t.Parallel()
	s, _, err := suite.Open("testdata/metatool/multi.json", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"multi-1 multi dev call choir or pdf-linktool", "multi-2 direct test call tidetable"}
	if d := cmp.Diff(want, lines(s)); d != "" {
		t.Error(d)
	}
	if !s.Cases[0].Turns[0].Expect.Allows(call("pdf-linktool")) {
		t.Error("the second tool is refused")
	}
}

func TestToolsOfOneNameArePartedByNumber(t *testing.T) {
	t.Parallel()
	_, lib, err := suite.LoadMetaTool("q.csv", []byte("Query,Tool\nhi,now\n"), "d.json", []byte(`{"now":"b","Now":"a","NOW!":"c","!":"d"}`))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"now": "c", "now-2": "a", "now-3": "b", "tool": "d"}
	if d := cmp.Diff(want, summaries(lib)); d != "" {
		t.Error(d)
	}
}

func TestCLINC150(t *testing.T) {
	t.Parallel()
	s, lib, err := suite.Open("testdata/clinc150/data.json", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"data-1 direct dev call borrow-tool",
		"data-2 direct dev call report-damage",
		"data-3 direct test call borrow-tool",
		"data-4 out_of_scope dev decline",
		"data-5 out_of_scope test decline",
		"data-6 out_of_scope test decline",
	}
	if d := cmp.Diff(want, lines(s)); d != "" {
		t.Error(d)
	}
	known := map[string]string{"borrow-tool": "Borrow tool.", "report-damage": "Report damage.", "opening-hours": "Opening hours."}
	if d := cmp.Diff(known, summaries(lib)); d != "" {
		t.Error(d)
	}
}

func TestForeignFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]struct{ file, plugins, want string }{
		"no column":      {"Question,Tool\n", `{"a":"b"}`, `q.csv:1: want columns Query and Tool, got ["Question" "Tool"]`},
		"unknown tool":   {"Query,Tool\n\"two\nlines\",a\nhello,c\n", `{"a":"b"}`, `q.csv:4: tool "c" has no description in plugin_des.json: add one, or take the query out`},
		"no message":     {"Query,Tool\n \",a\n", `{"a":"b"}`, `q.csv: not CSV`},
		"blank":          {"Query,Tool\n\" \",a\n", `{"a":"b"}`, `q.csv:2: turn 1: say: want a message, got none`},
		"empty":          {"Query,Tool\n", `{"a":"b"}`, `q.csv: want messages, found none`},
		"no tools":       {"Query,Tool\n", `{}`, `q.csv: want 1 to 1000 tools, found 0`},
		"long message":   {"Query,Tool\n" + strings.Repeat("x", 4001) + ",a\n", `{"a":"b"}`, `q.csv:2: turn 1: say: want at most 4000 bytes, got 4001`},
		"list of tools":  {"Query,Tool\n", `["a"]`, `plugin_des.json: want an object of tool: description`},
		"repeated tools": {"Query,Tool\n", `{"a":"b","a":"c"}`, `plugin_des.json: want an object of tool: description`},
	} {
		_, _, err := suite.LoadMetaTool("q.csv", []byte(fault.file), "plugin_des.json", []byte(fault.plugins))
		if err == nil || !strings.HasPrefix(err.Error(), fault.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n got %v\nwant %s", name, err, fault.want)
		}
	}
	for text, want := range map[string]string{
		`{"val": [["hello"]], "train": [["a", "b"]]}`: `c.json: val, entry 1: want [text, intent], got 1 texts`,
		`{"train": [["a"]]}`:                          `c.json: train, entry 1: want [text, intent], got 1 texts`,
		`{"val": "hello"}`:                            `c.json: want an object of lists of [text, intent]`,
		`{}`:                                          `c.json: want 1 to 1000 tools, found 0`,
	} {
		_, _, err := suite.LoadCLINC150("c.json", []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestForeignBounds: messages are whole, long descriptions are cut, names that all
// become one take no time, and long names of files make no odd ids.
func TestForeignBounds(t *testing.T) {
	t.Parallel()
	say := strings.Repeat("ab ", 1000) + "c"
	file := strings.Repeat("n", 100) + ".csv"
	s, lib, err := suite.LoadMetaTool(file, []byte("Query,Tool\n"+say+",a\n"), "d.json", []byte(`{"a":"`+strings.Repeat("x", 2000)+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Cases[0].Turns[0].Say; got != say {
		t.Errorf("a message of %d bytes has %d", len(say), len(got))
	}
	if got := []rune(lib.Skills[0].Summary); len(got) != skills.MaxText || got[len(got)-1] != '…' {
		t.Errorf("a summary of %d characters ends in %q", len(got), got[len(got)-1])
	}
	var tools strings.Builder
	for a := range 200 {
		for b := range 200 {
			fmt.Fprintf(&tools, `,"%c%c":""`, 0x2500+a, 0x2500+b)
		}
	}
	_, _, err = suite.LoadMetaTool("q.csv", nil, "d.json", []byte(`{`+tools.String()[1:]+`}`))
	if err == nil || err.Error() != "q.csv: want 1 to 1000 tools, found 40000" {
		t.Errorf("got %v", err)
	}
}

// TestByteOrderMark: spreadsheets write one.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{"q.csv": "Query,Tool\r\nhi,a\r\n", "plugin_des.json": `{"a":"b"}`, "c.json": `{"val":[["hi","a"]]}`, "multi.json": `[{"query":"hi","tool":["a"]}]`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("\uFEFF"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"q.csv", "c.json", "multi.json"} {
		if s, _, err := suite.Open(filepath.Join(dir, name), configs.FS); err != nil || len(s.Cases) != 1 {
			t.Errorf("%s: %d cases, %v", name, len(s.Cases), err)
		}
	}
}

func TestOpenSaysWhatItWants(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	csv, text := write("q.csv", "Query,Tool\n"), write("suite.txt", "hello")
	for name, want := range map[string]string{
		"after-dinner": `suite: want one of ["after-sales"] or the path of a file, got "after-dinner"`,
		"no/such.yaml": "no/such.yaml: want a suite: no such file or directory",
		csv:            csv + ": want plugin_des.json, the tools' descriptions, beside it or one folder up",
		text:           text + ": want a suite: .yaml of our own form, .csv or .json of MetaTool, .json of CLINC150",
	} {
		_, _, err := suite.Open(name, configs.FS)
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s:\n got %v\nwant %s", name, err, want)
		}
	}
}
