package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"skillbench/harness/model/limit"
	"skillbench/metrics/money"
)

// totals adds up columns of cells.csv.
func totals(t *testing.T, dir string) (u money.Usage) {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, "cells.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range lines[0] {
		to := map[string]*int{"calls": &u.Calls, "prompt_tokens": &u.Prompt, "completion_tokens": &u.Completion}[name]
		if to == nil {
			continue
		}
		for _, line := range lines[1:] {
			n, err := strconv.Atoi(line[i])
			if err != nil {
				t.Fatal(err)
			}
			*to += n
		}
	}
	return u
}

func estimateOf(t *testing.T, file string, f runFlags, replies []int) []estimated {
	t.Helper()
	c := newConsole(nil, nil)
	plan, err := load(file, f, newModels(c.system, "", ""))
	if err != nil {
		t.Fatal(err)
	}
	found, err := estimate(t.Context(), c.system, file, plan, replies, money.Shipped().All())
	if err != nil {
		t.Fatal(err)
	}
	return found
}

var tinySet = []string{"horizons=[5,12]", "seeds=2"}

func TestEstimateIsExactForSimulatedModels(t *testing.T) {
	t.Parallel()
	file := "../../configs/table1.yaml"
	for _, set := range [][]string{nil, {`models=[{sim: clumsy, on_retry: true}]`, "repeats=2"}} {
		set = append(set, tinySet...)
		args := []string{"run", file, "--out", filepath.Join(t.TempDir(), "run")}
		for _, s := range set {
			args = append(args, "--set", s)
		}
		program(t, exitDone, args...)
		want := totals(t, args[3])
		got := estimateOf(t, file, runFlags{set: set}, []int{1, 2, 3})
		if len(got) != 1 || len(got[0].bills) != 1 {
			t.Fatalf("got %+v, want one bill", got)
		}
		u := got[0].bills[0].Usages[0]
		if u.Calls != want.Calls || u.Prompt != want.Prompt || u.Completion != want.Completion {
			t.Errorf("%v: estimated %+v, ran %+v", set, u, want)
		}
	}
}

// The endpoint is a real model to the program, with replies of 300 characters.
func TestEstimateHoldsTheTruth(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	file := modelFile(t, s.url, "price: gpt-5-mini")
	dir := filepath.Join(t.TempDir(), "run")
	program(t, exitDone, "run", "../../configs/table1.yaml", "--model", file, "--out", dir, "--set", tinySet[0], "--set", tinySet[1], "--set", "repeats=2")
	truth := totals(t, dir)
	for name, test := range map[string]struct {
		replies []int
		exact   int // the column that must equal the truth, or -1
	}{"stated": {[]int{100, 300, 900}, 1}, "between": {[]int{150, 400, 1200}, -1}} {
		found := estimateOf(t, "../../configs/table1.yaml", runFlags{models: []string{file}, set: append([]string{"repeats=2"}, tinySet...)}, test.replies)
		bills := found[0].bills
		low, high := bills[0].Usages[0], bills[2].Usages[0]
		if low.Calls != truth.Calls || low.Prompt > truth.Prompt || high.Prompt < truth.Prompt || low.Completion > truth.Completion || high.Completion < truth.Completion {
			t.Errorf("%s: from %+v to %+v, ran %+v", name, low, high, truth)
		}
		if test.exact >= 0 {
			if u := bills[test.exact].Usages[0]; u.Prompt != truth.Prompt || u.Completion != truth.Completion {
				t.Errorf("%s: at the true length of reply %+v, ran %+v", name, u, truth)
			}
		}
		if high.Prompt <= low.Prompt {
			t.Errorf("%s: longer replies make no longer prompts: %+v, %+v", name, low, high)
		}
	}
}

func TestEstimateSpeaks(t *testing.T) {
	t.Parallel()
	file := modelFile(t, "http://127.0.0.1:1", "price: gpt-5-mini", "limits: {rpm: 60, tpm: 30000}")
	c := program(t, exitDone, "estimate", "../../configs/table1.yaml", "--model", file, "--set", tinySet[0], "--set", tinySet[1], "--threshold", "0.0001")
	for _, want := range []string{"served (real): 16 episodes", "replies of 150", "USD, own cache", "wall time, at least", "money: 0.0"} {
		if !strings.Contains(c.out.String(), want) {
			t.Errorf("want %q in\n%s", want, &c.out)
		}
	}
	if !strings.Contains(c.err.String(), "warning: served may cost up to ") {
		t.Errorf("want a warning in %s", &c.err)
	}
	for want, args := range map[string][]string{
		"--reply: want three rising numbers": {"--reply", "5,4,3"},
		"--price: want one of":               {"--price", "gold"},
		"--prices: no such file":             {"--prices", "nowhere.yaml"},
		"limits.rpm: want 0":                 {"--rpm", "-1"},
	} {
		c := program(t, exitWrong, append([]string{"estimate", "../../configs/table1.yaml", "--set", "horizons=5", "--set", "seeds=1"}, args...)...)
		if !strings.Contains(c.err.String(), want) {
			t.Errorf("want %q, got %s", want, &c.err)
		}
	}
}

func TestLeastTime(t *testing.T) {
	t.Parallel()
	b := money.Bill{Longest: 20, Usages: []money.Usage{{Calls: 100, Prompt: 50_000, Completion: 10_000}}}
	for _, test := range []struct {
		rates   limit.Rates
		latency float64
		want    float64 // seconds
	}{
		{limit.Rates{RPM: 60}, 0, 40}, {limit.Rates{RPM: 200}, 0, 0}, {limit.Rates{TPM: 20_000}, 0, 120},
		{limit.Rates{}, 2, 40}, {limit.Rates{Concurrency: 4}, 2, 50}, {limit.Rates{RPM: 10, Concurrency: 4}, 2, 540},
	} {
		if got := least(b, test.rates, time.Duration(test.latency*float64(time.Second))).Seconds(); got != test.want {
			t.Errorf("%+v, %gs a call: got %gs, want %gs", test.rates, test.latency, got, test.want)
		}
	}
}
