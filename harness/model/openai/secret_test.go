package openai

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"skillbench/harness/record"
)

// echo repeats the key in every way an endpoint could.
func echo(status int) http.HandlerFunc {
	quoted, _ := json.Marshal("x " + testKey + " Bearer " + testKey)
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "https://other.example/?key="+url.QueryEscape(testKey))
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"error":{"message":%s,"code":"%d"},"authorization":%s}`, quoted, status, quoted)
	}
}

// Nothing that leaves the client may hold the key, whatever the endpoint says.
func TestTheKeyStaysSecret(t *testing.T) {
	t.Parallel()
	quoted, _ := json.Marshal(testKey)
	reply := fmt.Sprintf(`{"model":%s,"system_fingerprint":%s,"choices":[{"message":{"content":%s,"reasoning":%s,"refusal":%s,"tool_calls":[{"function":{"name":%s,"arguments":%s}},{"function":{"name":"f","arguments":{"k":%s}}}]},"finish_reason":%s}]}`,
		quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted, quoted)
	answers := map[string]http.HandlerFunc{
		"text 400": says(400, "key "+testKey), "text 500": says(500, "key "+testKey), "html 200": says(200, "<p>"+testKey), "reply": says(200, reply),
		"cut": cutAfter(`{"x":"` + testKey), "stream": says(200, "data: {\"error\":\""+testKey+"\"}\n"),
	}
	for _, status := range []int{200, 302, 307, 400, 401, 403, 404, 422, 429, 500} {
		answers[fmt.Sprint(status)] = echo(status)
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, answer)
			b := newBench(t, e, func(c *Config, _ *Deps) { c.Name, c.Retries = "n "+testKey, new(2) })
			r, err := b.Generate(t.Context(), ask("hello"))
			out := fmt.Sprintf("%+v\n%#v\n%v\n%#v\n%q", r, r, err, err, b.notices)
			if data, jsonErr := json.Marshal(struct {
				R record.Reply
				E error
			}{r, err}); jsonErr != nil {
				t.Error(jsonErr)
			} else {
				out += string(data)
			}
			for _, secret := range []string{testKey, "Zq7Wv3", url.QueryEscape(testKey)} {
				if strings.Contains(out, secret) {
					t.Errorf("%s", out)
				}
			}
			if !strings.Contains(e.headers[0].Get("Authorization"), "Zq7Wv3") {
				t.Error("the key was not sent: the test proves nothing")
			}
		})
	}
}

func TestRedirectsDoNotCarryTheKey(t *testing.T) {
	t.Parallel()
	other := newEndpoint(t, says(200, okBody))
	for _, status := range []int{301, 302, 303, 307, 308} {
		e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, other.URL+"/v1/chat/completions", status)
		})
		if err := mustFail(t, newBench(t, e, nil)); !strings.Contains(err.Message, other.URL) || err.Status != status {
			t.Errorf("%d: %+v", status, err)
		}
	}
	if len(other.headers) != 0 {
		t.Errorf("the other host got %d requests", len(other.headers))
	}
}

func TestRedactor(t *testing.T) {
	t.Parallel()
	line, reply := newRedactor("none")
	if got := reply.remove("there are none left"); got != "there are none left" {
		t.Errorf("a placeholder key changed a reply: %q", got)
	}
	for in, want := range map[string]string{
		"Incorrect API key provided: sk-ab***************xyz. See docs": "Incorrect API key provided: [redacted]. See docs",
		"Authorization: Bearer abc.def-ghi":                             "[redacted]",
		`{"authorization":"Bearer abc"}`:                                `{"[redacted]"}`,
		`{"api-key": "abc"}`:                                            `{"[redacted]"}`,
		"a\tb\r\nc\x1b[31m":                                             "a b c [31m",
		"ask-me about risk-free":                                        "ask-me about risk-free",
	} {
		if got := line.line(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestNoKeyNoHeader(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, says(200, okBody))
	b := newBench(t, e, nil)
	c, err := New(b.cfg, "", b.deps)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Generate(t.Context(), ask("hello")); err != nil {
		t.Fatal(err)
	}
	if h := e.headers[0].Values("Authorization"); h != nil {
		t.Errorf("Authorization %q", h)
	}
}
