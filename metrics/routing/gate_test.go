package routing_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
	"skillbench/metrics/routing"
)

// rightly is the book of n cases of which the first right were found.
func rightly(t testing.TB, c record.Cell, n, right int) *routing.Book {
	t.Helper()
	b := routing.NewBook()
	for i := range n {
		c.Seed = uint64(i + 1)
		b.Add(c, follow(t, c, record.Done, found(fmt.Sprint("c", i), 1+i%10, i < right)))
	}
	return b
}

// file writes a result as a baseline, changed.
func file(t testing.TB, r *routing.Result, changes ...string) string {
	t.Helper()
	data, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := os.WriteFile(path, []byte(strings.NewReplacer(changes...).Replace(string(data))), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func hold(t testing.TB, path string, r *routing.Result) (routing.Finding, error) {
	t.Helper()
	g, err := routing.OpenGate(path)
	if err != nil {
		t.Fatal(err)
	}
	return g.Hold(r)
}

// Of 20 cases 18 were found. Finding 12 of the same, 6 are lost and none is won:
// p is 2/2⁶. Finding 13 loses 5, and 2/2⁵ is not below 0.05.
func TestGate(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	baseline := file(t, result(t, rightly(t, c, 20, 18)))
	const group = "bare, react, sim:keyword, split test, T=1: "
	const was = "6 got worse and 0 better, McNemar p = 0.03125"
	lost := []string{
		group + "accuracy was 18 of 20, is 12 of 20: of the same dialogues " + was,
		group + "called_when_wanted was 18 of 20, is 12 of 20: of the same dialogues " + was,
		group + "wrong_tool was 2 of 20, is 8 of 20: of the same dialogues " + was,
		group + "first_contact was 18 of 20, is 12 of 20: of the same dialogues " + was,
		group + "skill called when wanted: a (18 of 20, now 12 of 20): of the same messages " + was + " after Holm's correction",
	}
	for right, want := range map[int][]string{20: nil, 18: nil, 13: nil, 12: lost} {
		got, err := hold(t, baseline, result(t, rightly(t, c, 20, right)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Failures); diff != "" {
			t.Errorf("%d right: %s", right, diff)
		}
		if got.Groups != 1 || len(got.Remarks) != 0 || (len(got.Chance) > 0) != (right == 13) {
			t.Errorf("%d right: got %+v", right, got)
		}
	}
}

// What got worse within chance is told, with what would have been found: of 20
// messages 5 are lost, and 6 would have been too many.
func TestGateTellsWhatIsWithinChance(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	got, err := hold(t, file(t, result(t, rightly(t, c, 20, 18))), result(t, rightly(t, c, 20, 13)))
	if err != nil {
		t.Fatal(err)
	}
	const group = "bare, react, sim:keyword, split test, T=1: "
	const least = " of 20: within chance (of the same dialogues 5 got worse and 0 better, McNemar p = 0.062); a loss of 6 or more would have been found"
	want := []string{
		group + "accuracy was 18 of 20, is 13" + least, group + "called_when_wanted was 18 of 20, is 13" + least,
		group + "wrong_tool was 2 of 20, is 7" + least, group + "first_contact was 18 of 20, is 13" + least,
		group + "skills called when wanted: within chance: a (18 of 20, now 13 of 20)",
	}
	if diff := cmp.Diff(want, got.Chance); diff != "" {
		t.Error(diff)
	}
	few, err := hold(t, file(t, result(t, rightly(t, c, 4, 4))), result(t, rightly(t, c, 4, 0)))
	if err != nil || len(few.Failures) != 0 || len(few.Chance) == 0 || !strings.Contains(few.Chance[0], "of 4 none would have been found, whatever got worse") {
		t.Errorf("got %+v, %v", few, err)
	}
}

// Without a case in common the shares are compared as those of two samples.
func TestGateWithoutCommonCases(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	baseline := file(t, result(t, rightly(t, c, 20, 18)), `"case":"c`, `"case":"other`)
	got, err := hold(t, baseline, result(t, rightly(t, c, 20, 12)))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Failures) != 4 || !strings.Contains(got.Failures[0], "accuracy was 18 of 20, is 12 of 20: difference -0.300, 95 % from -0.543 to -0.003") {
		t.Errorf("got %q", got.Failures)
	}
}

func TestGateMissesGroupsAndRemarksOnOthers(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	baseline := file(t, result(t, rightly(t, c, 4, 4)), `"templates": "t"`, `"templates": "u"`)
	c.Task = "lazy"
	got, err := hold(t, baseline, result(t, rightly(t, c, 4, 4)))
	if err != nil {
		t.Fatal(err)
	}
	want := routing.Finding{Failures: []string{"bare, react, sim:keyword, split test, T=1: the run does not have this group"}, Remarks: []string{"groups of the run that the baseline does not have: 1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	c.Task = "bare"
	if got, err = hold(t, baseline, result(t, rightly(t, c, 4, 4))); err != nil || len(got.Remarks) != 1 || got.Remarks[0] != "texts that join the parts of prompts changed since the baseline" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestGateOnAPart: a run that was stopped fails, and so does one of fewer sessions.
func TestGateOnAPart(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	baseline := file(t, result(t, rightly(t, c, 20, 18)))
	b := rightly(t, c, 12, 12)
	for i := range 3 {
		c.Seed = uint64(13 + i)
		b.Add(c, nil)
	}
	got, err := hold(t, baseline, result(t, b))
	if err != nil {
		t.Fatal(err)
	}
	const group = "bare, react, sim:keyword, split test, T=1: "
	want := routing.Finding{Groups: 1,
		Failures: []string{
			group + "3 of 15 cells of the run have no result: play them first",
			group + "12 of the baseline's 20 dialogues: play the others, too, or make a baseline of these",
		}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// hashed are digests of dialogues and of a library in the definition of every task.
func hashed(dialogues, library string) (string, string) {
	return `"hash":"h"`, `"hash":"h-` + dialogues + `-` + library + `"`
}

// Another library is what a gate is for: it is told, and compared. Other dialogues
// are refused, whatever the suite is called; the same ones are not.
func TestGateTellsTheLibraryFromTheSuite(t *testing.T) {
	t.Parallel()
	run := result(t, rightly(t, cell("bare", "react", "sim:keyword", 1, 0), 4, 4))
	at := func(dialogues, library string, more ...string) string {
		from, to := hashed(dialogues, library)
		return file(t, run, append([]string{from, to}, more...)...)
	}
	now, err := routing.Read(at("d", "l"))
	if err != nil {
		t.Fatal(err)
	}
	for want, baseline := range map[string]string{
		"": at("d", "l"),
		"library changed since the baseline: bare":                                                                   at("d", "k"),
		`options of task bare changed since the baseline: suite ("elsewhere.yaml", now "after-sales")`:               at("d", "l", `"suite":"after-sales"`, `"suite":"elsewhere.yaml"`),
		`options of task bare changed since the baseline: arm ("lazy_catalogue", now "bare_tools"), k (none, now 5)`: at("d", "l", `"arm":"bare_tools","k":5,"skills":0`, `"arm":"lazy_catalogue"`),
		"texts of suite or skills changed since the baseline: bare":                                                  file(t, run),
	} {
		got, err := hold(t, baseline, now)
		if err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if remarks := strings.Join(got.Remarks, "\n"); remarks != want || len(got.Failures) > 0 {
			t.Errorf("got %+v, want %q", got, want)
		}
	}
	if _, err := hold(t, at("e", "l"), now); err == nil || !strings.Contains(err.Error(), "other dialogues: the suite changed since the baseline") {
		t.Errorf("reworded messages: %v", err)
	}
}

func TestGateRefusesWhatIsNotAlike(t *testing.T) {
	t.Parallel()
	c := cell("bare", "react", "sim:keyword", 1, 0)
	run := result(t, rightly(t, c, 4, 4))
	for want, change := range map[string][2]string{
		"kind of model: real in the baseline, simulated in the run":              {`"kind":"simulated"`, `"kind":"real"`},
		`suite: "other" in the baseline, "after-sales" in the run`:               {`"suite":"after-sales"`, `"suite":"other"`},
		`task: "shop" in the baseline, "routing" in the run`:                     {`"base":"routing"`, `"base":"shop"`},
		`suite: case "c0" does not want the same in the baseline and in the run`: {`"wanted":"`, `"wanted":"0`},
	} {
		_, err := hold(t, file(t, run, change[0], change[1]), run)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := hold(t, file(t, run), nil); err == nil {
		t.Error("a run without routing was held to a baseline")
	}
}

func TestHostileBaselines(t *testing.T) {
	t.Parallel()
	run := result(t, rightly(t, cell("bare", "react", "sim:keyword", 1, 0), 4, 3))
	for want, change := range map[string][2]string{
		"version 2 of the format":                                                   {`"version": 1`, `"version": 2`},
		"rates.accuracy: want k of n and their share, got 5 of 4":                   {`"accuracy":{"k":3`, `"accuracy":{"k":5`},
		"rates.accuracy: want an interval around the share":                         {`"accuracy":{"k":3,"n":4,"share":0.75,"n_effective":3,"interval":{"low":0.`, `"accuracy":{"k":3,"n":4,"share":0.75,"n_effective":3,"interval":{"low":0.9`},
		"rates.score: want k of n and their share, got 0 of 0":                      {`"score":`, `"scores":`},
		"cases: \"c0\": want at most as many right":                                 {`"plays":1,"right":1`, `"plays":1,"right":7`},
		"cells.results: want a count, got -4":                                       {`"results":4`, `"results":-4`},
		"dialogues: want a count, got 4611686018427387904":                          {`"dialogues":4`, `"dialogues":4611686018427387904`},
		"lost: want at most the 4 dialogues, got 5":                                 {`"lost":0`, `"lost":5`},
		"lost: want a count, got -1":                                                {`"lost":0`, `"lost":-1`},
		`confusion: "a" for "a": want a count of 1 or more, got -3`:                 {`"got":"a","n":3`, `"got":"a","n":-3`},
		`cases: "c0" stands twice`:                                                  {`"case":"c1"`, `"case":"c0"`},
		"rates.accuracy: want k of n and their share, got 3 of 9007199254740993000": {`"accuracy":{"k":3,"n":4`, `"accuracy":{"k":3,"n":9007199254740993000`},
		"not JSON of that form: invalid character":                                  {`"share":0.75`, `"share":NaN`},
		`want names of printable characters`:                                        {`"agent":"react"`, `"agent":"react\nx"`},
		`react, sim:keyword, split test, T=1": want names of printable`:             {`"got":"a"`, `"got":"a\u202e"`},
		"no group in it":          {`"groups"`, `"others"`},
		"not JSON of that form":   {`"k":3`, `"k":"3"`},
		"more text after the end": {"]\n}", "]\n}{"},
	} {
		_, err := routing.OpenGate(file(t, run, change[0], change[1]))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "baseline.json: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := routing.OpenGate(t.TempDir()); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a folder: got %v", err)
	}
}

func FuzzBaseline(f *testing.F) {
	run, err := routing.Read(filepath.Join("testdata", "routing.json"))
	if err != nil {
		f.Fatal(err)
	}
	whole := run.Groups[0]
	data, err := (&routing.Result{Version: 1, Groups: []routing.Group{{Key: whole.Key, Rates: whole.Rates, Cases: whole.Cases[:1]}}}).JSON()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data) // short: the fuzzer is slow on long texts
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, "baseline.json")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		g, err := routing.OpenGate(path)
		if err != nil {
			return
		}
		if _, err := g.Hold(run); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than one line: %q", err)
		}
	})
}
