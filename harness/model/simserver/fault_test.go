package simserver_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/model/simserver"
	"skillbench/harness/record"
)

// outcome is what a client without retries makes of one call: class and status
// of a failure, with the tokens it is known to have cost, or how the reply ended.
func outcome(t testing.TB, c *openai.Client, text string) string {
	t.Helper()
	r, err := c.Generate(t.Context(), ask(text))
	if err == nil {
		return fmt.Sprintf("%s %d %q %q", r.Finish, r.Choices, r.Text, r.Thinking)
	}
	e, ok := errors.AsType[*model.Error](err)
	if !ok {
		t.Fatal(err)
	}
	if len(e.Failed) == 0 {
		return fmt.Sprint(e.Class, " ", e.Status)
	}
	f := e.Failed[0]
	if f.Class == model.Timeout { // how far the answer had come depends on the machine
		return f.Class
	}
	if f.Usage != nil {
		return fmt.Sprintf("%s %d, %d tokens", f.Class, f.Status, *f.Usage.Prompt)
	}
	return fmt.Sprint(f.Class, " ", f.Status)
}

// TestFaultsHaveTheirNames holds every fault to what a client should call it.
func TestFaultsHaveTheirNames(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"fault: status":                              "unavailable 503",
		"fault: status, usage: true":                 "unavailable 503, 30 tokens",
		"fault: status, status: 429, retry_after: 7": "rate_limited 429",
		"fault: status, status: 408":                 "unavailable 408",
		"fault: status, status: 500, delay: 3":       "unavailable 500",
		"fault: status, status: 401":                 "deterministic 401",
		"fault: status, status: 404":                 "deterministic 404",
		"fault: error":                               "error_body 200",
		"fault: error, usage: true":                  "error_body 200, 30 tokens",
		"fault: html":                                "not_json 200",
		"fault: html, status: 502":                   "unavailable 502",
		`fault: text, text: "{\"object\":\"error\",\"message\":\"busy\",\"code\":500}"`: "unavailable 200",
		"fault: empty":                   "empty_body 200",
		"fault: no_choices":              "no_choices 200",
		"fault: no_choices, usage: true": "no_choices 200, 30 tokens",
		"fault: garbage":                 "not_json 200",
		"fault: trailing":                "trailing_garbage 200",
		"fault: cut":                     "cut_body 200",
		"fault: cut, after: 100":         "cut_body 200",
		"fault: cut, after: 99999":       "cut_body 200",
		"fault: short, after: 100":       "cut_body 200",
		"fault: short":                   "empty_body 200",
		"fault: reset":                   "connection 0",
		"fault: hang":                    "timeout",
		"fault: hang, after: 100":        "timeout",
		"fault: slow, delay: 5":          `stop 1 "An arrival goes to the lowest empty shelf.\n\nAction: Store item_7 shelf_0" ""`,

		`fault: reply, reply: {text: "half of", finish: length}`:  `length 1 "half of" ""`,
		`fault: reply, reply: {reasoning: "Only thoughts."}`:      `stop 1 "" "Only thoughts."`,
		`fault: reply, reply: {refusal: "No.", choices: 1}`:       `refusal 1 "No." ""`,
		`fault: reply, reply: {finish: content_filter}`:           `content_filter 1 "" ""`,
		`fault: reply, reply: {text: "Action: Wait", choices: 3}`: `stop 3 "Action: Wait" ""`,
		`fault: reply, reply: {text: "x", finish: something}`:     `unknown 1 "x" ""`,
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			e := serve(t, script(t, "rules: [{every: 1, "+fault+"}]"))
			c := client(t, e, func(c *openai.Config) {
				if strings.Contains(fault, "hang") {
					c.Timeout = 150 * time.Millisecond
				}
			})
			if got := outcome(t, c, question); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			ledger(t, e, fault, strings.Contains(want, "tokens"))
		})
	}
}

func ledger(t *testing.T, e endpoint, fault string, used bool) {
	t.Helper()
	kind, _, _ := strings.Cut(strings.TrimPrefix(fault, "fault: "), ",")
	want := simserver.Ledger{Calls: 1, Faults: map[simserver.Fault]int{simserver.Fault(kind): 1}}
	got := e.Ledger()
	if used {
		want.WithUsage, want.PromptTokens = 1, 30
		want.CompletionTokens = got.CompletionTokens
		if got.CompletionTokens == 0 {
			t.Error("no completion tokens in the ledger")
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestStreamsBreak(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"fault: cut, after: 400":              "cut_body 200",
		"fault: cut, after: 400, usage: true": "cut_body 200, 30 tokens",
		"fault: cut, after: 99999":            "cut_body 200",
		"fault: short, after: 400":            "stream_cut 200",
		"fault: short, after: 99999":          "stream_cut 200",
		"fault: short, usage: true":           "stream_cut 200, 30 tokens",
		"fault: status, usage: true":          "unavailable 503, 30 tokens",
		"fault: hang, after: 400":             "timeout",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			e := serve(t, script(t, "rules: [{every: 1, "+fault+"}]"))
			c := client(t, e, func(c *openai.Config) {
				c.Stream = true
				if strings.Contains(fault, "hang") {
					c.Timeout = 150 * time.Millisecond
				}
			})
			if got := outcome(t, c, question); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			ledger(t, e, fault, strings.Contains(want, "tokens"))
		})
	}
}

func TestFaultsAtChosenCalls(t *testing.T) {
	t.Parallel()
	e := serve(t, script(t, "rules: [{at: [2, 5], fault: empty}, {every: 3, fault: html}]"))
	c := client(t, e, nil)
	var got []string
	for range 7 {
		o := outcome(t, c, question)
		got = append(got, o[:strings.IndexByte(o, ' ')])
	}
	if d := cmp.Diff([]string{"stop", "empty_body", "not_json", "stop", "empty_body", "not_json", "stop"}, got); d != "" {
		t.Error(d)
	}
}

const shares = `
seed: 5
in_a_row: 2
rules:
  - {rate: 0.2, fault: status}
  - {rate: 0.2, fault: empty}
  - {rate: 0.2, fault: no_choices, usage: true}
`

// storm sends requests of different texts until each is answered, and returns
// what each met.
func storm(t *testing.T, e endpoint, order []int, together bool) map[int]string {
	t.Helper()
	c := client(t, e, nil)
	met := map[int]string{}
	var mu sync.Mutex
	one := func(i int) {
		for range 4 {
			o := outcome(t, c, fmt.Sprintf("%s\n%d", question, i))
			kind, _, _ := strings.Cut(o, " ")
			mu.Lock()
			met[i] += kind + " "
			mu.Unlock()
			if kind == "stop" {
				return
			}
		}
		t.Errorf("request %d: over two faults in a row", i)
	}
	var wg sync.WaitGroup
	for _, i := range order {
		if together {
			wg.Go(func() { one(i) })
		} else {
			one(i)
		}
	}
	wg.Wait()
	return met
}

func TestSharesDoNotDependOnTheOrder(t *testing.T) {
	t.Parallel()
	const n = 300
	up, down := make([]int, n), make([]int, n)
	for i := range n {
		up[i], down[n-1-i] = i, i
	}
	first, second := serve(t, script(t, shares)), serve(t, script(t, shares))
	a, b := storm(t, first, up, false), storm(t, second, down, true)
	if d := cmp.Diff(a, b); d != "" {
		t.Error(d)
	}
	l := first.Ledger()
	if d := cmp.Diff(l, second.Ledger()); d != "" {
		t.Error(d)
	}
	// 0.6 of 300 first attempts, 0.6 of these again, the third is spared: 288.
	sum := l.Faults[simserver.Status] + l.Faults[simserver.Empty] + l.Faults[simserver.NoChoices]
	if l.Replies != n || l.Calls != n+sum || sum < 250 || sum > 326 {
		t.Errorf("%+v", l)
	}
	for f, k := range l.Faults {
		if k < 65 || k > 127 {
			t.Errorf("%s: %d of an expected 96", f, k)
		}
	}
	if l.WithUsage != l.Faults[simserver.NoChoices] || l.PromptTokens < 30*l.WithUsage {
		t.Errorf("%+v", l)
	}
	other := serve(t, script(t, strings.Replace(shares, "seed: 5", "seed: 6", 1)))
	if cmp.Equal(a, storm(t, other, up, true)) {
		t.Error("another seed spoils the same calls")
	}
}

func TestRetryAfterIsSent(t *testing.T) {
	t.Parallel()
	e := serve(t, script(t, `{in_a_row: 1, rules: [{every: 1, fault: status, status: 429, retry_after: "42"}]}`))
	cfg := openai.Config{Model: "sim:perfect/warehouse", BaseURL: e.url + "/v1", Retries: new(1)}
	var waits []time.Duration
	clock := atOnce()
	sleep := clock.Sleep
	clock.Sleep = func(ctx context.Context, d time.Duration) error { waits = append(waits, d); return sleep(ctx, d) }
	c, err := openai.New(cfg, "", openai.Deps{Clock: clock, Jitter: func() float64 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	r, err := c.Generate(t.Context(), ask(question))
	if err != nil || len(r.Failed) != 1 || r.Finish != record.Stop || len(waits) != 1 || waits[0] != 42*time.Second {
		t.Errorf("%+v, %v, waits %v", r, err, waits)
	}
}

func TestScriptsThatAreWrong(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rules: [{every: 1, fault: crash}]":                            "fault: want one of",
		"rules: [{fault: empty}]":                                      "want one of at, every and rate, got 0 of them",
		"rules: [{at: 1, rate: 0.5, fault: empty}]":                    "want one of at, every and rate, got 2 of them",
		"rules: [{every: -1, fault: empty}]":                           "want every over 0",
		"rules: [{rate: 2, fault: empty}]":                             "rate from 0 to 1",
		"rules: [{rate: 0.6, fault: empty}, {rate: 0.6, fault: html}]": "a sum of 1 at most, got 1.2",
		"rules: [{every: 1, fault: status, status: 99}]":               "status: want 200 to 599, got 99",
		"rules: [{every: 1, fault: slow, delay: -1}]":                  "delay: want 0 to",
		"rules: [{every: 1, fault: cut, after: -1}]":                   "after: want 0 to",
		"rules: [{every: 1, fault: reply}]":                            "reply: want it with fault reply",
		"rules: [{every: 1, fault: empty, reply: {text: x}}]":          "reply: want it with fault reply",
		"rules: [{every: 1, fault: hang, usage: true}]":                "usage: no client could read it",
		"rules: [{every: 1, fault: reply, reply: {choices: 101}}]":     "1 to 100 choices",
		"rules: [{every: 1, fault: empty, retry_after: \"1\\nX: y\"}]": "retry_after: want one line",
		"in_a_row: -1": "in_a_row: want 0 (no bound) or more, got -1",
		"rulez: []":    "rulez: unknown key",
		"rules: [{every: 1, fault: empty, colour: red}]": "colour: unknown key",
		"": "the file is empty",
	} {
		_, err := simserver.ParseScript("faults.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "faults.yaml:1: ") {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	if _, err := simserver.New(simserver.Options{}); err == nil {
		t.Error("a server of nothing")
	}
}
