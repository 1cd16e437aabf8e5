package main

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"skillbench/configs"
	"skillbench/tasks/skills/rank"
	"skillbench/tasks/skills/suite"
)

// embedderFile writes the model file of the server's embedder; more are further
// lines of it.
func embedderFile(t *testing.T, url string, more ...string) string {
	t.Helper()
	lines := append([]string{"base_url: " + url + "/v1", "model: trigrams-1024", "max_wait: 1ms"}, more...)
	path := filepath.Join(t.TempDir(), "embedder.yaml")
	write(t, path, strings.Join(lines, "\n")+"\n")
	return path
}

// embedding are the arguments that make a file of vectors.
func embedding(model, out string, more ...string) []string {
	return append([]string{"skills", "embed", "--model", model, "--out", out, "--batch", "40"}, more...)
}

// How many texts the after-sales suite has, and how many requests they take.
const (
	allTexts = 461
	requests = 12
)

// vectorFileOf is the file that an undisturbed call makes.
func vectorFileOf(t *testing.T) string {
	t.Helper()
	s := serve(t, "", nil)
	out := filepath.Join(t.TempDir(), "v.jsonl")
	program(t, exitDone, embedding(embedderFile(t, s.url), out)...)
	if l := s.Ledger(); l.Calls != requests {
		t.Fatalf("%d requests, want %d", l.Calls, requests)
	}
	return fileText(t, out)
}

// wantSame compares files of vectors; a difference is told by its place only.
func wantSame(t *testing.T, want, got string) {
	t.Helper()
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("line %d is another one: %.90s, want %.90s", i+1, b[i], a[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%d lines, want %d", len(b), len(a))
	}
}

// What comes over the wire ranks as what the embedder makes on the spot.
func TestEmbedRanksAsItsEmbedder(t *testing.T) {
	t.Parallel()
	v, err := rank.ReadVectors("v.jsonl", []byte(vectorFileOf(t)))
	if err != nil {
		t.Fatal(err)
	}
	cases, lib, err := suite.Open("after-sales", configs.FS)
	if err != nil {
		t.Fatal(err)
	}
	made, err := rank.Recorded(lib.Skills, v, "trigrams-1024")
	if err != nil {
		t.Fatal(err)
	}
	live := rank.Embed(lib.Skills, rank.Trigrams{})
	scores := func(by *rank.Embeddings, said string) map[string]float64 {
		of := map[string]float64{}
		for _, s := range by.Rank(said) {
			if s.Score > 1e-6 { // what 32 bits can tell from nothing
				of[s.Name] = s.Score
			}
		}
		return of
	}
	for _, c := range cases.Cases {
		for _, turn := range c.Turns {
			if d := cmp.Diff(scores(live, turn.Say), scores(made, turn.Say), cmpopts.EquateApprox(0, 1e-6)); d != "" {
				t.Errorf("%q: %s", turn.Say, d)
			}
		}
	}
}

// Faults that pass leave no trace but in what the user is told.
func TestEmbedThroughFaults(t *testing.T) {
	t.Parallel()
	s := serve(t, `
rules:
  - {at: [1], fault: status, status: 429, retry_after: "3"}
  - {at: [3], fault: status}
  - {at: [4], fault: html}
  - {at: [7], fault: cut, after: 5000}
  - {at: [8], fault: reset}
  - {at: [10], fault: no_choices}
`, nil)
	out := filepath.Join(t.TempDir(), "v.jsonl")
	c := program(t, exitDone, embedding(embedderFile(t, s.url), out)...)
	wantSame(t, vectorFileOf(t), fileText(t, out))
	for _, want := range []string{"failed attempts: 1 connection, 1 cut_body, 1 no_choices, 1 not_json, 1 rate_limited, 1 unavailable\n", "answered by trigrams-1024 simulated: requests 12, tokens 7590 (as the endpoint counted)", "461 vectors, 15 of skills and 446 of messages, of 1024 numbers, by trigrams-1024"} {
		if !strings.Contains(c.out.String(), want) {
			t.Errorf("%s\nwant %s", &c.out, want)
		}
	}
	if n := strings.Count(c.err.String(), ", next try in "); n != 6 {
		t.Errorf("%d waits told, want 6: %s", n, &c.err)
	}
}

// What another attempt does not mend ends the call at once and leaves what was
// made; where nothing was, no file.
func TestEmbedWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]struct{ rule, want string }{
		"NaN":         {`{at: [1], fault: text, text: '{"data":[{"index":0,"embedding":[NaN]}]}'}`, "a number that is none (NaN or Infinity); it was asked for 40 texts at once, --batch 1 finds the one that fails"},
		"wrong count": {`{at: [1], fault: text, text: '{"data":[{"index":0,"embedding":[1]}]}'}`, "returns 1 vectors for 40 texts"},
		"zeros":       {`{at: [1], fault: text, text: '{"data":[{"index":0,"embedding":[0]}]}'}`, "returns 1 vectors for 40 texts"},
		"no such":     {`{at: [1], fault: status, status: 404, text: no}`, "deterministic (HTTP 404): no such model or address; look at model and base_url (…/v1): no\n"},
		"down":        {`{every: 1, fault: html}`, "transient (HTTP 200): 3 attempts, the last: not_json: want JSON"},
	} {
		s := serve(t, "rules: ["+f.rule+"]", nil)
		model, out := embedderFile(t, s.url, "retries: 2"), filepath.Join(t.TempDir(), "v.jsonl")
		c := program(t, exitFound, embedding(model, out)...)
		if !strings.Contains(c.err.String(), f.want) || !strings.Contains(c.out.String(), "0 of 461 vectors are there: run the same command again") {
			t.Errorf("%s: %s%s\nwant %s", name, &c.out, &c.err, f.want)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: an empty file is left", name)
		}
	}
	s := serve(t, "rules: [{at: [4], fault: status, status: 400}]", nil)
	out := filepath.Join(t.TempDir(), "v.jsonl")
	c := program(t, exitFound, embedding(embedderFile(t, s.url), out)...)
	if !strings.Contains(c.out.String(), "120 of 461 vectors are there") || strings.Count(fileText(t, out), "\n") != 120 {
		t.Errorf("%s%s", &c.out, &c.err)
	}
	program(t, exitDone, embedding(embedderFile(t, s.url), out)...)
	if l := s.Ledger(); l.Calls != requests+1 {
		t.Errorf("%d requests, want %d", l.Calls, requests+1)
	}
	wantSame(t, vectorFileOf(t), fileText(t, out))
}

// A call that is stopped keeps what it was told, and goes on without asking for it
// again: with one interrupt the batch in flight too, with two not.
func TestEmbedIsStopped(t *testing.T) {
	t.Parallel()
	for interrupted, lost := range map[int]int{1: 0, 2: 1} {
		g := newGate(4)
		s := serve(t, "", g.around)
		model, out := embedderFile(t, s.url), filepath.Join(t.TempDir(), "v.jsonl")
		interrupts := make(chan os.Signal)
		r := start(t, interrupts, embedding(model, out))
		<-g.reached
		for range interrupted {
			interrupts <- os.Interrupt
		}
		if interrupted == 1 {
			close(g.opened)
		}
		if code := <-r.code; code != exitFound {
			t.Fatalf("exit %d: %s%s", code, &r.out, &r.err)
		}
		if interrupted == 2 {
			close(g.opened)
		}
		want := fmt.Sprintf("%d of 461 vectors are there: run the same command again to go on", (4-lost)*40)
		if !strings.Contains(r.out.String(), want) || !strings.Contains(r.err.String(), "stopping: the batch in flight") || strings.Contains(r.err.String(), "canceled") {
			t.Errorf("%s%s\nwant %s", &r.out, &r.err, want)
		}
		program(t, exitDone, embedding(model, out)...)
		if n := int(g.calls.Load()); n != requests+lost {
			t.Errorf("%d requests, want %d", n, requests+lost)
		}
		wantSame(t, vectorFileOf(t), fileText(t, out))
	}
}

// Wherever a crash stops the writing, the same bytes come of going on.
func TestEmbedAfterACrash(t *testing.T) {
	t.Parallel()
	want := vectorFileOf(t)
	s := serve(t, "", nil)
	model := embedderFile(t, s.url)
	for _, at := range []int{0, 1, len(want) / 3, len(want) / 2, len(want) - 2, len(want) - 1, len(want)} {
		out := filepath.Join(t.TempDir(), "v.jsonl")
		write(t, out, want[:at])
		before := s.Ledger().Calls
		program(t, exitDone, embedding(model, out)...)
		wantSame(t, want, fileText(t, out))
		lines := strings.Count(want[:at], "\n")
		if at == len(want)-1 {
			lines++ // it lacks its end only
		}
		if got, most := s.Ledger().Calls-before, (allTexts-lines+39)/40; got != most {
			t.Errorf("at %d: %d requests for %d texts", at, got, allTexts-lines)
		}
	}
}

// The file does not tell in how many calls it was made, nor of what.
func TestEmbedInParts(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	model := embedderFile(t, s.url)
	a, b := filepath.Join(t.TempDir(), "a.jsonl"), filepath.Join(t.TempDir(), "b.jsonl")
	program(t, exitDone, embedding(model, a, "--library", "execution")...)
	program(t, exitDone, embedding(model, a)...)
	c := program(t, exitDone, embedding(model, a, "--skills", "50")...)
	if want := "496 vectors, 50 of skills and 446 of messages, of 1024 numbers, by trigrams-1024; and 8 of other texts"; !strings.Contains(c.out.String(), want) {
		t.Errorf("%s, want %s", &c.out, want)
	}
	program(t, exitDone, embedding(model, b, "--skills", "50", "--batch", "7")...)
	program(t, exitDone, embedding(model, b, "--library", "execution")...)
	wantSame(t, fileText(t, a), fileText(t, b))
	before := s.Ledger().Calls
	program(t, exitDone, embedding(model, a)...)
	if s.Ledger().Calls != before {
		t.Error("what is there was asked for again")
	}
}

// A definition that changed without a new version is embedded again, and only it.
func TestEmbedAgainWhatChanged(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	model, lib, out := embedderFile(t, s.url), filepath.Join(t.TempDir(), "lib"), filepath.Join(t.TempDir(), "v.jsonl")
	if err := os.CopyFS(lib, os.DirFS(filepath.Join(root, "configs/libraries/after-sales"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(lib, "skills.lock")); err != nil { // it would find the change, too
		t.Fatal(err)
	}
	program(t, exitDone, embedding(model, out, "--library", lib)...)
	file := filepath.Join(lib, "logistics/skill.yaml")
	edit(t, file, "trigger:\n", "trigger:\n  - the van is late again\n")
	if c := program(t, exitFound, "skills", "lint", lib, "--vectors", out); !strings.Contains(c.out.String(), "is of another text") {
		t.Errorf("%s", &c.out)
	}
	c := program(t, exitDone, embedding(model, out, "--library", lib)...)
	if !strings.Contains(c.out.String(), "requests 1, ") || !strings.Contains(c.out.String(), "15 vectors, 15 of skills and 0 of messages") {
		t.Errorf("%s", &c.out)
	}
	program(t, exitDone, "skills", "lint", lib, "--vectors", out)
	if n := strings.Count(fileText(t, out), "\n"); n != 15 {
		t.Errorf("%d lines", n)
	}
}

// resized makes vectors longer.
func resized(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sim bytes.Buffer
		next.ServeHTTP(&caught{ResponseWriter: w, body: &sim}, r)
		_, _ = io.WriteString(w, strings.ReplaceAll(sim.String(), `"embedding":[`, `"embedding":[1,`))
	})
}

// caught keeps what is written.
type caught struct {
	http.ResponseWriter
	body *bytes.Buffer
}

func (c *caught) Write(p []byte) (int, error) { return c.body.Write(p) }

// A file has vectors of one embedder, and is left as it is where another would
// write to it.
func TestEmbedKeepsEmbeddersApart(t *testing.T) {
	t.Parallel()
	s, long := serve(t, "", nil), serve(t, "", resized)
	out := filepath.Join(t.TempDir(), "v.jsonl")
	program(t, exitDone, embedding(embedderFile(t, s.url), out, "--library", "execution")...)
	before := fileText(t, out)
	unlock, err := lockFile(out)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(want, model string) {
		t.Helper()
		c := program(t, exitWrong, embedding(model, out)...)
		if got := c.err.String(); !strings.Contains(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s, want %s", got, want)
		}
		if fileText(t, out) != before {
			t.Error("the file was changed")
		}
	}
	refused("v.jsonl: another process is writing it; wait for it or use another --out", embedderFile(t, s.url))
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	refused(`has vectors of "trigrams-1024", the model file's name is "other": use another --out`, embedderFile(t, s.url, "name: other"))
	refused("has vectors of 1024 numbers, the endpoint now makes some of 1025: use another --out", embedderFile(t, long.url))
	refused("key_env: the environment variable NO_KEY is empty", embedderFile(t, s.url, "key_env: NO_KEY"))
	write(t, out, "no vectors\n")
	before = "no vectors\n"
	refused("v.jsonl:1: want a vector as JSON", embedderFile(t, s.url))
}

// A dry run asks nothing, needs no key and counts what is missing.
func TestEmbedDry(t *testing.T) {
	t.Parallel()
	s := serve(t, "", nil)
	out, prices := filepath.Join(t.TempDir(), "v.jsonl"), filepath.Join(t.TempDir(), "prices.yaml")
	write(t, prices, "policies: [{name: none, kind: none}]\nprices:\n  - {name: small, provider: p, currency: EUR, input: 0.02, cached_input: null, cache_write: null, output: null, source: https://example.org, date: 2026-11-30, cache: null}\n")
	model := embedderFile(t, s.url, "key_env: NO_KEY")
	c := program(t, exitDone, embedding(model, out, "--dry-run", "--prices", prices, "--price", "small")...)
	want := out + `: wants 461 vectors, 15 of skills and 446 of messages; 0 are there
to be asked of trigrams-1024: texts 461, requests 12, tokens 7590 (o200k_base; at most 68 in one text)
price: 0.000152 EUR (small, 2026-11-30)
nothing was sent
`
	if d := cmp.Diff(want, c.out.String()); d != "" {
		t.Error(d)
	}
	if entries, err := os.ReadDir(filepath.Dir(out)); err != nil || len(entries) != 0 || s.Ledger().Calls != 0 {
		t.Errorf("files %v, %v; %+v", entries, err, s.Ledger())
	}
	program(t, exitDone, embedding(embedderFile(t, s.url), out, "--library", "after-sales")...)
	c = program(t, exitDone, embedding(model, out, "--dry-run")...)
	if got := c.out.String(); !strings.Contains(got, "; 15 are there\n") || !strings.Contains(got, "texts 446, ") || !strings.Contains(got, "price: not known: name an entry") {
		t.Error(got)
	}
	c = program(t, exitDone, embedding(embedderFile(t, s.url), out, "--prices", prices, "--price", "small")...)
	if got := c.out.String(); !strings.Contains(got, " EUR\n") {
		t.Error(got)
	}
}

// Progress says how much is left, in words and as JSON.
func TestEmbedProgress(t *testing.T) {
	t.Parallel()
	for form, want := range map[string][]string{
		"plain": {"skillbench: trigrams-1024: HTTP 200, not_json, next try in", "80/461 texts, ", "s left\n"},
		"json":  {`{"progress":{"texts":461,"done":0,"tokens":0}}` + "\n", `{"notice":"trigrams-1024: HTTP 200, not_json`, `"done":80,"tokens":`, `"eta_seconds":`, `{"progress":{"texts":461,"done":461,"tokens":7590,"eta_seconds":0}}` + "\n"},
	} {
		c := newConsole(nil, nil)
		at := time.Unix(0, 0)
		c.now = func() time.Time { at = at.Add(3 * time.Second); return at }
		args := embedding(embedderFile(t, serve(t, "rules: [{at: [2], fault: html}]", nil).url), filepath.Join(t.TempDir(), "v.jsonl"), "--progress", form)
		if code := run(t.Context(), args, c.system); code != exitDone {
			t.Fatalf("exit %d: %s", code, &c.err)
		}
		for _, w := range want {
			if !strings.Contains(c.err.String(), w) {
				t.Errorf("%s: %s\nwant %s", form, &c.err, w)
			}
		}
	}
}

// The key is in nothing that embed writes or says, whatever the endpoint does.
func TestTheKeyOfAnEmbedderIsWrittenNowhere(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "v.jsonl")
	for want, around := range map[int]func(http.Handler) http.Handler{exitDone: echo, exitFound: denied} {
		c := newConsole(map[string]string{"TEST_KEY": secret}, nil)
		model := embedderFile(t, serve(t, "", around).url, "key_env: TEST_KEY")
		if code := run(t.Context(), embedding(model, out+fmt.Sprint(want)), c.system); code != want {
			t.Errorf("exit %d, want %d: %s%s", code, want, &c.out, &c.err)
		}
		if all := c.out.String() + c.err.String(); !strings.Contains(all, "[key]") {
			t.Errorf("the endpoint's echoes did not arrive: this test shows nothing: %s", all)
		}
		absent(t, "output", c.out.String()+c.err.String())
	}
	absent(t, "file", fileText(t, out+"0"))
}

// TestOneWriterAtATime: who ends takes the file of its lock away, and nobody goes on
// with a lock on a file that is gone while another one makes it anew.
func TestOneWriterAtATime(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "v.jsonl")
	var inside, got atomic.Int32
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 2000 {
				unlock, err := lockFile(path)
				if err != nil {
					continue
				}
				got.Add(1)
				if inside.Add(1) > 1 {
					t.Error("two at once")
				}
				inside.Add(-1)
				if err := unlock(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if got.Load() == 0 {
		t.Error("nobody had the lock")
	}
}
