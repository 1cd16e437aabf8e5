package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// refusing answers with an error where a request holds a member, and drops the
// usage of all others.
func refusing(member string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			if strings.Contains(string(body), `"`+member+`"`) {
				w.WriteHeader(http.StatusBadRequest)
				_, _ = io.WriteString(w, `{"error":{"message":"Unsupported parameter: '`+member+`' is not supported."}}`)
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			next.ServeHTTP(w, r)
		})
	}
}

// line is what doctor's table says of a capability, its two cells parted by a bar
// and each in one line. The table is no wider than it may be.
func line(t *testing.T, table, what string) string {
	t.Helper()
	var found, means []string
	at, first, second := "", 0, 0
	for _, l := range strings.Split(table, "\n") {
		r := []rune(l)
		if strings.HasPrefix(l, "capability ") {
			first, second = strings.Index(l, "found"), strings.Index(l, "for a run")
		}
		if second == 0 || len(r) <= first {
			continue
		}
		if len(r) > 100 {
			t.Errorf("%d characters wide: %s", len(r), l)
		}
		if name := strings.TrimSpace(string(r[:first])); name != "" {
			at = name
		}
		if at == what {
			found = append(found, strings.Fields(string(r[first:min(second, len(r))]))...)
			means = append(means, strings.Fields(string(r[min(second, len(r)):]))...)
		}
	}
	if found == nil {
		t.Errorf("nothing about %q in\n%s", what, table)
	}
	return strings.Join(found, " ") + "|" + strings.Join(means, " ")
}

func TestDoctorFindsWhatTheServerCan(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	text := program(t, exitDone, "doctor", modelFile(t, s.url)).out.String()
	for what, want := range map[string]string{
		"endpoint":              "answers",
		"key":                   "none needed",
		"model":                 "simulated: results say nothing of a real model",
		"model list":            "this one among them",
		"wire fenced":           "readable, action Store",
		"wire json_schema":      "readable, action Store",
		"wire tool":             "readable, action Store",
		"finish reason":         "stop",
		"usage":                 "billed tokens are known",
		"cached tokens":         "not reported",
		"thinking":              "none seen",
		"temperature 0":         "accepted",
		"seed":                  "accepted",
		"equal calls":           "equal replies",
		"max_completion_tokens": "cut at 16, finish_reason length",
		"stream":                "accepted, with usage",
		"system message":        "accepted",
		"context":               "not stated",
		"rate limits":           "not stated",

		"log-probabilities of prompts": "returned, of 32 tokens|llmlingua can ask it",
	} {
		if got := line(t, text, what); !strings.Contains(got, want) {
			t.Errorf("%s: got %s, want %s", what, got, want)
		}
	}
	if l := s.Ledger(); l.Calls > 10 || l.Calls != l.Replies {
		t.Errorf("%+v", l)
	}
}

func TestDoctorFindsWhatTheServerCannot(t *testing.T) {
	t.Parallel()
	for member, want := range map[string]string{
		"temperature":           "temperature 0",
		"seed":                  "seed",
		"max_completion_tokens": "max_completion_tokens",
		"response_format":       "wire json_schema",
		"tools":                 "wire tool",
		"stream_options":        "stream",
	} {
		t.Run(member, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "", refusing(member))
			text := program(t, exitDone, "doctor", modelFile(t, s.url)).out.String()
			if got := line(t, text, want); !strings.Contains(got, "refuses "+member) {
				t.Errorf("got %s", got)
			}
		})
	}
}

// TestDoctorTellsInformersApart: those that return nothing from those that
// return the log-probabilities of other tokens.
func TestDoctorTellsInformersApart(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request, next http.Handler)
		want   string
	}{
		"none": {func(w http.ResponseWriter, _ *http.Request, _ http.Handler) { http.NotFound(w, nil) }, "no such model or address"},
		"chat": {func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
			_, _ = io.WriteString(w, `{"choices":[{"text":"x","logprobs":null}]}`)
		}, "the endpoint returns no log-probabilities"},
		"shifted": {func(w http.ResponseWriter, r *http.Request, next http.Handler) {
			answer := httptest.NewRecorder()
			next.ServeHTTP(answer, r)
			var whole map[string]any
			_ = json.Unmarshal(answer.Body.Bytes(), &whole)
			told := whole["choices"].([]any)[0].(map[string]any)["logprobs"].(map[string]any)
			for i := range told["token_logprobs"].([]any) {
				told["token_logprobs"].([]any)[i] = -9.5
			}
			_ = json.NewEncoder(w).Encode(whole)
		}, "when it is read for the fourth time"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "", func(next http.Handler) http.Handler {
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path != "/v1/completions" {
						next.ServeHTTP(w, r)
						return
					}
					tc.answer(w, r, next)
				})
			})
			text := program(t, exitDone, "doctor", modelFile(t, s.url)).out.String()
			if got := line(t, text, "log-probabilities of prompts"); !strings.Contains(got, tc.want) || !strings.HasSuffix(got, "for llmlingua: informer: ngrams") {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestDoctorSaysThatNoRunCanWork(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"fault: status, status: 401": "key",
		"fault: status, status: 404": "model",
		"fault: status, status: 422": "request",
		"fault: status, status: 500": "endpoint",
		"fault: html":                "endpoint",
		"fault: reset":               "endpoint",
	} {
		s := serve(t, "rules: [{every: 1, "+script+"}]", nil)
		text := program(t, exitFound, "doctor", modelFile(t, s.url)).out.String()
		if got := line(t, text, want); !strings.Contains(got, "no run can work") {
			t.Errorf("%s: got %s", script, got)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	text := program(t, exitFound, "doctor", modelFile(t, "http://"+l.Addr().String())).out.String()
	if got := line(t, text, "endpoint"); !strings.Contains(got, "connection") {
		t.Errorf("nobody there: got %s", got)
	}
}

func TestDoctorReadsReplies(t *testing.T) {
	t.Parallel()
	for script, want := range map[string][2]string{
		`{text: "Hello!", reasoning: "Let me think."}`:   {"thinking", "in a field of its own"},
		`{text: "<think>Hm.</think> Hello!"}`:            {"thinking", "in the text"},
		`{text: "Hello!", finish: odd}`:                  {"finish reason", "unknown|replies that were cut"},
		`{text: "Hello!"}`:                               {"wire fenced", "no_json"},
		`{text: "` + strings.Repeat("word ", 100) + `"}`: {"max_completion_tokens", "ignored"},
	} {
		s := serve(t, "rules: [{every: 1, fault: reply, reply: "+script+"}]", nil)
		text := program(t, exitDone, "doctor", modelFile(t, s.url)).out.String()
		if got := line(t, text, want[0]); !strings.Contains(got, want[1]) {
			t.Errorf("%s: got %s", script, got)
		}
	}
}

func TestDoctorOnWrongFiles(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ path, want string }{
		{"no-such-file.yaml", "no-such-file.yaml: cannot read the model file"},
		{modelFile(t, "http://127.0.0.1:1", "colour: red"), "colour is not a key"},
		{modelFile(t, "http://127.0.0.1:1", "key_env: NO_SUCH_VARIABLE"), "NO_SUCH_VARIABLE is empty"},
	} {
		if got := program(t, exitWrong, "doctor", tc.path).err.String(); !strings.Contains(got, tc.want) {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

func TestListings(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{
		`{"data":[{"id":"m","max_model_len":4096}]}`:               4096,
		`{"data":[{"id":"m","context_length":4096}]}`:              4096,
		`{"data":[{"id":"models/m"}]}`:                             0,
		`{"data":[{"id":"m","meta":{"n_ctx_train":4096}}]}`:        4096,
		`{"data":[{"id":"m","max_model_len":4096}],"object":null}`: 4096,
	} {
		l := parseList([]byte(body))
		if n, known := l.find("m?verbosity=3"); !known || n != want || l.err != "" {
			t.Errorf("%s: %+v", body, l)
		}
	}
	for _, body := range []string{``, `<html>`, `[]`, `{"data":{}}`} {
		if l := parseList([]byte(body)); l.err == "" {
			t.Errorf("%s: %+v", body, l)
		}
	}
}
