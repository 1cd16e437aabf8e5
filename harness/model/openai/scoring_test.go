package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// judged asks for scores of a text behind another.
func judged(before, text string) model.Request {
	return model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, before)}, {prompt.Label(prompt.History, text)}}, Form: model.Scores}
}

// told is an answer with these tokens, as JSON lists.
func told(tokens, logProbs string) string {
	return `{"model":"served-1","choices":[{"index":0,"text":"x","logprobs":{"tokens":[` + tokens + `],"token_logprobs":[` + logProbs + `],"top_logprobs":null},"finish_reason":"length"}],"usage":{"prompt_tokens":4,"completion_tokens":1}}`
}

func TestScoresAreOfTheTextThatWasSent(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		before, text     string
		tokens, logProbs string
		want             string
	}{
		"as vLLM":                   {"Be ", "good.", `"Be"," good","."," I"`, `null,-1.5,-0.25,-9`, `{"bytes":[4,1],"logprobs":[-1.2,-0.25]}`},
		"a begin token":             {"Be ", "good", `"<s>","Be"," ","go","od"`, `null,-7,-1,-1.5,-0.5`, `{"bytes":[2,2],"logprobs":[-1.5,-0.5]}`},
		"an empty begin token":      {"Be ", "good", `"","Be ","good"`, `null,-7,-1`, `{"bytes":[4],"logprobs":[-1]}`},
		"a space put before":        {"Be ", "good", `" Be"," good"`, `null,-1`, `{"bytes":[4],"logprobs":[-0.8]}`},
		"begin token and space":     {"Be ", "good", `"<s>"," Be ","good"`, `null,-3,-1`, `{"bytes":[4],"logprobs":[-1]}`},
		"nothing but the text":      {"Be ", "good", `"Be ","good"`, `null,-1`, `{"bytes":[4],"logprobs":[-1]}`},
		"half characters as U+FFFD": {"a", "’s b", `"a","\ufffd","\ufffd","s"," b"`, `null,-1,-2,-4,-8`, `{"bytes":[4,2],"logprobs":[-7,-8]}`},
		"half characters left out":  {"a", "’s b", `"a","","","s"," b"`, `null,-1,-2,-4,-8`, `{"bytes":[4,2],"logprobs":[-7,-8]}`},
		"half characters as bytes":  {"a", "’s b", `"a","bytes:\\xe2\\x80","bytes:\\x99","s"," b"`, `null,-1,-2,-4,-8`, `{"bytes":[2,1,1,2],"logprobs":[-1,-2,-4,-8]}`},
		"half of one, with a space": {"a", " ’s", `"a"," \ufffd","\ufffd","s"`, `null,-1,-2,-4`, `{"bytes":[1,4],"logprobs":[-1,-6]}`},
		"half of one, with a word":  {"a", "’s b", `"a","\ufffd","\ufffds"," b"`, `null,-1,-2,-8`, `{"bytes":[4,2],"logprobs":[-3,-8]}`},
		"half, then whole ones":     {"a", "éé.", `"a","\ufffd","\ufffd","é","."`, `null,-1,-2,-4,-8`, `{"bytes":[5],"logprobs":[-15]}`},
		"whole ones":                {"a", "éé.", `"a","é","é","."`, `null,-1,-2,-8`, `{"bytes":[2,2,1],"logprobs":[-1,-2,-8]}`},
		"half ones at the end":      {"a", "é", `"a","\ufffd","\ufffd"," I"`, `null,-1,-2,-9`, `{"bytes":[2],"logprobs":[-3]}`},
		"U+FFFD is in the text":     {"a", "\ufffdb", `"a","\ufffd","b"`, `null,-1,-2`, `{"bytes":[3,1],"logprobs":[-1,-2]}`},
		"bytes: is in the text":     {"a ", "bytes:\\xe2", `"a ","bytes:\\xe2"`, `null,-1`, `{"bytes":[10],"logprobs":[-1]}`},
		"rounded, and never over 0": {"a", "bcd", `"a","b","c","d"`, `null,-1.23456,1e-9,-1e300`, `{"bytes":[1,1,1],"logprobs":[-1.2346,0,-9999]}`},
		"tags and ampersands":       {"<a>", " & b\n", `"<a>"," \u0026"," b","\n"`, `null,-1,-2,-3`, `{"bytes":[2,2,1],"logprobs":[-1,-2,-3]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(200, told(tc.tokens, tc.logProbs)))
			r, err := newBench(t, e, nil).Generate(t.Context(), judged(tc.before, tc.text))
			if err != nil {
				t.Fatal(err)
			}
			if r.Text != tc.want {
				t.Errorf("got  %s\nwant %s", r.Text, tc.want)
			}
			if _, err := record.ParseScores(r.Text, len(tc.text)); err != nil {
				t.Error(err)
			}
			if r.Finish != record.Stop || r.Served != "served-1" || show(r.Usage) != "4 1 - -" {
				t.Errorf("%+v", r)
			}
		})
	}
}

// TestWhatIsSentForScores: the text, and nothing of the model file but the model.
func TestWhatIsSentForScores(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, told(`"Be ","<good>"`, `null,-1`)))
	path := ""
	inner := e.Config.Handler
	e.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { path = r.URL.Path; inner.ServeHTTP(w, r) })
	b := newBench(t, e, func(c *Config, _ *Deps) {
		c.Temperature, c.MaxCompletionTokens, c.Extra, c.Stream = new(0.0), new(99), map[string]any{"max_tokens": 5, "top_k": 1}, true
	})
	if _, err := b.Generate(t.Context(), judged("Be ", "<good>")); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(e.bodies[0]), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"model": "m", "prompt": "Be <good>", "echo": true, "logprobs": 1.0, "max_tokens": 1.0, "temperature": 1.0, "stream": false}
	if d := cmp.Diff(want, got); d != "" || path != "/v1/completions" {
		t.Errorf("%s: %s", path, d)
	}
}

func TestEndpointsThatTellNothing(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status int
		body   string
		says   string
	}{
		"none":                   {200, `{"choices":[{"text":"x","logprobs":null}]}`, "returns no log-probabilities"},
		"no echo":                {200, told(`"I"`, `-1`), `its tokens are not the text: "I" where the text has "Be good"`},
		"no tokens":              {200, told(``, ``), "returns no log-probabilities"},
		"of another kind":        {200, `{"choices":[{"logprobs":{"content":[]}}]}`, "returns no log-probabilities"},
		"one is missing":         {200, told(`"Be ","good"`, `null`), "2 tokens and 1 log-probabilities"},
		"one too many":           {200, told(`"Be ","good"`, `null,-1,-1`), "2 tokens and 3 log-probabilities"},
		"null where it counts":   {200, told(`"Be ","go","od"`, `null,-1,null`), "no log-probability for a token"},
		"words":                  {200, told(`"Be ","good"`, `"None","-1"`), "no log-probability for a token"},
		"over 0":                 {200, told(`"Be ","good"`, `null,0.5`), "returns 0.5 as the logarithm"},
		"cut":                    {200, told(`"Be ","go"`, `null,-1`), "its tokens are 5 bytes of the text's 7"},
		"another text":           {200, told(`"Be ","bad"`, `null,-1`), `"bad" where the text has "good"`},
		"ids":                    {200, told(`"token_id:1","token_id:2"`, `null,-1`), `"token_id:2" where`},
		"a second begin token":   {200, told(`"<s>","<s>","Be ","good"`, `null,-1,-1,-1`), `"<s>" where`},
		"overflow":               {400, `{"error":{"message":"This model's maximum context length is 8 tokens","code":"context_length_exceeded"}}`, "does not fit the context"},
		"refused":                {400, `{"error":{"message":"Only no echo is supported"}}`, "Only no echo is supported"},
		"OpenAI":                 {400, `{"error":{"message":"Setting 'echo' and 'logprobs' at the same time is not supported for this model."}}`, "Setting 'echo' and 'logprobs'"},
		"llama-cpp-python":       {500, `{"error":{"message":"logprobs is not supported for models created with logits_all=False","type":"internal_server_error"}}`, "logits_all=False"},
		"under 200":              {200, `{"error":{"message":"echo is not implemented","code":501}}`, "echo is not implemented"},
		"chat only":              {404, `404 page not found`, "no such model or address"},
		"a chat reply":           {200, okBody, "returns no log-probabilities"},
		"tokens of another kind": {200, told(`1,2`, `null,-1`), "its tokens are 0 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(tc.status, tc.body))
			b := newBench(t, e, nil)
			r, err := b.Generate(t.Context(), judged("Be ", "good"))
			fault, ok := errors.AsType[*model.Error](err)
			if !ok || fault.Class != model.Deterministic || !strings.Contains(fault.Message, tc.says) || strings.Contains(fault.Message, "\n") {
				t.Errorf("%+v, %v; want %q", r, err, tc.says)
			}
			if len(e.bodies) != 1 || len(b.sleeps) != 0 {
				t.Errorf("%d requests, waits %v", len(e.bodies), b.sleeps)
			}
		})
	}
}

func TestScoringIsTriedAgain(t *testing.T) {
	t.Parallel()
	good := told(`"Be ","good"`, `null,-1`)
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		class  string
	}{
		"429":      {says(429, `{"error":{"message":"slow down"}}`), model.RateLimited},
		"503":      {says(503, `{"error":{"message":"loading"}}`), model.Unavailable},
		"HTML":     {says(200, "<html>"), model.NotJSON},
		"a stream": {says(200, "data: {}\n\ndata: [DONE]\n"), model.NotJSON},
		"NaN":      {says(200, told(`"Be ","good"`, `null,NaN`)), model.NotJSON},
		"cut":      {says(200, good[:90]), model.CutBody},
		"cut off":  {cutAfter(good[:90]), model.CutBody},
		"garbage":  {says(200, good+"<!-- -->"), model.Trailing},
		"empty":    {says(200, ""), model.EmptyBody},
		"none":     {says(200, `{"choices":[]}`), model.NoChoices},
		"reset":    {func(w http.ResponseWriter, _ *http.Request) { hangUp(w, true) }, model.Connection},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, newEndpoint(t, tc.answer, says(200, good)), nil)
			r, err := b.Generate(t.Context(), judged("Be ", "good"))
			if err != nil || len(r.Failed) != 1 || r.Failed[0].Class != tc.class || len(b.sleeps) != 1 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

func TestTextsOverTheContextAreNotSent(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, func(c *Config, d *Deps) {
		c.ContextTokens, d.Count = 3, func(p prompt.Prompt) int { return len(p.Text()) }
	})
	_, err := b.Generate(t.Context(), judged("Be ", "good"))
	if fault, ok := errors.AsType[*model.Error](err); !ok || fault.Class != model.Deterministic || len(e.bodies) != 0 {
		t.Errorf("%v, %d requests", err, len(e.bodies))
	}
}

// However a text is cut into tokens, and whatever a server makes of their bytes,
// the scores cover the judged text and add up to what the server said.
func TestAlignmentLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		alphabet := rapid.SampledFrom([]string{"a", "b ", " ", "\n", "é", "船", "’", "🙂", "item_12", "<s>", "\ufffd"})
		text := strings.Join(rapid.SliceOfN(alphabet, 1, 12).Draw(rt, "text"), "") + "\n"
		before := "P:\n"
		show := rapid.SampledFrom([]func(string) string{
			func(s string) string { return strings.ToValidUTF8(s, "\ufffd") },
			func(s string) string { return strings.ToValidUTF8(s, "") },
			func(s string) string {
				if s == strings.ToValidUTF8(s, "") {
					return s
				}
				return fmt.Sprintf("bytes:%s", escapedBytes(s))
			},
		}).Draw(rt, "server")
		tokens, logProbs, sum := []string{before}, []*float64{nil}, 0.0
		for rest := text; rest != ""; {
			n := rapid.IntRange(1, min(4, len(rest))).Draw(rt, "bytes")
			p := -float64(rapid.IntRange(0, 40).Draw(rt, "surprise")) / 4
			tokens, logProbs, sum = append(tokens, show(rest[:n])), append(logProbs, &p), sum+p
			rest = rest[n:]
		}
		scores, err := align(before+text, len(before), tokens, logProbs)
		if err != nil {
			rt.Fatalf("%q of %q: %v", tokens, text, err)
		}
		if _, err := record.ParseScores(scores.String(), len(text)); err != nil {
			rt.Fatal(err)
		}
		got := 0.0
		for _, s := range scores {
			got += s.LogProb
		}
		if got != sum {
			rt.Fatalf("%q: the log-probabilities add up to %v, those of the scores to %v", tokens, sum, got)
		}
	})
}

func escapedBytes(s string) string {
	out := ""
	for i := range len(s) {
		out += fmt.Sprintf(`\x%02x`, s[i])
	}
	return out
}

// Whatever a body holds, scores that come of it tell of the whole judged text.
func FuzzScoring(f *testing.F) {
	for _, seed := range []string{
		told(`"Be ","good"`, `null,-1`), told(`"","\ufffd","Be ","good"`, `null,null,-1,-1`), told(`"bytes:\\xff","good"`, `null,-1`), "{}", "[", `{"choices":[{"logprobs":{"tokens":{}}}]}`,
	} {
		f.Add([]byte(seed))
	}
	c, err := New(Config{Model: "m", BaseURL: "http://h/v1"}, testKey, Deps{Clock: model.Wall(), Jitter: func() float64 { return 0 }})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const text = "gé’od."
		a, fault := c.judge(&exchange{status: 200, body: data}, nil, body{scoring: &scoring{"Be " + text, 3}})
		if fault != nil || a.overflow != nil {
			return
		}
		if _, err := record.ParseScores(c.toReply(a).Clean().Text, len(text)); err != nil {
			t.Errorf("%s: %v", data, err)
		}
	})
}
