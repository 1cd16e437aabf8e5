package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func fileAt(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestCollection(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"one.yaml":   "name: first\ntitle: The first\npaper: [table1]\ntasks: [warehouse]\nagents: [react, skillstate]\nmodels: [sim:perfect]\nhorizons: [10, 25]\nseeds: 2\n",
		"two.yaml":   "name: second\npaper: [table6]\ntasks: [repo]\nagents: [skillstate]\nmodels: [sim:perfect]\nhorizons: [25, 50, 100]\nseeds: 1\n",
		"both.yaml":  "name: both\ntitle: <Both> of them\nexperiments: [one.yaml, two.yaml]\n",
		"lost.yaml":  "name: lost\nexperiments: [one.yaml, three.yaml]\n",
		"twice.yaml": "name: twice\nexperiments: [one.yaml, one.yaml]\n",
		"odd.yaml":   "name: odd\nexperiments: [one.yaml]\nhorizons: [5]\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "out")
	c := program(t, exitDone, "run", filepath.Join(dir, "both.yaml"), "--out", out)
	if !strings.Contains(c.out.String(), "2 experiments: "+filepath.Join(out, "report.md")) {
		t.Errorf("got %s", &c.out)
	}
	md, html := fileAt(t, out, "report.md"), fileAt(t, out, "report.html")
	for _, want := range []string{"[The first](one/report.html)", "[second](two/report.html)", "t6_flat", "published_arithmetic.csv"} {
		if !strings.Contains(md, want) {
			t.Errorf("report.md lacks %q", want)
		}
	}
	if !strings.Contains(html, `<a href="one/report.html">The first</a>`) || strings.Contains(html, "<Both>") {
		t.Error("report.html lacks a link, or does not escape")
	}
	for claim, want := range map[string]string{"t6_flat": "reproduced", "t1_scores": "not testable with a simulated model", "t2_scores": "not run", "t1_ratio_printed": "reproduced"} {
		if !strings.Contains(fileAt(t, out, "tables", "claims_simulated.csv"), claim+",") {
			t.Errorf("no line of %s", claim)
			continue
		}
		for _, line := range strings.Split(fileAt(t, out, "tables", "claims_simulated.csv"), "\n") {
			if strings.HasPrefix(line, claim+",") && !strings.Contains(line, ","+want+",") {
				t.Errorf("%s: want %q in %s", claim, want, line)
			}
		}
	}
	// Again only renders again, and so does report.
	program(t, exitDone, "run", filepath.Join(dir, "both.yaml"), "--out", out, "--resume")
	program(t, exitDone, "report", out)
	if fileAt(t, out, "report.md") != md || fileAt(t, out, "report.html") != html {
		t.Error("the same runs give another report")
	}
	for want, args := range map[string][]string{
		"three.yaml: cannot read the experiment": {"lost.yaml", filepath.Join(dir, "a")},
		"twice.yaml:2: experiments: want files":  {"twice.yaml", filepath.Join(dir, "b")},
		"odd.yaml:3: horizons: unknown key":      {"odd.yaml", filepath.Join(dir, "c")},
		"so it is not a run":                     {"both.yaml", dir},
	} {
		c := program(t, exitWrong, "run", filepath.Join(dir, args[0]), "--out", args[1])
		if !strings.Contains(c.err.String(), want) {
			t.Errorf("%s: want %q, got %s", args[0], want, &c.err)
		}
	}
}

// An interrupt stops the collection, not only the experiment under way.
func TestCollectionStops(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := "tasks: [warehouse]\nagents: [react]\nmodels: [sim:perfect]\nhorizons: [200]\nseeds: 4\n"
	for name, text := range map[string]string{"one.yaml": "name: one\n" + one, "two.yaml": "name: two\n" + one, "both.yaml": "name: both\nexperiments: [one.yaml, two.yaml]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	interrupts := make(chan os.Signal, 1)
	interrupts <- os.Interrupt
	c := newConsole(nil, interrupts)
	out := filepath.Join(dir, "out")
	if code := run(t.Context(), []string{"run", filepath.Join(dir, "both.yaml"), "--out", out}, c.system); code != exitFound {
		t.Fatalf("exit %d: %s%s", code, &c.out, &c.err)
	}
	if !strings.Contains(c.out.String(), "stopped: run the same command again to go on") {
		t.Errorf("got %s", &c.out)
	}
	if _, err := os.Stat(filepath.Join(out, "two")); err == nil {
		t.Error("the second experiment ran after an interrupt")
	}
}

// configs/paper.yaml is everything that needs no endpoint.
func TestPaperHoldsEveryExperiment(t *testing.T) {
	t.Parallel()
	c, ok, err := readCollection(filepath.Join(root, "configs", "paper.yaml"))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	files, err := filepath.Glob(filepath.Join(root, "configs", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text := fileAt(t, file)
		if !strings.Contains(text, "\ntasks:") || strings.Contains(text, "models: [configs/models/") {
			continue
		}
		if !slices.Contains(c.Experiments, file) {
			t.Errorf("%s is not in configs/paper.yaml", file)
		}
	}
	for _, file := range c.Experiments {
		fileAt(t, file)
	}
}
