package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"skillbench/harness/journal"
)

// secret has characters that JSON and URLs write otherwise.
const secret = "sk-Zq7Wv3/+of<the>test&key"

// echo is an endpoint that puts the key it was given wherever it can: into
// errors of several forms, into replies and into headers.
func echo(next http.Handler) http.Handler {
	var calls atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("Authorization")
		w.Header().Set("X-Ratelimit-Limit-Requests", key)
		quoted, _ := json.Marshal(key) // of a string
		switch n := calls.Add(1); {
		case r.URL.Path == "/v1/models":
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte(`{"data":[{"id":` + string(quoted) + `}]}`))
		case n%5 == 0:
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"error":{"message":` + string(quoted) + `}}`))
		case n%5 == 1:
			_, _ = w.Write([]byte("<html>" + key + " " + url.QueryEscape(key) + "</html>"))
		default:
			var sim httptest.ResponseRecorder
			sim.Body = &bytes.Buffer{}
			next.ServeHTTP(&sim, r)
			inside := strings.Trim(string(quoted), `"`)
			text := strings.Replace(sim.Body.String(), `"content":"`, `"content":"You sent `+inside+`. `, 1)
			text = strings.Replace(text, `"system_fingerprint":"`, `"system_fingerprint":"`+inside+` `, 1)
			_, _ = w.Write([]byte(text))
		}
	})
}

// denied refuses the key and says which.
func denied(http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = w.Write([]byte(`{"error":{"message":"Incorrect API key: ` + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + `"}}`))
	})
}

// TestTheKeyIsWrittenNowhere takes a key through every command that could see
// it and looks for it in all that was written.
func TestTheKeyIsWrittenNowhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := map[string]string{"TEST_KEY": secret}
	var written strings.Builder
	program := func(want int, args ...string) {
		t.Helper()
		c := newConsole(env, nil)
		if code := run(t.Context(), args, c.system); code != want {
			t.Errorf("%q: exit %d, want %d: %s%s", args, code, want, &c.out, &c.err)
		}
		written.WriteString(c.out.String() + c.err.String())
	}
	talks := modelFile(t, serve(t, "", echo).url, "key_env: TEST_KEY")
	refuses := modelFile(t, serve(t, "", denied).url, "key_env: TEST_KEY")
	out, tapes := filepath.Join(dir, "out"), filepath.Join(dir, "tapes")
	program(exitDone, small("--out", out, "--model", talks, "--record", tapes)...)
	program(exitDone, small("--out", filepath.Join(dir, "again"), "--model", talks, "--replay", tapes)...)
	program(exitFound, small("--out", filepath.Join(dir, "refused"), "--model", refuses)...)
	program(exitDone, "verify", out)
	program(exitDone, "trace", out, firstCell(t, out), "--full")
	program(exitDone, "doctor", talks)
	program(exitFound, "doctor", refuses)
	for _, verb := range []string{"run", "doctor", "sim-server", "trace"} {
		program(exitDone, verb, "--help")
	}
	if !strings.Contains(written.String(), "You sent Bearer [key].") {
		t.Error("the endpoint's echoes did not arrive: this test shows nothing")
	}
	absent(t, "output", written.String())
	files := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err == nil {
			files++
			absent(t, path, string(data))
		}
		return err
	})
	if err != nil || files < 50 {
		t.Errorf("%d files, %v", files, err)
	}
}

// absent looks for the key in every form in which it could be written.
func absent(t *testing.T, where, text string) {
	t.Helper()
	quoted, err := json.Marshal(secret)
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(string(quoted), `"`), secret[:12]} {
		if at := strings.Index(text, form); at >= 0 {
			t.Errorf("%s holds the key: …%s…", where, text[max(0, at-40):min(len(text), at+60)])
		}
	}
}

func firstCell(t *testing.T, dir string) string {
	t.Helper()
	m, err := journal.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	return m.Cells[0].ID
}
