package main

import (
	"errors"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// An edited is JSON in which one thing is changed.
type edited struct {
	at   string // path of what is changed, without numbers of lists
	text string
}

// edits changes each text, number, truth value and name, one at a time.
func edits(t *testing.T, text string) (list []edited) {
	t.Helper()
	d := jsontext.NewDecoder(strings.NewReader(text))
	for from := 0; d.PeekKind() != 0; {
		token, err := d.ReadToken()
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		to := int(d.InputOffset())
		from += strings.IndexFunc(text[from:to], func(r rune) bool { return !strings.ContainsRune(" \n,:", r) })
		at := inLists.ReplaceAllString(string(d.StackPointer()), "/#")
		for _, other := range instead(token.Kind(), text[from:to]) {
			if other != text[from:to] {
				list = append(list, edited{at, text[:from] + other + text[to:]})
			}
		}
		from = to
	}
	return list
}

var inLists = regexp.MustCompile(`/\d+\b`)

// instead is what may stand in the place of a value.
func instead(kind jsontext.Kind, value string) []string {
	switch kind {
	case '"':
		return []string{value[:len(value)-1] + `x"`, `""`}
	case '0':
		n, err := strconv.Atoi(value)
		if err != nil {
			return []string{"0"}
		}
		return []string{strconv.Itoa(n + 1), "0"}
	case 't':
		return []string{"false"}
	case 'f':
		return []string{"true"}
	}
	return nil
}

// fault is what verify says of some cells of a run, or of all; played, whether it
// says so of all that was played.
func fault(t *testing.T, dir string, cells ...record.Cell) (err error, played bool) {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		return err, false
	}
	again, err := kit(nil).Again(m)
	if err != nil {
		return err, false
	}
	encoding, err := tokens.Load(m.Tokenizer)
	if err != nil {
		return err, false
	}
	v := newVerified()
	if len(cells) == 0 {
		cells = m.Cells
		err := v.others(dir, m)
		if err := errors.Join(append(v.faults, err)...); err != nil {
			return err, false
		}
	}
	for _, c := range cells {
		if err := v.cell(c, journal.CellDir(dir, c.ID), again, encoding); err != nil {
			return err, false
		}
	}
	return nil, v.played == len(cells)
}

// unnoticed are the edits of a text in a file that verify takes, by what is
// changed. Of each kind only the first few are tried.
func unnoticed(t *testing.T, dir, file string, parts []string, cells ...record.Cell) map[string]string {
	t.Helper()
	missed, tried := map[string]string{}, map[string]int{}
	for i, part := range parts {
		before, after := strings.Join(parts[:i], ""), strings.Join(parts[i+1:], "")
		for _, e := range edits(t, part) {
			if tried[e.at]++; tried[e.at] > 4 {
				continue
			}
			write(t, file, before+e.text+after)
			if err, played := fault(t, dir, cells...); err == nil && played {
				missed[e.at] = e.text
			}
		}
	}
	write(t, file, strings.Join(parts, ""))
	if err, played := fault(t, dir, cells...); err != nil || !played {
		t.Fatalf("%s as it was: %v", file, err)
	}
	return missed
}

// What the help of verify says that nothing else tells: what an endpoint said, and
// what decides no result. The last name of a path may be a member that is gone, and
// reads as the zero that it was.
var (
	saidOnce = regexp.MustCompile(`^/call/(usage|served|choices|finish|failed|notes)\b`)
	naming   = regexp.MustCompile(`^/(name|title|made|lag|patience|cells/#/(noise|repeat))\b`)
)

// TestEditsAreNoticed: whatever is changed in a journal or a manifest, verify finds
// it, but for what its help says.
func TestEditsAreNoticed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays thousands of episodes again")
	}
	endpoint := modelFile(t, serve(t, "", nil).url)
	for name, text := range map[string]string{
		"warehouse": "tasks: [warehouse]\nagents: [memory, hybrid, {base: llmlingua, name: short, budget: {chars: 2500}}, random]\nmodels: [{name: clumsy, sim: clumsy}]\nhorizons: [4]\nworlds: [closed, teacher]",
		"repo":      "tasks: [{name: repo, task: repo, options: {reads: true}}]\nagents: [ledger]\nmodels: [{name: clumsy, sim: clumsy, reads: true}]\nhorizons: [6]",
		"drift":     "tasks: [warehouse]\nagents: [stateful]\nmodels: [\"sim:anchored\"]\nhorizons: [15]\ndrifts: [secret_move]",
		"execution": "tasks: [{name: x, task: execution, options: {hygiene: false}}]\nagents: [skillstate, oracle]\nmodels: [\"sim:perfect\"]\nhorizons: [5]",
		"routing":   "tasks: [{name: r, task: routing, options: {arm: lazy_catalogue}}]\nagents: [react, bm25]\nmodels: [\"sim:keyword\"]\nhorizons: [2]",
		"served":    "tasks: [warehouse]\nagents: [skillstate, {base: llmlingua, name: asking, budget: {chars: 2500}, informer: " + endpoint + "}]\nmodels: [" + endpoint + "]\nhorizons: [3]",
		"simulated": "tasks: [warehouse]\nagents: [memory]\nmodels: [\"sim:perfect\"]\nsummarizer: \"sim:anchored\"\nhorizons: [5]",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, file := t.TempDir(), filepath.Join(t.TempDir(), "x.yaml")
			write(t, file, "name: x\nseeds: 1\n"+text+"\n")
			program(t, exitDone, "run", file, "--out", dir)
			m, err := journal.ReadManifest(dir)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range m.Cells {
				journal := filepath.Join(journal.CellDir(dir, c.ID), "events.jsonl")
				for at, text := range unnoticed(t, dir, journal, strings.SplitAfter(fileText(t, journal), "\n"), c) {
					if name != "served" || !saidOnce.MatchString(at) {
						t.Errorf("%s: a change of %s goes unnoticed: %.300s", c.ID, at, text)
					}
				}
			}
			manifest := filepath.Join(dir, "manifest.json")
			for at := range unnoticed(t, dir, manifest, []string{fileText(t, manifest)}) {
				if !naming.MatchString(at) {
					t.Errorf("a change of the manifest's %s goes unnoticed", at)
				}
			}
		})
	}
}
