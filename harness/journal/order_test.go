package journal_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skillbench/harness/journal"
)

// TestEventsOutOfOrderAreDamage: a journal that no episode can have written is
// refused by every reader, with file and line.
func TestEventsOutOfOrderAreDamage(t *testing.T) {
	t.Parallel()
	const (
		start      = `{"start":{"version":1,"cell":{"id":"a"},"tokenizer":"o200k_base","truth":{}}}`
		call       = `{"call":{"purpose":"step","step":0,"splice":[],"hash":"","chars":1,"tokens":1,"reply":1,"finish":"stop","completion":1}}`
		retry      = `{"call":{"purpose":"retry","step":0,"attempt":1,"splice":[],"hash":"","chars":1,"tokens":1,"reply":1,"finish":"stop","completion":1}}`
		refused    = `{"transition":{"step":0,"attempt":0,"move":{"action":""},"violations":[{"class":"empty","hint":"x"}]}}`
		accepted   = `{"transition":{"step":0,"attempt":0,"move":{"action":"Wait"}}}`
		summary    = `{"call":{"purpose":"summary","step":0,"splice":[],"hash":"","chars":1,"tokens":1,"reply":1,"finish":"stop","completion":1}}`
		scores     = `{"call":{"purpose":"scores","step":0,"splice":[],"hash":"","chars":1,"tokens":1,"reply":1,"finish":"stop","completion":0}}`
		more       = `{"call":{"purpose":"scores","step":0,"attempt":1,"splice":[],"hash":"","chars":1,"tokens":1,"reply":1,"finish":"stop","completion":0}}`
		mended     = `{"transition":{"step":0,"attempt":1,"move":{"action":"Wait"}}}`
		act        = `{"act":{"observation":{"step":0,"kind":"k","oracle":"Wait","load":0},"action":"Wait","outcome":{"valid":true,"correct":true,"result":""}}}`
		end        = `{"end":{"status":"done"}}`
		overflow   = `{"end":{"status":"context_overflow"}}`
		impossible = `{"call":{"purpose":"step","step":0,"splice":[],"hash":"","chars":1,"tokens":9223372036854775807,"reply":1,"finish":"stop","completion":1}}`
	)
	for _, tc := range []struct {
		events []string
		want   string // of the error; "" for none
	}{
		{[]string{start, call, accepted, act, end}, ""},
		{[]string{start, call, refused, retry, mended, act}, ""},
		{[]string{start, call, overflow}, ""},
		{[]string{start, act, end}, ""}, // a player calls no model
		{[]string{start, summary, scores, more, call, accepted, act, end}, ""},
		{[]string{start, scores, overflow}, ""},
		{[]string{start, scores, scores}, ":3: damaged: a scores call of step 0, attempt 0"},
		{[]string{start, more}, ":2: damaged: a scores call of step 0, attempt 1"},
		{[]string{start, scores, summary}, ":3: damaged: a summary call"},
		{[]string{start, call, scores}, ":3: damaged: a scores call"},
		{[]string{start, call, accepted, scores}, ":4: damaged: a scores call"},
		{[]string{start, scores, accepted}, ":3: damaged: a transition"},
		{[]string{call}, ":1: damaged: want one start"},
		{[]string{start, start}, ":2: damaged: want one start"},
		{[]string{start, call, act}, ":3: damaged: the act of step 0"},
		{[]string{start, accepted}, ":2: damaged: a transition"},
		{[]string{start, call, call}, ":3: damaged: a step call"},
		{[]string{start, retry}, ":2: damaged: a retry call"},
		{[]string{start, call, accepted, act, act}, ":5: damaged: the act of step 0"},
		{[]string{start, end, end}, ":3: damaged: an event behind the end"},
		{[]string{start, "null"}, ":2: damaged: want one of start"},
		{[]string{start, `{"foo":1}`}, ":2: damaged: want one of start"},
		{[]string{start, impossible}, ":2: damaged: a count of 9223372036854775807"},
		{[]string{strings.Replace(start, `"version":1`, `"version":99`, 1)}, ":1: version 99 of the format"},
	} {
		dir := t.TempDir()
		for name, text := range map[string]string{"segments.jsonl": "\"x\"\n", "events.jsonl": strings.Join(tc.events, "\n") + "\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		r, err := journal.Read(dir)
		if err == nil {
			err = r.Each(func(journal.Event) error { return nil })
		}
		if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s\n got %v\nwant %q", strings.Join(tc.events, "\n"), err, tc.want)
		}
	}
}
