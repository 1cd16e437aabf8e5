package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"skillbench/harness/journal"
)

// built is the folder of binary.
var built string

// binary is the program, built once for all tests.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "skillbench")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "skillbench")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// command is a process of the real program.
func command(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	path, err := binary()
	if err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(t.Context(), path, args...)
}

// exits runs a process to its end, demands an exit code and returns the output.
func exits(t testing.TB, want int, c *exec.Cmd) string {
	t.Helper()
	out, err := c.CombinedOutput()
	if c.ProcessState == nil || c.ProcessState.ExitCode() != want {
		t.Fatalf("%q: %v, want exit %d\n%s", c.Args, err, want, out)
	}
	return string(out)
}

// kills is how often each of the two tests kills the program: 15, or what
// `make soak` asks for.
func kills(t *testing.T) int {
	text := os.Getenv("SKILLBENCH_KILLS")
	if text == "" {
		return 15
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("SKILLBENCH_KILLS: %v", err)
	}
	return n
}

// perRun is how often one run is killed before it may end.
const perRun = 8

// A victim is a run that is killed and started again until it is over.
type victim struct {
	args   []string
	out    string
	before map[string]string // the journals as the last life left them
}

// lives starts the program, lets it be killed, and reports whether it came to
// its end instead. What is in the journals must stay in them.
func (v *victim) lives(t *testing.T, kill func(*exec.Cmd)) (over bool) {
	t.Helper()
	return v.live(t, command(t, v.args...), kill)
}

func (v *victim) live(t *testing.T, c *exec.Cmd, kill func(*exec.Cmd)) (over bool) {
	t.Helper()
	var said bytes.Buffer
	c.Stdout, c.Stderr = &said, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill(c)
	err := c.Wait()
	if c.ProcessState.Exited() && err != nil {
		t.Fatalf("%q: %v\n%s", v.args, err, &said)
	}
	after := journals(t, v.out)
	for path, old := range v.before {
		whole := old[:strings.LastIndexByte(old, '\n')+1]
		if !strings.HasPrefix(after[path], whole) {
			t.Fatalf("%s: what was recorded is gone", path)
		}
	}
	v.before = after
	return err == nil
}

// settled compares the results with those of an undisturbed run.
func (v *victim) settled(t *testing.T, want string) {
	t.Helper()
	for _, name := range []string{"cells.csv", "report.md"} {
		if got := fileText(t, filepath.Join(v.out, name)); got != fileText(t, filepath.Join(want, name)) {
			t.Fatalf("%s differs from that of an undisturbed run", name)
		}
	}
	program(t, exitDone, "verify", v.out)
	for path, text := range journals(t, want) {
		if v.before[path] != text && strings.HasSuffix(path, "segments.jsonl") {
			t.Errorf("%s differs from that of an undisturbed run", path)
		}
	}
	left, err := filepath.Glob(filepath.Join(v.out, "*", ".new-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// journals are the files of all episodes by their path in the run's folder.
func journals(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	cells := filepath.Join(dir, "cells")
	err := fs.WalkDir(os.DirFS(cells), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(cells, path))
		all[path] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return all
}

func size(dir string) int {
	n := 0
	_ = fs.WalkDir(os.DirFS(filepath.Join(dir, "cells")), ".", func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if info, err := d.Info(); err == nil {
				n += int(info.Size())
			}
		}
		return nil // files come and go while the run is on
	})
	return n
}

func randomly(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seed %d", seed)
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}

// TestKilledAnywhere kills the program once its journals have grown to a random
// size, and sometimes at a random moment of its start or of its report.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	args := []string{"run", "../../configs/table1.yaml", "--set", "horizons=[20]", "--set", "seeds=2", "--workers", "3", "--out"}
	want := filepath.Join(t.TempDir(), "want")
	began := time.Now()
	exits(t, exitDone, command(t, append(args, want)...))
	lasts, whole := time.Since(began), size(want)
	random := randomly(t)
	inPlay, total := 0, kills(t)
	for killed := 0; killed < total; {
		out := filepath.Join(t.TempDir(), "out")
		v := &victim{args: append(args, out), out: out}
		for try := 0; ; try++ {
			over := v.lives(t, func(c *exec.Cmd) {
				switch {
				case try == perRun: // lives
				case random.IntN(4) == 0:
					kill := time.AfterFunc(time.Duration(random.Int64N(int64(lasts))), func() { _ = c.Process.Kill() })
					t.Cleanup(func() { kill.Stop() })
				default:
					now := size(out)
					grown(out, now+random.IntN(max(1, (whole-now)/3)), lasts)
					_ = c.Process.Kill() // it may be over
				}
			})
			if over {
				break
			}
			killed++
			if n := size(out); 0 < n && n < whole {
				inPlay++
			}
		}
		v.settled(t, want)
	}
	if inPlay < total/4 {
		t.Errorf("%d of %d kills fell into play", inPlay, total)
	}
}

// grown waits until the journals have a size, at most as long as a run lasts.
// Nothing tells of another process's writes, so it looks again and again.
func grown(dir string, to int, atMost time.Duration) {
	over := time.After(atMost)
	look := time.NewTicker(time.Millisecond / 2)
	defer look.Stop()
	for size(dir) < to {
		select {
		case <-over:
			return
		case <-look.C:
		}
	}
}

// An assassin is a server that kills its client at a call with a certain
// number: before the answer, amid it, or behind it.
type assassin struct {
	next http.Handler

	mu     sync.Mutex
	client *exec.Cmd
	at     int
	amid   int // bytes of the answer before the kill; -1: all
	life   int // of clients, the present one; its key says so
	sent   map[string]int
	calls  atomic.Int64
}

// keyOfLife is where the model file has its key from.
const keyOfLife = "SKILLBENCH_TEST_LIFE"

// begin sets the mark; a mark of 0 kills nobody. No call is served until the
// client has started. What an earlier client sent before it was killed may come
// in later still, and is none of this one's.
func (a *assassin) begin(client *exec.Cmd, at, amid int) (started func(*exec.Cmd)) {
	a.mu.Lock()
	a.life++
	client.Env = append(os.Environ(), fmt.Sprintf("%s=life-%d", keyOfLife, a.life))
	a.client, a.at, a.amid, a.sent = client, at, amid, map[string]int{}
	return func(*exec.Cmd) { a.mu.Unlock() }
}

func (a *assassin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	a.mu.Lock()
	if a.life > 0 && r.Header.Get("Authorization") != fmt.Sprintf("Bearer life-%d", a.life) {
		a.mu.Unlock()
		return
	}
	a.sent[promptOf(body)]++
	a.at--
	client, due, amid := a.client, a.at == 0, a.amid
	a.mu.Unlock()
	a.calls.Add(1)
	if !due {
		a.next.ServeHTTP(w, r)
		return
	}
	if amid >= 0 {
		w = &cutting{ResponseWriter: w, room: amid, then: func() { _ = client.Process.Kill() }}
	}
	a.next.ServeHTTP(w, r)
	_ = http.NewResponseController(w).Flush() // the client may be dead
	_ = client.Process.Kill()
}

func promptOf(body []byte) string {
	var request struct{ Messages []struct{ Content string } }
	if json.Unmarshal(body, &request) != nil || len(request.Messages) != 1 {
		return "not one message"
	}
	return request.Messages[0].Content
}

// cutting lets so many bytes through.
type cutting struct {
	http.ResponseWriter
	room int
	then func()
}

func (c *cutting) Write(p []byte) (int, error) {
	n := min(len(p), c.room)
	if _, err := c.ResponseWriter.Write(p[:n]); err != nil {
		return 0, err
	}
	_ = http.NewResponseController(c.ResponseWriter).Flush()
	if c.room -= n; n < len(p) {
		c.then()
	}
	return len(p), nil
}

// TestKilledAtTheServer kills the program around a call and counts: a call that
// was recorded is not made again, and none is lost.
func TestKilledAtTheServer(t *testing.T) {
	t.Parallel()
	const workers = 3
	a := &assassin{sent: map[string]int{}}
	s := serve(t, "", func(next http.Handler) http.Handler { a.next = next; return a })
	args := small("--workers", strconv.Itoa(workers), "--model", modelFile(t, s.url, "key_env: "+keyOfLife), "--out")
	want := filepath.Join(t.TempDir(), "want")
	first := command(t, append(args, want)...)
	first.Env = append(os.Environ(), keyOfLife+"=life-0")
	exits(t, exitDone, first)
	whole := recorded(t, want)
	calls := int(a.calls.Load())
	random := randomly(t)
	total := kills(t)
	for killed := 0; killed < total; {
		out := filepath.Join(t.TempDir(), "out")
		v := &victim{args: append(args, out), out: out}
		for try := 0; ; try++ {
			before := recorded(t, out)
			missing := calls - sum(before)
			at := 1 + random.IntN(max(1, missing/2))
			if try == perRun {
				at = 0
			}
			c := command(t, v.args...)
			over := v.live(t, c, a.begin(c, at, random.IntN(900)-300))
			sent, after := a.sent, recorded(t, out)
			for prompt, n := range sent {
				if n > whole[prompt]-before[prompt] {
					t.Fatalf("a call that was recorded is made again: %.80q", prompt)
				}
			}
			if lost := sum(sent) - (sum(after) - sum(before)); lost < 0 || lost > workers || over && lost > 0 {
				t.Fatalf("%d calls made, %d recorded", sum(sent), sum(after)-sum(before))
			}
			if over {
				break
			}
			killed++
		}
		v.settled(t, want)
		if !maps.Equal(recorded(t, out), whole) {
			t.Error("other calls than those of an undisturbed run")
		}
	}
}

// recorded counts the calls in the journals by their prompt.
func recorded(t testing.TB, dir string) map[string]int {
	t.Helper()
	all := map[string]int{}
	entries, err := os.ReadDir(filepath.Join(dir, "cells"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for _, e := range entries {
		r, err := journal.Read(filepath.Join(dir, "cells", e.Name()))
		if os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = r.Each(func(e journal.Event) error {
				if e.Call == nil {
					return nil
				}
				p, err := r.Prompt(*e.Call)
				all[p.Text()]++
				return err
			})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func sum(counts map[string]int) int {
	n := 0
	for _, c := range counts {
		n += c
	}
	return n
}
