//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/limit"
	"skillbench/harness/model/openai"
	"skillbench/harness/record"
)

const (
	inFlight = 256
	latency  = 200 * time.Millisecond
	turns    = 50 // of each episode, so calls of each worker
)

// A trivial server answers every call alike after the latency.
type trivial struct {
	*httptest.Server
	calls, slept atomic.Int64 // slept: nanoseconds, of which the machine may make more than were asked for
}

func newTrivial(b *testing.B) *trivial {
	const body = `{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"{\"state_patch\":{},\"action\":\"Wait\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`
	s := &trivial{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		began := time.Now()
		time.Sleep(latency)
		s.slept.Add(int64(time.Since(began)))
		s.calls.Add(1)
		_, _ = io.WriteString(w, body)
	}))
	b.Cleanup(s.Close)
	return s
}

// processor is the time that this process has computed.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkThroughput plays episodes of skillstate against a server of 200 ms
// latency, 256 calls in flight, with journals, limits and all, and reports calls
// a second beside the ideal (256 / 0.2 s), processor time per call beside that
// of a bare go-openai loop with prompts as long, and the heap after a third of
// the calls and near the end. The server's own time is in both.
// slept-ms is how long the server's 200 ms took: more means that the machine was
// busy with other things. Run it with -benchtime 1x on a machine that does nothing else.
func BenchmarkThroughput(b *testing.B) {
	for _, who := range []struct {
		name string
		run  func(*testing.B, string)
	}{{"bare", bare}, {"here", here}} {
		b.Run(who.name, func(b *testing.B) {
			s := newTrivial(b)
			who.run(b, s.URL)
			b.ReportMetric(float64(s.slept.Load())/float64(s.calls.Load())/1e6, "slept-ms")
		})
	}
}

func here(b *testing.B, url string) {
	text := fmt.Sprintf("name: x\ntasks: [warehouse]\nagents: [skillstate]\nmodels: [m]\nhorizons: %d\nseeds: %d\n", turns, inFlight)
	for b.Loop() {
		x, node, err := harness.ParseExperiment("x.yaml", []byte(text), nil)
		if err != nil {
			b.Fatal(err)
		}
		plan, err := kit(func(string) (harness.Model, error) { return trivialModel(url) }).Plan(x, node)
		if err != nil {
			b.Fatal(err)
		}
		var m meter
		m.begin(b)
		r := harness.Runner{Plan: plan, Dir: b.TempDir(), Workers: inFlight, Wrap: limited, Events: func(e harness.Event) {
			if e.Call != nil {
				m.call(e.Cell.ID)
			}
		}}
		result, err := r.Run(b.Context(), plan.Cells)
		if err != nil || result.Done != len(plan.Cells) {
			b.Fatalf("%+v, %v", result, err)
		}
		m.report(b)
		if got, err := journal.EndOf(journal.CellDir(r.Dir, plan.Cells[0].ID)); err != nil || got.Status != record.Done {
			b.Fatalf("%+v, %v", got, err)
		}
	}
}

func trivialModel(url string) (harness.Model, error) {
	client, err := openai.New(openai.Config{Model: "m", BaseURL: url + "/v1", Limits: limit.Rates{Concurrency: inFlight}}, "",
		openai.Deps{Clock: model.Wall(), Jitter: rand.Float64})
	return harness.Model{Name: "m", Kind: record.Real, Open: func(harness.Task) (model.Model, error) { return client, nil }}, err
}

func limited(_ harness.Model, inner model.Model) (model.Model, error) {
	return limit.New(inner, limit.Options{Rates: limit.Rates{Concurrency: inFlight}, Clock: model.Wall()})
}

// bare sends as many calls with prompts of a middling size.
func bare(b *testing.B, url string) {
	conf := api.DefaultConfig("")
	conf.BaseURL = url + "/v1"
	conf.HTTPClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: inFlight}}
	client := api.NewClientWithConfig(conf)
	prompt := strings.Repeat("item_12 is on shelf_42.\n", 100)
	for b.Loop() {
		var m meter
		m.begin(b)
		var wg sync.WaitGroup
		for i := range inFlight {
			wg.Go(func() {
				for range turns {
					_, err := client.CreateChatCompletion(context.Background(), api.ChatCompletionRequest{Model: "m",
						Messages: []api.ChatCompletionMessage{{Role: api.ChatMessageRoleUser, Content: prompt}}})
					if err != nil {
						b.Error(err)
						return
					}
					m.call(fmt.Sprint(i))
				}
			})
		}
		wg.Wait()
		m.report(b)
	}
}

// A meter measures the steady state: from the moment when all workers have had
// a call answered to the moment when the first has had its last.
type meter struct {
	mu          sync.Mutex
	workers     map[string]int // calls of each
	calls       int
	from, to    int // calls at the ends of the steady state
	began, over time.Time
	processor   time.Duration
	heaps       [2]uint64
}

func (m *meter) begin(b *testing.B) {
	runtime.GC()
	m.processor, m.workers = processor(b), map[string]int{}
}

func (m *meter) call(worker string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls++
	m.workers[worker]++
	if m.workers[worker] == 1 && len(m.workers) == inFlight {
		m.from, m.began = m.calls, time.Now()
	}
	if m.workers[worker] == turns && m.to == 0 {
		m.to, m.over = m.calls, time.Now()
	}
	switch m.calls {
	case inFlight * turns / 3:
		m.heaps[0] = heap()
	case inFlight * turns * 9 / 10:
		m.heaps[1] = heap()
	}
}

func heap() uint64 {
	runtime.GC()
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

func (m *meter) report(b *testing.B) {
	ideal := inFlight / latency.Seconds()
	rate := float64(m.to-m.from) / m.over.Sub(m.began).Seconds()
	b.ReportMetric(rate, "calls/s")
	b.ReportMetric(100*rate/ideal, "%-of-ideal")
	b.ReportMetric(float64((processor(b)-m.processor).Microseconds())/float64(m.calls), "cpu-µs/call")
	b.ReportMetric(float64(m.heaps[0])/1e6, "MB-at-a-third")
	b.ReportMetric(float64(m.heaps[1])/1e6, "MB-at-nine-tenths")
	b.ReportMetric(0, "ns/op")
}
