package check_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/check"
	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A moment is one step of a journal written by hand: its prompt and the value
// that the reply puts under "v" in Σ.
type moment struct {
	prompt []prompt.Segment
	patch  string // "" for none
}

// written is the journal of a strategy whose Σ is {"v": …}, from "zero" on.
func written(t *testing.T, moments ...moment) *journal.Reader {
	t.Helper()
	dir := t.TempDir()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	write := func(e journal.Event) {
		if err := log.Write(e); err != nil {
			t.Fatal(err)
		}
	}
	sigma := holds("zero")
	write(journal.Event{Start: &journal.Start{Version: journal.Version, State: &sigma, Merge: state.Deep}})
	for n, m := range moments {
		edit := prompt.Edit{}
		for _, s := range m.prompt {
			number, err := log.Number(s.Text)
			if err != nil {
				t.Fatal(err)
			}
			edit.Add = append(edit.Add, prompt.Ref{Kind: s.Kind, From: s.From, To: s.To, Text: number})
		}
		if err := log.Call(&journal.Call{Purpose: record.ForStep, Step: n, Splice: prompt.Splice{edit}}, record.Reply{Text: "reply"}); err != nil {
			t.Fatal(err)
		}
		move := record.Move{Action: "Wait"}
		if m.patch != "" {
			patch := holds(m.patch)
			move.Patch, sigma = &patch, patch
		}
		write(journal.Event{Transition: &record.Transition{Step: n, Move: move}})
		write(journal.Event{Act: &record.Act{Observation: record.Observation{Step: n}, Action: "Wait", State: sigma.Hash()}})
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func holds(v string) state.Object { return state.From(map[string]any{"v": v}) }

func segment(kind prompt.Kind, text string) prompt.Segment { return prompt.Label(kind, text) }

func TestHistoryLeak(t *testing.T) {
	t.Parallel()
	seen := check.NewCanary(1, "observation", 0)
	held := check.NewCanary(1, "state", 0)
	observed := map[int]string{1: "O holds " + seen.Text + ".\n"}
	plain := []prompt.Segment{segment(prompt.Observation, seen.Text+"\n")}
	shows := func(segments ...prompt.Segment) []moment {
		return []moment{{plain, held.Text}, {segments, "later"}, {[]prompt.Segment{segment(prompt.State, holds("later").Compact())}, ""}}
	}
	for name, test := range map[string]struct {
		moments  []moment
		evidence string // "" where it passes
	}{
		"nothing of the past":          {shows(segment(prompt.Contract, "Reply.\n")), ""},
		"held by Σ, compact":           {shows(segment(prompt.State, "```json\n"+holds(held.Text).Compact()+"\n```\n")), ""},
		"held by Σ, indented":          {shows(segment(prompt.State, holds(held.Text).Indent())), ""},
		"echoed by O":                  {shows(prompt.Of(prompt.Observation, 1, observed[1])), ""},
		"a canary nobody planted":      {shows(segment(prompt.History, check.NewCanary(2, "observation", 0).Text)), ""},
		"beside the rendering":         {shows(segment(prompt.State, holds(held.Text).Compact()+held.Text)), "step 1 attempt 0: a segment of state"},
		"before the rendering":         {shows(segment(prompt.State, held.Text+holds(held.Text).Compact())), "the state of step 0"},
		"not in Σ":                     {shows(segment(prompt.State, holds(seen.Text).Compact())), "the observation of step 0"},
		"Σ shown as something else":    {shows(segment(prompt.Summary, holds(held.Text).Compact())), "a segment of summary"},
		"O with more":                  {shows(prompt.Of(prompt.Observation, 1, observed[1]+seen.Text)), "a segment of observation (steps 1)"},
		"no longer held":               {append(shows(), moment{[]prompt.Segment{segment(prompt.State, holds(held.Text).Compact())}, ""}), "step 3 attempt 0"},
		"control characters in excerp": {shows(segment(prompt.Ledger, "\x1b[31m\u202e"+seen.Text)), `\x1b[31m\u202ecanary`},
		"nothing to judge":             {[]moment{{plain, ""}}, "nothing was judged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := check.HistoryLeak(written(t, test.moments...), check.Facts{Canaries: []check.Canary{seen, held}, Observations: observed})
			if err != nil {
				t.Fatal(err)
			}
			judged(t, result, test.evidence)
		})
	}
}

func judged(t *testing.T, r check.Result, evidence string) {
	t.Helper()
	text := strings.Join(r.Evidence, "\n")
	if r.Pass != (evidence == "") || !strings.Contains(text, evidence) {
		t.Errorf("%s: pass is %t, want evidence %q, got %q", r.Invariant, r.Pass, evidence, r.Evidence)
	}
}

func TestPromptGrowth(t *testing.T) {
	t.Parallel()
	step := func(n int, v string, more ...prompt.Segment) moment {
		o := prompt.Of(prompt.Observation, n, strings.Repeat("o", 10+n))
		return moment{append([]prompt.Segment{o, segment(prompt.State, holds(v).Compact()), segment(prompt.Contract, "Reply.")}, more...), "value" + strings.Repeat("ö", n)}
	}
	observed := map[int]string{0: strings.Repeat("o", 10), 1: strings.Repeat("o", 11), 2: strings.Repeat("o", 12)}
	for name, test := range map[string]struct {
		moments  []moment
		max      int
		evidence string
	}{
		"constant":             {[]moment{step(0, "zero"), step(1, "value"), step(2, "valueö")}, 20, ""},
		"a character more":     {[]moment{step(0, "zero"), step(1, "value", segment(prompt.Contract, "!"))}, 0, "step 1 attempt 0: the step prompt has 7 characters beside Σ, O and feedback, at step 0 it had 6"},
		"another Σ than it is": {[]moment{step(0, "zero"), step(1, "longer than it is")}, 0, "beside Σ"},
		"past as observation":  {[]moment{step(0, "zero"), step(1, "value", prompt.Of(prompt.Observation, 0, "old"))}, 0, "beside Σ"},
		"unasked feedback":     {[]moment{step(0, "zero"), step(1, "value", segment(prompt.Feedback, "old"))}, 0, "beside Σ"},
		"Σ over its bound":     {[]moment{step(0, "zero"), step(1, "value"), step(2, "valueö")}, 14, "step 2: Σ has 15 characters, declared are at most 14"},
		"one step":             {[]moment{step(0, "zero")}, 0, "nothing was judged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := check.PromptGrowth(written(t, test.moments...), check.Facts{Observations: observed, MaxChars: test.max})
			if err != nil {
				t.Fatal(err)
			}
			judged(t, result, test.evidence)
		})
	}
	result, err := check.PromptGrowth(written(t, step(0, "zero"), step(1, "value"), step(2, "valueö")), check.Facts{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"fixed_chars": 6, "state_chars_max": 15, "state_chars_mean": 14, "observation_chars_max": 12, "observation_chars_mean": 11}
	if diff := cmp.Diff(want, result.Measured); diff != "" {
		t.Error(diff)
	}
}

func TestInterference(t *testing.T) {
	t.Parallel()
	of := func(history string) prompt.Prompt {
		return prompt.Prompt{{segment(prompt.Instructions, "Do.\n")}, {prompt.Of(prompt.History, 3, history)}}
	}
	judged(t, check.Interference("a", of("same"), "b", of("same")), "")
	judged(t, check.Interference("a", of("one"), "b", of("own")), `(a against b): the prompts differ from byte 5 on: "Do.\none" in a segment of history (steps 3) against "Do.\nown" in`)
	judged(t, check.Interference("a", of(""), "b", of("x")), "in nothing: the prompt is over")
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	first, second := check.CallID{Purpose: record.ForStep}, check.CallID{Purpose: record.ForRetry, Attempt: 1}
	good := check.Resumption{How: "killed", Recorded: []check.CallID{first}, Made: []check.CallID{second}, Events: []byte("a\nb\n"), Segments: []byte("s\n")}
	changed := func(f func(*check.Resumption)) []check.Resumption {
		r := good
		f(&r)
		return []check.Resumption{good, r}
	}
	for name, test := range map[string]struct {
		resumed  []check.Resumption
		evidence string
	}{
		"as undisturbed": {[]check.Resumption{good}, ""},
		"other events":   {changed(func(r *check.Resumption) { r.Events = []byte("a\nc\n") }), "killed: events differ from byte 2 on (line 2)"},
		"fewer events":   {changed(func(r *check.Resumption) { r.Events = []byte("a\n") }), "events differ"},
		"other texts":    {changed(func(r *check.Resumption) { r.Segments = nil }), "segments differ"},
		"repeated call":  {changed(func(r *check.Resumption) { r.Made = append(r.Made, first) }), "the recorded step call of step 0 attempt 0 was made again"},
		"not taken up":   {changed(func(r *check.Resumption) { r.Err = errors.New("locked") }), "cannot be taken up: locked"},
		"none":           {nil, "nothing was judged"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			judged(t, check.RoundTrip([]byte("a\nb\n"), []byte("s\n"), test.resumed), test.evidence)
		})
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	one := check.Result{Invariant: check.NoHistoryLeak, Pass: true, Evidence: []string{"note"}, Measured: map[string]float64{"a": 1, "b": 5}}
	two := check.Result{Invariant: check.NoHistoryLeak, Evidence: []string{"fault"}, Measured: map[string]float64{"a": 2, "b": -5}}
	want := check.Result{Invariant: check.NoHistoryLeak, Evidence: []string{"fault", "note"}, Measured: map[string]float64{"a": 2, "b": 5}}
	if diff := cmp.Diff(want, check.Join(one, two)); diff != "" {
		t.Error(diff)
	}
}

// Evidence is bounded and says what it leaves out.
func TestEvidenceBounded(t *testing.T) {
	t.Parallel()
	canary := check.NewCanary(1, "observation", 0)
	var moments []moment
	for n := range 50 {
		moments = append(moments, moment{[]prompt.Segment{segment(prompt.History, fmt.Sprintf("%d %s%s", n, canary.Text, strings.Repeat("\x00", 4000)))}, ""})
	}
	result, err := check.HistoryLeak(written(t, moments...), check.Facts{Canaries: []check.Canary{canary}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(result.Evidence); n != check.MaxEvidence || result.Evidence[n-1] != "and 30 more like these" {
		t.Errorf("got %d lines, the last %q", n, result.Evidence[n-1])
	}
	for _, line := range result.Evidence {
		if len(line) > 1000 || strings.ContainsAny(line, "\x00\n") {
			t.Errorf("want a bounded line, got %q", line)
		}
	}
}
