package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	two, other := filepath.Join(dir, "two"), filepath.Join(dir, "other")
	more := []string{"--set", "agents=[react, skillstate]", "--set", "horizons=[10]", "--set", "seeds=8"}
	run := func(args ...string) {
		program(t, exitDone, append(append([]string{"run", "../../configs/table1.yaml"}, more...), args...)...)
	}
	run("--out", two, "--set", `models=["sim:perfect", {sim: perfect, name: talkative, verbosity: {"": 500}}]`)
	run("--out", other, "--set", "tokenizer=cl100k_base", "--set", `models=["sim:anchored"]`)
	c := program(t, exitDone, "compare", two+":sim:perfect", two+":talkative")
	for _, want := range []string{"warehouse react T=10", "equal on every seed", "  real", "2 tests read together"} {
		if !strings.Contains(c.out.String(), want) {
			t.Errorf("want %q in\n%s", want, &c.out)
		}
	}
	c = program(t, exitDone, "compare", two+":sim:perfect", other)
	if !strings.Contains(c.out.String(), "not alike: tokenizer: o200k_base and cl100k_base, so tokens are not compared") || strings.Contains(c.out.String(), " tokens  ") {
		t.Errorf("two tokenizers:\n%s", &c.out)
	}
	for want, args := range map[string][]string{
		"no model is in both":   {two, other},
		`got "nobody"`:          {two + ":nobody", other},
		"want two runs, DIR or": {two},
		"want a run directory":  {dir, other},
	} {
		c := program(t, exitWrong, append([]string{"compare"}, args...)...)
		if !strings.Contains(c.err.String(), want) {
			t.Errorf("%q: want %q, got %s", args, want, &c.err)
		}
	}
}
