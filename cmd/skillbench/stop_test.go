package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A gate lets calls through until one with a certain number arrives; that one
// and all after it wait until the gate is opened or their client has gone.
type gate struct {
	at      int32
	calls   atomic.Int32
	reached chan struct{}
	opened  chan struct{}
}

func newGate(at int32) *gate {
	return &gate{at: at, reached: make(chan struct{}), opened: make(chan struct{})}
}

func (g *gate) around(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body) // or net/http does not see that a client goes
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		n := g.calls.Add(1)
		if n == g.at {
			close(g.reached)
		}
		if n >= g.at {
			select {
			case <-g.opened:
			case <-r.Context().Done():
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// A run that goes on in another goroutine.
type running struct {
	*console
	code chan int
}

func start(t *testing.T, interrupts <-chan os.Signal, args []string) running {
	r := running{newConsole(nil, interrupts), make(chan int, 1)}
	go func() { r.code <- run(t.Context(), args, r.system) }()
	return r
}

// TestInterruptOnce: calls in flight are finished and kept, none is lost and
// none is made twice.
func TestInterruptOnce(t *testing.T) {
	t.Parallel()
	g := newGate(30)
	s := serve(t, "", g.around)
	out := filepath.Join(t.TempDir(), "out")
	args := small("--out", out, "--workers", "3", "--model", modelFile(t, s.url))
	interrupts := make(chan os.Signal)
	r := start(t, interrupts, args)
	<-g.reached
	interrupts <- os.Interrupt
	close(g.opened)
	if code := <-r.code; code != exitFound {
		t.Fatalf("exit %d: %s%s", code, &r.out, &r.err)
	}
	if !strings.Contains(r.err.String(), "stopping") || !strings.Contains(r.out.String(), "not finished: run the same command again") {
		t.Errorf("%s%s", &r.out, &r.err)
	}
	first, _ := calls(t, out)
	if made := int(g.calls.Load()); len(first) != made || made >= 120 {
		t.Errorf("%d calls kept of %d made", len(first), made)
	}
	resumed(t, out, args)
	all, _ := calls(t, out)
	if made := int(g.calls.Load()); len(all) != made {
		t.Errorf("%d calls kept of %d made over both sessions", len(all), made)
	}
}

// TestInterruptTwice: calls in flight are dropped at once, and made again later.
func TestInterruptTwice(t *testing.T) {
	t.Parallel()
	g := newGate(30)
	s := serve(t, "", g.around)
	out := filepath.Join(t.TempDir(), "out")
	args := small("--out", out, "--workers", "3", "--model", modelFile(t, s.url))
	interrupts := make(chan os.Signal)
	r := start(t, interrupts, args)
	<-g.reached
	interrupts <- os.Interrupt
	interrupts <- os.Interrupt
	if code := <-r.code; code != exitFound { // while the gate is closed
		t.Fatalf("exit %d: %s%s", code, &r.out, &r.err)
	}
	first, _ := calls(t, out)
	dropped := int(g.calls.Load()) - len(first)
	if dropped < 1 || dropped > 3 { // one for each worker at most
		t.Errorf("%d calls kept, %d dropped", len(first), dropped)
	}
	close(g.opened)
	resumed(t, out, args)
	all, _ := calls(t, out)
	if made := int(g.calls.Load()); len(all) != made-dropped {
		t.Errorf("%d calls kept of %d made, %d of them dropped", len(all), made, dropped)
	}
}

// resumed runs the same command again and compares with an undisturbed run.
func resumed(t *testing.T, out string, args []string) {
	t.Helper()
	program(t, exitDone, args...)
	if d := cmp.Diff(results(t, embedded(t)), results(t, out)); d != "" {
		t.Error(d)
	}
	program(t, exitDone, "verify", out)
}
