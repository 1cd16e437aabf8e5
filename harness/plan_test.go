package harness_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"skillbench/harness"
	"skillbench/harness/journal"
)

// whole is an experiment without a fault, one key on each line.
const whole = `name: x
title: "X"
tasks: [warehouse]
agents: [react]
models: [sim:perfect]
horizons: [10]
seeds: 2
repeats: 1
worlds: [closed]
noise: [0]
drifts: [none]
lag: 1
patience: 15
tokenizer: o200k_base
workers: 1
`

func resolve(text string, set ...string) (*harness.Plan, error) {
	x, node, err := harness.ParseExperiment("x.yaml", []byte(text), set)
	if err != nil {
		return nil, err
	}
	return kit().Plan(x, node)
}

// with is the whole experiment with another line for a key, or without it.
func with(key, line string) string {
	if line != "" {
		line += "\n"
	}
	return regexp.MustCompile(`(?m)^`+key+`:.*\n`).ReplaceAllLiteralString(whole, line)
}

func TestEveryFaultOfAnExperimentIsOneLine(t *testing.T) {
	t.Parallel()
	if _, err := resolve(whole); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"", "x.yaml:1: the file is empty"},
		{"---\n", "x.yaml:2: want keys and values, got nothing"},
		{"- a\n", "x.yaml:1: want keys and values, got a list"},
		{"a: [", "x.yaml:1: not YAML: "},
		{whole + "colour: red\n", "x.yaml:16: colour: unknown key; want one of name, title, "},
		{whole + "noise: 3\n", "x.yaml:16: noise: the key stands twice"},
		{with("name", ""), `x.yaml:1: name: want a name that can be a file name, got ""`},
		{with("name", "name: a/b"), `x.yaml:1: name: want a name that can be a file name, got "a/b"`},
		{with("name", "name: ../x"), `x.yaml:1: name: want a name`},
		{with("tasks", ""), "x.yaml:1: tasks: want at least one"},
		{with("tasks", "tasks: []"), "x.yaml:3: tasks: want at least one"},
		{with("tasks", "tasks: [bakery]"), `x.yaml:3: tasks: want one of ["warehouse"], got "bakery"`},
		{with("tasks", "tasks: [warehouse, warehouse]"), "x.yaml:3: tasks: warehouse stands twice"},
		{with("tasks", "tasks:\n  - task: warehouse\n    options: {warm_start: 900}"), "x.yaml:5: warm_start: want 0 to 499 items, got 900"},
		{with("tasks", "tasks:\n  - task: warehouse\n    options: {warm: 9}"), "x.yaml:5: warm: unknown key; want one of placement, "},
		{with("tasks", "tasks:\n  - task: warehouse\n    options:\n      weights: {order: 0}"), "x.yaml:6: weights.order: want 1 to 1000, got 0"},
		{with("tasks", "tasks:\n  - task: warehouse\n    skill: no/where"), "x.yaml:5: skill: no/where/SKILL.md: want a skill's SKILL.md, found none: "},
		{with("tasks", "tasks:\n  - tusk: warehouse"), "x.yaml:4: tusk: unknown key; want one of name, task, skill, options"},
		{with("agents", "agents: [reakt]"), `x.yaml:4: agents: want one of ["react" "memory" `},
		{with("agents", "agents: [react, {base: memory, name: react}]"), "x.yaml:4: agents: react stands twice"},
		{with("agents", "agents:\n  - base: react\n    retry: 11"), "x.yaml:6: retry: want a whole number from 0 to 10, got 11"},
		{with("agents", "agents:\n  - base: react\n    retry: many"), `x.yaml:6: retry: want a whole number, got "many"`},
		{with("agents", "agents:\n  - base: react\n    tries: 1"), "x.yaml:6: tries: unknown key; want one of name, base, order, "},
		{with("agents", "agents:\n  - base: skillstate\n    merge: deeper"), `x.yaml:6: merge: want one of ["deep" "shallow" "replace"], got "deeper"`},
		{with("agents", "agents:\n  - base: react\n    order: [instructions]"), "x.yaml:6: order: want at least instructions and observation"},
		{with("agents", "agents:\n  - base: react\n    order: [instructions, instructions, observation]"), `x.yaml:6: order: "instructions" stands twice`},
		{with("agents", "agents:\n  - base: react\n    order: [instructions, state, observation]"), "x.yaml:6: order: a strategy without a merge has no state to show"},
		{with("agents", "agents:\n  - base: react\n    order: [instructions, summary, observation]"), "x.yaml:6: order: this strategy has no summary; want some of "},
		{with("agents", "agents:\n  - base: memory\n    memory: \"\""), "x.yaml:6: memory: want \"rewrite\" or \"append\", got nothing"},
		{with("models", ""), "x.yaml:1: models: want at least one, because react asks a model"},
		{with("models", "models: []"), "x.yaml:5: models: want at least one, because react asks a model"},
		{with("models", "models: [sim:oracle]"), "x.yaml:5: sim: want one of ["},
		{with("models", "models: [gpt]"), `x.yaml:5: models: want sim:<name>, got "gpt"`},
		{with("models", "models: [{sim: perfect, guess: wildly}]"), `x.yaml:5: guess: want best_guess or abstain, got "wildly"`},
		{with("models", "models: [{sim: perfect, verbosity: {react: -1}}]"), "x.yaml:5: verbosity.react: want 0 to 20000 characters, got -1"},
		{with("models", "models: [sim:perfect, sim:perfect]"), "x.yaml:5: models: sim:perfect stands twice"},
		{whole + "summarizer: sim:x\n", "x.yaml:16: sim: want one of ["},
		{with("horizons", "horizons: [0]"), "x.yaml:6: horizons: want a whole number from 1 to 1000000, got 0"},
		{with("horizons", "horizons: [ten]"), `x.yaml:6: horizons: want a whole number, got "ten"`},
		{with("horizons", "horizons: [10, 10]"), "x.yaml:6: horizons: 10 stands twice"},
		{with("horizons", "horizons:"), "x.yaml:6: horizons: want one value, got nothing"},
		{with("seeds", "seeds: x"), `x.yaml:7: seeds: want a number of seeds from 1 to 100000, or a list, got "x"`},
		{with("seeds", "seeds: 0"), `x.yaml:7: seeds: want a number of seeds from 1 to 100000, or a list, got "0"`},
		{with("seeds", "seeds: [1, x]"), `x.yaml:7: seeds: want a whole number that is not negative, got "x"`},
		{with("seeds", "seeds: []"), "x.yaml:7: seeds: want at least one"},
		{with("repeats", "repeats: 0"), "x.yaml:8: repeats: want a whole number from 1 to 10000, got 0"},
		{with("worlds", "worlds: [open]"), `x.yaml:9: worlds: want one of ["closed" "teacher"], got "open"`},
		{with("noise", "noise: -1"), "x.yaml:10: noise: want a whole number from 0 to 10000, got -1"},
		{with("noise", "noise: 1.5"), `x.yaml:10: noise: want a whole number, got "1.5"`},
		{with("drifts", "drifts: [quake]"), `x.yaml:11: drifts: task warehouse knows ["none" "secret_move" `},
		{with("drifts", "drifts: [secret_move]"), "x.yaml:6: horizons: task warehouse at T=10, seed 1, drift secret_move: drift: want a horizon of at least "},
		{with("lag", "lag: -1"), "x.yaml:12: lag: want a whole number from 0 to 1000, got -1"},
		{with("patience", "patience: 0"), "x.yaml:13: patience: want a whole number from 1 to 1000, got 0"},
		{with("tokenizer", "tokenizer: words"), `x.yaml:14: tokenizer: tokens: unknown encoding "words": want one of cl100k_base, o200k_base`},
		{with("workers", "workers: -2"), "x.yaml:15: workers: want a whole number from 0 to 1024, got -2"},
		{whole + "templates: no/where\n", "x.yaml:16: templates: no/where: no such file or directory"},
		{whole + "limits: {call: 1}\n", "x.yaml:16: call: unknown key; want one of calls, tokens, seconds, money"},
		{with("repeats", "repeats: 10000") + "#", "x.yaml:1: cells of the grid: want a whole number from 1 to 1000000, got "},
	} {
		if strings.HasSuffix(c.text, "#") {
			c.text = strings.Replace(c.text, "seeds: 2", "seeds: 1000", 1)
		}
		_, err := resolve(c.text)
		checkFault(t, c.text, err, c.want)
	}
}

// TestPlayersNeedNoModel: an experiment of floors and ceilings names none.
func TestPlayersNeedNoModel(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"", "models: []"} {
		text := strings.Replace(with("models", line), "[react]", "[oracle, random]", 1)
		if p, err := resolve(text); err != nil || len(p.Cells) != 4 || len(p.Callees()) != 0 {
			t.Errorf("%q: %v, %+v", line, err, p)
		}
	}
}

func checkFault(t *testing.T, what string, err error, want string) {
	t.Helper()
	if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%s\n got %v\nwant %s", what, err, want)
	}
}

func TestSet(t *testing.T) {
	t.Parallel()
	p, err := resolve(whole, "horizons=[5, 6]", "seeds=3", "agents=[{base: react, retry: 0}]", "limits.calls=7", "seeds=4", "noise=[0,5]")
	if err != nil {
		t.Fatal(err)
	}
	if x := p.Experiment; len(p.Cells) != 2*4*2 || x.Limits.Calls != 7 || p.Columns[0].Settings.Retry != 0 || x.Title != "X" {
		t.Errorf("%d cells of %+v", len(p.Cells), x)
	}
	for set, want := range map[string]string{
		"horizons":        "--set horizons: want key=value",
		"=3":              "--set =3: want key=value",
		"horizons=":       "--set horizons: want a value after =, got none",
		"horizons=[":      "--set horizons:1: not YAML: ",
		"title=Y: z: x":   "--set title:1: not YAML: ",
		"horizons=ten":    `x.yaml:6: horizons: want a whole number, got "ten"`,
		"horizons=0":      "x.yaml:6: horizons: want a whole number from 1 to 1000000, got 0",
		"colour=red":      "x.yaml:1: colour: unknown key; want one of ",
		"name.first=x":    `--set name.first: "first" is not a key here`,
		"limits.call=3":   "x.yaml:1: call: unknown key; want one of calls, tokens, seconds, money",
		"agents=[reakt]":  `x.yaml:4: agents: want one of ["react" `,
		"seeds=x":         `x.yaml:7: seeds: want a number of seeds`,
		"drifts=[none,x]": "x.yaml:11: drifts: task warehouse knows ",
	} {
		_, err := resolve(whole, set)
		checkFault(t, "--set "+set, err, want)
	}
}

func TestSkillsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	const matter, body = "---\nname: s\ndescription: d\n---\n", "Do it.\n"
	const schema, initial = `{"type": "object", "properties": {"n": {"type": "integer"}}}`, `{"n": 1}`
	for _, c := range []struct{ text, schema, initial, want string }{
		{matter + body, schema, initial, ""},
		{"\uFEFF" + strings.ReplaceAll(matter+body, "\n", "\r\n"), schema, initial, ""},
		{"", schema, initial, "SKILL.md:1: want front matter between two lines ---, found none"},
		{"---\nname: s\n", schema, initial, "SKILL.md:1: front matter is not closed"},
		{"---\nname: s\n---\n" + body, schema, initial, "SKILL.md:1: front matter wants name and description"},
		{"---\nname: [s]\ndescription: {}\n---\n" + body, schema, initial, "SKILL.md:1: front matter: "},
		{"---\nname: \"s\n---\n" + body, schema, initial, "SKILL.md:1: front matter: "},
		{matter, schema, initial, "SKILL.md: the body is empty"},
		{matter + "\xff", schema, initial, "SKILL.md: want UTF-8"},
		{matter + body, `{"type": 3}`, initial, "state.schema.json"},
		{matter + body, `{`, initial, "state.schema.json"},
		{matter + body, schema, `{"n": 1, "n": 2}`, "state.initial.json: "},
		{matter + body, schema, `{"n": "one"}`, `state.initial.json: the first state breaks its schema at "/n": `},
		{matter + body, schema, "", "state.initial.json: "},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"SKILL.md": c.text, "state.schema.json": c.schema, "state.initial.json": c.initial} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := resolve(with("tasks", fmt.Sprintf("tasks: [{task: warehouse, skill: %q}]", dir)))
		if c.want != "" {
			checkFault(t, c.text, err, "x.yaml:3: skill: "+filepath.Join(dir, c.want))
		} else if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
	}
}

func TestTemplatesOfOnesOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"contract.action.txt", "Say Action: <command>\n", ""},
		{"README.md", "anything", ""},
		{"contract.actions.txt", "x", "contract.actions.txt: no template has this name; want one of contract.action.txt, "},
		{"feedback.txt", "{{range .Violations}}{{.Nope}}{{end}}", "feedback.txt: "},
		{"feedback.txt", "{{.Nope}}", "feedback.txt: "},
		{"feedback.txt", "{{if}}", "feedback.txt: "},
		{"feedback.txt", "\xff", ": feedback.txt: want UTF-8"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, c.name), []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := resolve(whole + fmt.Sprintf("templates: %q\n", dir))
		if c.want != "" {
			checkFault(t, c.name+" "+c.text, err, "x.yaml:16: templates: "+strings.Replace(filepath.Join(dir, c.want), "/:", ":", 1))
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		shipped, err := resolve(whole)
		if err != nil {
			t.Fatal(err)
		}
		replaced := c.name == "contract.action.txt"
		if (p.Templates.Hash != shipped.Templates.Hash) != replaced || (p.Cells[0].ID != shipped.Cells[0].ID) != replaced {
			t.Errorf("%s: hash and cells must tell whether a template is replaced", c.name)
		}
		if got := p.Templates.Text("contract.action", harness.Wording{}); (got == c.text) != replaced {
			t.Errorf("%s: the contract is %q", c.name, got)
		}
	}
}

// axis is a key that a cell depends on, with values that differ.
var axes = []struct {
	key    string
	values []string
}{
	{"tasks", []string{"[warehouse]", "[{name: w2, task: warehouse}]", "[{task: warehouse, options: {warm_start: 3}}]", "[{task: warehouse, options: {placement: any_empty}}]"}},
	{"agents", []string{"[react]", "[{base: react, name: r}]", "[{base: react, retry: 0}]", "[{base: react, repair: lenient}]", "[memory]", "[stateful]", "[skillstate]",
		"[{base: skillstate, merge: shallow}]", "[{base: skillstate, told: false}]", "[{base: skillstate, validate: false}]", "[{base: skillstate, commit: after_accept}]",
		"[{base: skillstate, wire: tool}]", "[{base: skillstate, state_max_chars: 9}]", "[{base: skillstate, budget: {chars: 1800}}]"}},
	{"models", []string{"[sim:perfect]", "[{sim: perfect, name: p}]", "[{sim: perfect, guess: abstain}]", "[{sim: perfect, verbosity: {react: 300}}]"}},
	{"horizons", []string{"[50]", "[60]"}},
	{"seeds", []string{"[1]", "[2]"}},
	{"worlds", []string{"[closed]", "[teacher]"}},
	{"noise", []string{"[0]", "[5]"}},
	{"drifts", []string{"[none]", "[secret_move]", "[secret_audit]"}},
	{"tokenizer", []string{"o200k_base", "cl100k_base"}},
	{"summarizer", []string{"sim:perfect", "{sim: perfect, guess: abstain}"}},
}

func TestCellsDifferInNameWhenTheyDifferInAnything(t *testing.T) {
	t.Parallel()
	draw := func(rt *rapid.T) (set []string) {
		for _, a := range axes {
			if i := rapid.IntRange(0, 2*len(a.values)).Draw(rt, a.key); i < len(a.values) {
				set = append(set, a.key+"="+a.values[i])
			}
		}
		return set
	}
	// An axis that is not set has the first value of its list, but the summarizer.
	content := func(set []string) string {
		full := map[string]string{}
		for _, a := range axes[:len(axes)-1] {
			full[a.key] = a.values[0]
		}
		for _, s := range set {
			key, value, _ := strings.Cut(s, "=")
			full[key] = value
		}
		return fmt.Sprint(full)
	}
	const base = "name: x\ntasks: [warehouse]\nagents: [react]\nmodels: [sim:perfect]\nhorizons: [50]\nseeds: [1]\n"
	known := map[string]string{}
	rapid.Check(t, func(rt *rapid.T) {
		set := draw(rt)
		p, err := resolve(base, set...)
		if err != nil {
			rt.Fatal(set, err)
		}
		id, is := p.Cells[0].ID, content(set)
		if other, ok := known[id]; ok && other != is {
			rt.Fatalf("%s names both\n%s\n%s", id, is, other)
		}
		for other, was := range known {
			if was == is && other != id {
				rt.Fatalf("%s is named %s and %s", is, id, other)
			}
		}
		known[id] = is
	})
}

func TestLagAndPatienceNameCellsWithADrift(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	for _, set := range [][]string{{}, {"lag=2"}, {"patience=3"}} {
		p, err := resolve(with("horizons", "horizons: 80"), append(set, "drifts=[secret_move]", "seeds=1")...)
		if err != nil {
			t.Fatal(err)
		}
		ids[p.Cells[0].ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d names for 3 cells: %v", len(ids), ids)
	}
}

// TestCellsOfAGrid holds that what says nothing of an episode does not rename
// it, and that the order is that of the results.
func TestCellsOfAGrid(t *testing.T) {
	t.Parallel()
	text := with("agents", "agents: [react, wait]")
	text = strings.Replace(text, "repeats: 1", "repeats: 2", 1)
	p, err := resolve(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range p.Cells {
		got = append(got, fmt.Sprintf("%s %s %d %d", c.Agent, c.Model, c.Seed, c.Repeat))
	}
	want := "react sim:perfect 1 0, react sim:perfect 1 1, react sim:perfect 2 0, react sim:perfect 2 1, wait  1 0, wait  2 0"
	if strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	q, err := resolve(text, "name=y", "title=Y", "paper=[table1]", "workers=3", "limits.calls=9", "lag=3", "patience=4", "horizons=[9,10]", "seeds=[2,1]", "models=[{sim: perfect, guess: abstain, name: other}, sim:perfect]")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, c := range q.Cells {
		has[c.ID] = true
	}
	for _, c := range p.Cells {
		if !has[c.ID] {
			t.Errorf("%s is another cell in a larger grid", c.ID)
		}
	}
}

// TestNamesOfCellsAreStable holds the names with texts of its own, because a
// name also tells which skill and which templates a cell was made with.
func TestNamesOfCellsAreStable(t *testing.T) {
	t.Parallel()
	k := kit()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	k.Files = fstest.MapFS{
		"skills/warehouse/SKILL.md":           file("---\nname: w\ndescription: d\n---\nDo it.\n"),
		"skills/warehouse/state.schema.json":  file(`{"type": "object"}`),
		"skills/warehouse/state.initial.json": file(`{}`),
		"templates/contract.action.txt":       file("Action: <command>\n"),
	}
	x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\ntasks: [warehouse]\nagents: [react, memory, {base: skillstate, name: 'so & so'}, oracle]\nmodels: [sim:perfect]\nhorizons: 10\nseeds: 1\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := k.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "cells.txt", func() string {
		var b strings.Builder
		for _, c := range p.Cells {
			fmt.Fprintln(&b, c.ID)
		}
		return b.String()
	}())
	for _, c := range p.Cells {
		if filepath.Base(journal.CellDir("out", c.ID)) != c.ID || strings.ContainsAny(c.ID, " &:/") {
			t.Errorf("%q is no name of a folder", c.ID)
		}
	}
}
