package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/simserver"
	"skillbench/harness/record"
)

// transient spoils three calls in ten, in every way that passes.
const transient = `
seed: 11
in_a_row: 3
rules:
  - {rate: 0.05, fault: status, usage: true}
  - {rate: 0.04, fault: status, status: 429, retry_after: 60}
  - {rate: 0.03, fault: error, usage: true}
  - {rate: 0.03, fault: no_choices, usage: true}
  - {rate: 0.03, fault: cut, after: 150}
  - {rate: 0.02, fault: short, after: 150}
  - {rate: 0.02, fault: html}
  - {rate: 0.02, fault: empty}
  - {rate: 0.02, fault: garbage}
  - {rate: 0.02, fault: trailing}
  - {rate: 0.02, fault: reset}
`

// classes says what a client calls each of them.
var classes = map[simserver.Fault][]string{
	simserver.Status: {model.Unavailable, model.RateLimited}, simserver.Error: {model.ErrorBody}, simserver.NoChoices: {model.NoChoices},
	simserver.Cut: {model.CutBody}, simserver.Short: {model.CutBody}, simserver.HTML: {model.NotJSON}, simserver.Garbage: {model.NotJSON},
	simserver.Empty: {model.EmptyBody}, simserver.Trailing: {model.Trailing}, simserver.Reset: {model.Connection},
}

func TestTransientFaultsChangeNothingButTheBill(t *testing.T) {
	t.Parallel()
	want := results(t, embedded(t))
	for _, tc := range []struct{ workers, retries string }{
		{"1", "3"}, // as many as faults in a row
		{"4", "9"}, // equal calls that are in flight together share what befalls them
	} {
		t.Run(tc.workers+" workers", func(t *testing.T) {
			t.Parallel()
			s := serve(t, transient, nil)
			out := filepath.Join(t.TempDir(), "out")
			program(t, exitDone, small("--out", out, "--workers", tc.workers, "--model", modelFile(t, s.url, "retries: "+tc.retries))...)
			if d := cmp.Diff(want, results(t, out)); d != "" {
				t.Error(d)
			}
			sameBill(t, s.Ledger(), out)
		})
	}
}

// sameBill holds the journals of a run to the ledger of its server.
func sameBill(t *testing.T, l simserver.Ledger, out string) {
	t.Helper()
	all, ends := calls(t, out)
	for _, e := range ends {
		if e.Status != record.Done || len(e.Failed) > 0 {
			t.Errorf("%+v", e)
		}
	}
	got := waste(all)
	want := simserver.Ledger{Calls: l.Calls, Replies: len(all), Faults: l.Faults, WithUsage: got.withUsage, PromptTokens: got.prompt, CompletionTokens: got.completion}
	if d := cmp.Diff(want, l); d != "" {
		t.Errorf("the ledger differs from the journals (-journals +ledger):\n%s", d)
	}
	if got.attempts != l.Calls-l.Replies {
		t.Errorf("%d failed attempts in the journals, %d injected", got.attempts, l.Calls-l.Replies)
	}
	sameClasses(t, l, got.classes)
	if share := float64(got.attempts) / float64(l.Calls); share < 0.2 || share > 0.4 {
		t.Errorf("%d of %d calls were spoilt, want about 30 %%", got.attempts, l.Calls)
	}
	if got.withUsage == 0 || got.withUsage == got.attempts {
		t.Errorf("%d of %d failed attempts said what they used, want some", got.withUsage, got.attempts)
	}
}

// wasted is what failed attempts cost, as far as they said.
type wasted struct {
	attempts                      int
	withUsage, prompt, completion int
	classes                       map[string]int
}

func waste(all []journal.Call) wasted {
	w := wasted{classes: map[string]int{}}
	for _, c := range all {
		for _, f := range c.Failed {
			w.attempts++
			w.classes[f.Class]++
			if f.Usage != nil {
				w.withUsage++
				w.prompt += *f.Usage.Prompt
				w.completion += *f.Usage.Completion
			}
		}
	}
	return w
}

// sameClasses compares what was injected with what was recorded, by class.
func sameClasses(t *testing.T, l simserver.Ledger, got map[string]int) {
	t.Helper()
	left := maps.Clone(got)
	for _, fault := range slices.Sorted(maps.Keys(l.Faults)) {
		n := l.Faults[fault]
		for _, class := range classes[fault] {
			part := min(n, left[class])
			n -= part
			left[class] -= part
		}
		if n > 0 {
			t.Errorf("%s: %d more injected than recorded as %q", fault, n, classes[fault])
		}
	}
	for class, n := range left {
		if n > 0 {
			t.Errorf("%s: %d more recorded than injected", class, n)
		}
	}
}

// one is a run of a single episode: `skillstate` on a wire.
func one(wire string, args ...string) []string {
	return append([]string{"run", "../../configs/table1.yaml", "--set", "horizons=5", "--set", "seeds=1",
		"--set", "agents=[{base: skillstate, name: skillstate, wire: " + wire + ", retry: 0}]"}, args...)
}

// TestPermanentFaultsEndWithTheirName: the same answer to every call.
func TestPermanentFaultsEndWithTheirName(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		fault  string
		exit   int
		status record.Status
		why    string
		calls  int
	}{
		"key":     {"fault: status, status: 401", exitFound, "failed:refused", "wants a key", 1},
		"key 403": {"fault: status, status: 403", exitFound, "failed:refused", "wants a key", 1},
		"model":   {"fault: status, status: 404, text: no such model", exitFound, "failed:refused", "no such model", 1},
		"request": {"fault: status, status: 400, text: temperature is not supported", exitFound, "failed:deterministic", "unset it in the model file", 1},
		"quota": {`fault: text, status: 429, text: "{\"error\":{\"code\":\"insufficient_quota\",\"message\":\"pay\"}}"`,
			exitFound, "failed:deterministic", "pay", 1},
		"overflow": {`fault: text, status: 400, text: "{\"error\":{\"code\":\"context_length_exceeded\",\"message\":\"too long\"}}"`,
			exitDone, record.ContextOverflow, "", 1},
		"outage":       {"fault: status, status: 500", exitFound, "failed:transient", "3 attempts, the last: unavailable", 3},
		"rate limit":   {"fault: status, status: 429, retry_after: 99", exitFound, "failed:transient", "3 attempts, the last: rate_limited", 3},
		"proxy page":   {"fault: html", exitFound, "failed:transient", "does base_url end in /v1?", 3},
		"never answer": {"fault: hang", exitFound, "failed:transient", "3 attempts, the last: timeout: no complete answer in 120ms", 3},
		"half answers": {"fault: hang, after: 50", exitFound, "failed:transient", "3 attempts, the last: timeout: no complete answer in 120ms", 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "rules: [{every: 1, "+tc.fault+"}]", nil)
			more := []string{"retries: 2", "temperature: 0"}
			if strings.Contains(tc.fault, "hang") {
				more = append(more, "timeout: 120ms")
			}
			out := filepath.Join(t.TempDir(), "out")
			began := time.Now()
			c := program(t, tc.exit, one("fenced", "--out", out, "--model", modelFile(t, s.url, more...))...)
			all, ends := calls(t, out)
			if len(ends) != 1 || ends[0].Status != tc.status || !strings.Contains(ends[0].Why, tc.why) {
				t.Errorf("%+v", ends)
			}
			if l := s.Ledger(); l.Calls != tc.calls {
				t.Errorf("%d calls, want %d", l.Calls, tc.calls)
			}
			if tc.calls > 1 && len(ends[0].Failed) != tc.calls {
				t.Errorf("%+v", ends[0].Failed)
			}
			if tc.status != record.ContextOverflow && (len(all) > 0 || !strings.Contains(c.out.String(), string(tc.status))) {
				t.Errorf("%d calls, output %s", len(all), &c.out)
			}
			if d := time.Since(began); d > 30*time.Second {
				t.Errorf("took %s", d)
			}
			if line := results(t, out)[1]; line[len(line)-2] != string(tc.status) {
				t.Errorf("cells.csv: %q", line)
			}
		})
	}
}

// TestSemanticFaultsAreReplies: none is asked for again by the transport.
func TestSemanticFaultsAreReplies(t *testing.T) {
	t.Parallel()
	const call = `{name: propose_transition, arguments: "{\"state_patch\":{},\"action\":\"Wait\"}"}`
	for name, tc := range map[string]struct {
		wire, reply   string
		finish        record.Finish
		class         string // of the violation; "" means accepted
		thinking      bool
		choices, used int
	}{
		"cut":           {"fenced", `{text: "So far: {\"state_patch\":", finish: length}`, record.Length, "truncated", false, 1, 0},
		"only thoughts": {"fenced", `{reasoning: "I should wait."}`, record.Stop, "empty", true, 1, 0},
		"refusal":       {"fenced", `{refusal: "I cannot help."}`, record.Refusal, "refusal", false, 1, 0},
		"filtered":      {"fenced", `{finish: content_filter}`, record.ContentFilter, "refusal", false, 1, 0},
		"think block":   {"fenced", `{text: "<think>{\"state_patch\":{},\"action\":\"Ship\"}</think>{\"state_patch\":{},\"action\":\"Wait\"}"}`, record.Stop, "", false, 1, 0},
		"three choices": {"fenced", `{text: "{\"state_patch\":{},\"action\":\"Wait\"}", choices: 3}`, record.Stop, "", false, 3, 0},
		"no answer":     {"fenced", `{text: "Let me see."}`, record.Stop, "no_json", false, 1, 0},
		"one call":      {"tool", `{finish: tool_calls, calls: [` + call + `]}`, record.ToolCalls, "", false, 1, 1},
		"two calls":     {"tool", `{finish: tool_calls, calls: [` + call + `, ` + call + `]}`, record.ToolCalls, "envelope", false, 1, 2},
		"half a call":   {"tool", `{finish: tool_calls, calls: [{name: propose_transition, arguments: "{\"action\":\"Wait\"}"}]}`, record.ToolCalls, "envelope", false, 1, 1},
		"other tool":    {"tool", `{finish: tool_calls, calls: [{name: rm, arguments: "{}"}]}`, record.ToolCalls, "envelope", false, 1, 1},
		"text, no call": {"tool", `{text: "Wait"}`, record.Stop, "no_json", false, 1, 0},
		"schema, prose": {"json_schema", `{text: "I wait."}`, record.Stop, "no_json", false, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "rules: [{every: 1, fault: reply, reply: "+tc.reply+"}]", nil)
			out := filepath.Join(t.TempDir(), "out")
			program(t, exitDone, one(tc.wire, "--out", out, "--steps", "2", "--model", modelFile(t, s.url))...)
			all, _ := calls(t, out)
			if l := s.Ledger(); len(all) != 2 || l.Calls != 2 {
				t.Fatalf("%d calls recorded, %d made, want 2", len(all), l.Calls)
			}
			c := all[0]
			if c.Finish != tc.finish || c.Choices != tc.choices || (c.Thinking > 0) != tc.thinking || len(c.Calls) != tc.used || len(c.Failed) > 0 {
				t.Errorf("%+v", c)
			}
			if got := firstClass(t, out); got != tc.class {
				t.Errorf("got class %q, want %q", got, tc.class)
			}
		})
	}
}

// firstClass is the class of the first violation of a run, "" for an accepted reply.
func firstClass(t *testing.T, dir string) string {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	r, err := journal.Read(journal.CellDir(dir, m.Cells[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	class := "no transition"
	err = r.Each(func(e journal.Event) error {
		if e.Transition != nil && class == "no transition" {
			class = ""
			for _, v := range e.Transition.Violations[:min(1, len(e.Transition.Violations))] {
				class = fmt.Sprint(v.Class)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return class
}
