package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/metrics/routing"
)

// TestLintMeasured: pairs that a run confused are found; what a strategy that
// reads nothing confused is not.
func TestLintMeasured(t *testing.T) {
	t.Parallel()
	r, err := routing.Read(filepath.Join(root, "metrics/routing/testdata/routing.json"))
	if err != nil {
		t.Fatal(err)
	}
	confused := []routing.Confusion{{Want: "logistics", Got: "logistics", N: 8}, {Want: "logistics", Got: "order-status", N: 4}}
	for agent, want := range map[string]string{
		"react":  ": confused: 4 of 12 messages for it or order-status were taken for the other one (" + r.Groups[0].Task + ", react, ",
		"random": "",
	} {
		r.Groups = r.Groups[:1]
		r.Groups[0].Agent, r.Groups[0].Model, r.Groups[0].Confusion = agent, "sim:keyword", confused
		data, err := r.JSON()
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), routing.File)
		write(t, file, string(data))
		var out, errs bytes.Buffer
		code := run(context.Background(), []string{"skills", "lint", "--measured", file}, system{stdout: &out, stderr: &errs})
		if found := want != ""; (code == exitFound) != found || !strings.Contains(out.String(), want) || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %s%s, want %s", agent, code, out.String(), errs.String(), want)
		}
	}
}
