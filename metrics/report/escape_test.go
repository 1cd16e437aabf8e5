package report_test

import (
	"encoding/csv"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

const hostile = "=cmd <script>alert(1)</script>|`x`\x1b[31m\u202etxt & $a_b$ [l](http://h) \\input{x}"

// hostileLabel is the worst that a name in an experiment may be.
const hostileLabel = "x<script>alert(1)</script>|`x` & $a_b$ [l](http://h) \\input{x}"

// A run whose every label and every text from a model is hostile.
func hostileRun(t *testing.T) string {
	label, title := fmt.Sprintf("%q", hostileLabel), fmt.Sprintf("%q", hostile)
	experiment := `
name: hostile
title: ` + title + `
paper: [table1]
tasks: [{name: ` + label + `, task: warehouse}]
agents: [{name: ` + label + `, base: memory}, skillstate]
models: [{name: ` + label + `, sim: perfect}]
horizons: [10, 12]
seeds: 2
`
	return play(t, experiment, func(r model.Request, reply record.Reply) (record.Reply, error) {
		reply.Served = hostile
		reply.Notes = map[string]string{"lacks": hostile}
		reply.Failed = []record.Failure{{Class: hostile}}
		if r.Step%2 == 0 {
			reply.Text = hostile
		}
		if r.Seed == 2 && r.Step == 5 {
			return reply, &model.Error{Class: hostile, Message: hostile, Measured: hostile}
		}
		return reply, nil
	})
}

func TestHostileTextIsEscaped(t *testing.T) {
	t.Parallel()
	out := written(t, hostileRun(t))
	page, md := read(t, out, "report.html"), read(t, out, "report.md")
	for name, s := range map[string]string{"report.html": page, "report.md": md} {
		if strings.Contains(s, "<script>alert") || strings.ContainsAny(s, "\x1b\u202e") {
			t.Errorf("%s: hostile text came through", name)
		}
		if !strings.Contains(s, "alert(1)") {
			t.Errorf("%s: want the text shown, escaped", name)
		}
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("report.html: want our own script alone, found %d", n)
	}
	checkMarkdown(t, md)
	checkTables(t, filepath.Join(out, "tables"))
	shown := html.UnescapeString(page)
	for _, want := range []string{"<U+001B>[31m", "<U+202E>txt"} {
		if !strings.Contains(shown, want) {
			t.Errorf("report.html: want %s", want)
		}
	}
}

// checkMarkdown sees that every row of a table has as many cells as its head,
// and that no text opens a code span or a link.
func checkMarkdown(t *testing.T, md string) {
	escaped := regexp.MustCompile(`\\.`)
	columns := 0
	for number, line := range strings.Split(md, "\n") {
		bare := escaped.ReplaceAllString(line, "")
		if strings.Contains(bare, "`") {
			t.Errorf("line %d: an open code span: %q", number+1, line)
		}
		if !strings.HasPrefix(line, "|") {
			columns = 0
			if strings.Contains(bare, "](http") {
				t.Errorf("line %d: a link: %q", number+1, line)
			}
			continue
		}
		n := strings.Count(bare, "|")
		if columns != 0 && n != columns {
			t.Errorf("line %d: want %d bars, got %d: %q", number+1, columns, n, line)
		}
		columns = n
	}
}

func checkTables(t *testing.T, dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	guarded := 0
	for _, f := range files {
		s := read(t, dir, f.Name())
		if strings.ContainsAny(s, "\x1b\u202e") {
			t.Errorf("%s: control characters came through", f.Name())
		}
		if strings.HasSuffix(f.Name(), ".tex") {
			body := strings.NewReplacer(`\textbackslash{}`, "", `\{`, "", `\}`, "", `\$`, "", `\&`, "", `\_`, "").Replace(s)
			if strings.Contains(body, `\input`) || strings.Contains(body, "<") {
				t.Errorf("%s: want hostile text escaped", f.Name())
			}
			continue
		}
		lines, err := csv.NewReader(strings.NewReader(s)).ReadAll()
		if err != nil {
			t.Errorf("%s: %v", f.Name(), err)
		}
		for _, line := range lines {
			for _, field := range line {
				if strings.HasPrefix(field, "'=cmd") {
					guarded++
				}
				if field != "" && strings.ContainsRune("=+@", rune(field[0])) {
					t.Errorf("%s: a spreadsheet would run %q", f.Name(), field)
				}
			}
		}
	}
	if guarded == 0 {
		t.Error("want guarded labels in the tables")
	}
}
