package openai

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// listed is the body of an answer with these members of data.
func listed(data string) string {
	return `{"object":"list","model":"served-e","data":[` + data + `],"usage":{"prompt_tokens":7,"total_tokens":7}}`
}

func vector(index int, numbers string) string {
	return fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%s]}`, index, numbers)
}

var pair = []string{"one <b>&", "two 船"}

func TestEmbed(t *testing.T) {
	t.Parallel()
	// The endpoint lists the second first: the index counts, not the place.
	e := newEndpoint(t, says(200, listed(vector(1, "0,1e-3")+","+vector(0, "0.1,-2"))))
	b := newBench(t, e, func(c *Config, _ *Deps) {
		c.Model, c.Temperature, c.Extra = "o1-embed", new(0.5), map[string]any{"dimensions": 2}
	})
	got, err := b.Embed(t.Context(), pair)
	if err != nil {
		t.Fatal(err)
	}
	want := Embeddings{Vectors: [][]float32{{0.1, -2}, {0, 1e-3}}, Usage: &record.Usage{Prompt: new(7)}, Served: "served-e"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	sent := map[string]string{}
	for name, value := range e.members(t) {
		sent[name] = string(value)
	}
	if d := cmp.Diff(map[string]string{"model": `"o1-embed"`, "input": `["one \u003cb\u003e\u0026","two 船"]`, "dimensions": "2"}, sent); d != "" {
		t.Error(d)
	}
	if e.headers[0].Get("Authorization") != "Bearer "+testKey {
		t.Errorf("%v", e.headers)
	}
}

// Faults that pass are met again after a wait that is told, and are counted.
func TestEmbeddingFaultsThatPass(t *testing.T) {
	t.Parallel()
	good := listed(vector(0, "1,2") + "," + vector(1, "2,1"))
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		class  string
	}{
		"429":                 {says(429, `{"error":{"message":"slow down"}}`, "Retry-After", "3"), model.RateLimited},
		"500":                 {says(500, `{"error":{"message":"boom"}}`), model.Unavailable},
		"HTML":                {says(200, "<html>502</html>"), model.NotJSON},
		"nothing":             {says(200, ""), model.EmptyBody},
		"cut":                 {cutAfter(good[:60]), model.CutBody},
		"cut, length right":   {says(200, good[:60]), model.CutBody},
		"no vectors":          {says(200, listed("")), model.NoChoices},
		"an error under 200":  {says(200, `{"error":{"message":"down","code":503}}`), model.Unavailable},
		"garbage after JSON":  {says(200, good+"<!-- -->"), model.Trailing},
		"a reset":             {func(w http.ResponseWriter, _ *http.Request) { hangUp(w, true) }, model.Connection},
		"another kind of all": {says(200, `{"data":"none"}`), model.NoChoices},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, tc.answer, says(200, good))
			b := newBench(t, e, nil)
			got, err := b.Embed(t.Context(), pair)
			if err != nil || len(got.Vectors) != 2 || len(got.Failed) != 1 || got.Failed[0].Class != tc.class {
				t.Fatalf("%+v, %v", got, err)
			}
			if len(b.sleeps) != 1 || len(b.notices) != 1 || !strings.Contains(b.notices[0], tc.class) || name == "429" && b.sleeps[0] != 3*time.Second {
				t.Errorf("waits %v, notices %q", b.sleeps, b.notices)
			}
			if e.bodies[0] != e.bodies[1] {
				t.Error("the second attempt sent another body")
			}
		})
	}
}

// What would be the same again ends at once.
func TestEmbeddingFaultsThatStay(t *testing.T) {
	t.Parallel()
	one := vector(0, "1,2")
	for name, tc := range map[string]struct {
		status     int
		body, says string
	}{
		"too few":             {200, listed(one), "returns 1 vectors for 2 texts"},
		"too many":            {200, listed(one + "," + vector(1, "2,1") + "," + vector(2, "1,1")), "returns 3 vectors for 2 texts"},
		"an index twice":      {200, listed(one + "," + one), "found index 0 twice or beyond"},
		"an index beyond":     {200, listed(one + "," + vector(2, "1,2")), "found index 2 twice or beyond"},
		"an index below":      {200, listed(one + "," + vector(-1, "1,2")), "found index -1 twice or beyond"},
		"two sizes":           {200, listed(one + "," + vector(1, "1,2,3")), "want vectors of one size, found 2 and 3 numbers"},
		"NaN":                 {200, listed(one + "," + vector(1, "1,NaN")), "a number that is none"},
		"Infinity":            {200, listed(one + "," + vector(1, "-Infinity,1")), "a number that is none"},
		"null":                {200, listed(one + "," + vector(1, "1,null")), "the vector of index 1: number 2 is null"},
		"beyond 64 bits":      {200, listed(one + "," + vector(1, "1,1e999")), "the vector of index 1: want a list of numbers that 64 bits can hold"},
		"beyond 32 bits":      {200, listed(one + "," + vector(1, "1,1e99")), "number 2 is 1e+99, too large for 32 bits"},
		"zeros":               {200, listed(one + "," + vector(1, "0,-0")), "all of its 2 numbers are 0"},
		"zeros for 32 bits":   {200, listed(one + "," + vector(1, "0,1e-99")), "all of its 2 numbers are 0"},
		"empty":               {200, listed(one + "," + vector(1, "")), "want 1 to 16384 numbers, found 0"},
		"too large":           {200, listed(one + "," + vector(1, strings.Repeat("1,", MaxVector)+"1")), "want 1 to 16384 numbers, found 16385"},
		"base64":              {200, listed(one + `,{"index":1,"embedding":"AACAPw=="}`), "want a list of numbers"},
		"a list in the list":  {200, listed(one + "," + vector(1, "[1,2]")), "want a list of numbers"},
		"no vector":           {200, listed(one + `,{"index":1}`), "want a list of numbers"},
		"a body of 8 MiB":     {200, listed(one + "," + vector(1, strings.Repeat("1,", MaxBody/2)+"1")), "body over 8388608 bytes"},
		"404":                 {404, `{"detail":"Not Found"}`, "look at model and base_url"},
		"401":                 {401, `{"error":{"message":"no"}}`, "the key in TEST_KEY was not accepted"},
		"quota":               {429, `{"error":{"message":"pay","code":"insufficient_quota"}}`, "pay"},
		"dimensions refused":  {400, `{"error":{"message":"dimensions: extra inputs are not permitted"}}`, "the endpoint refuses extra.dimensions"},
		"no embeddings":       {501, `{"error":{"code":501,"message":"This server does not support embeddings. Start it with --embeddings","type":"not_supported_error"}}`, "--embeddings"},
		"beyond the batch":    {500, `{"error":{"code":500,"message":"input (600 tokens) is too large to process. increase the physical batch size","type":"server_error"}}`, "too large to process"},
		"a text too long":     {400, `{"error":{"message":"This model's maximum context length is 8192 tokens, however you requested 9000 tokens"}}`, "a text does not fit the context of the endpoint: This model's"},
		"a text too long, OK": {200, `{"error":{"code":400,"message":"the request exceeds the available context size"}}`, "a text does not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(tc.status, tc.body))
			b := newBench(t, e, func(c *Config, _ *Deps) { c.Extra = map[string]any{"dimensions": 2} })
			got, err := b.Embed(t.Context(), pair)
			failed, ok := errors.AsType[*model.Error](err)
			if !ok || failed.Class != model.Deterministic || !strings.Contains(failed.Message, tc.says) {
				t.Fatalf("%+v, %v; want %q", got, err, tc.says)
			}
			if strings.Contains(failed.Message, "\n") || len(e.bodies) != 1 || len(b.sleeps) != 0 {
				t.Errorf("%q after %d requests, waits %v", failed.Message, len(e.bodies), b.sleeps)
			}
		})
	}
}

func TestTextsThatAreNotEmbedded(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, listed(vector(0, "1"))))
	b := newBench(t, e, func(c *Config, d *Deps) {
		c.ContextTokens = 3
		d.Count = func(p prompt.Prompt) int { return len(p.Text()) }
	})
	for want, texts := range map[string][]string{
		"want texts to embed, got none":                                   nil,
		"text 2 of 2 is empty":                                            {"a", ""},
		"text 2 of 3 has 4 tokens, context_tokens of the model file is 3": {"abc", "abcd", "a"},
	} {
		if _, err := b.Embed(t.Context(), texts); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", texts, err, want)
		}
	}
	if len(e.bodies) != 0 {
		t.Errorf("%d requests", len(e.bodies))
	}
	if _, err := b.Embed(t.Context(), []string{"abc"}); err != nil {
		t.Error(err)
	}
}

// The key is in nothing that an endpoint makes Embed say.
func TestTheKeyOfEmbeddingsStaysSecret(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"reply":  says(200, strings.Replace(listed(vector(0, "1")), "served-e", testKey, 1)),
		"vector": says(200, listed(`{"index":0,"embedding":"`+testKey+`"}`)),
		"error":  echo(400), "passing": echo(500), "html": says(200, "<p>"+testKey),
	} {
		e := newEndpoint(t, answer)
		b := newBench(t, e, func(c *Config, _ *Deps) { c.Retries = new(1) })
		got, err := b.Embed(t.Context(), []string{"a"})
		if out := fmt.Sprintf("%+v %v %q", got, err, b.notices); strings.Contains(out, testKey) || strings.Contains(out, "Zq7Wv3") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// Whatever a body holds, vectors that come of it are fit to be measured.
func FuzzEmbedding(f *testing.F) {
	for _, seed := range []string{
		listed(vector(0, "1,2") + "," + vector(1, "2,1")), listed(vector(1, "1") + "," + vector(0, "-1e-40")), listed(vector(0, "NaN")), "{}", "[", `{"data":[null,{}]}`,
	} {
		f.Add([]byte(seed))
	}
	c, err := New(Config{Model: "m", BaseURL: "http://h/v1"}, testKey, Deps{Clock: model.Wall(), Jitter: func() float64 { return 0 }})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, fault := c.judge(&exchange{status: 200, body: data}, nil, body{embedding: &embedding{pair}})
		if fault != nil || a.overflow != nil {
			return
		}
		if len(a.vectors) != len(pair) {
			t.Fatalf("%s: %d vectors", data, len(a.vectors))
		}
		for _, v := range a.vectors {
			length := 0.0
			for _, x := range v {
				length += float64(x) * float64(x)
			}
			if len(v) == 0 || len(v) != len(a.vectors[0]) || length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
				t.Errorf("%s: %v", data, v)
			}
		}
	})
}
