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
	turns    = 30 // of each episode, so calls of each worker
)

// trivial answers every call alike after the latency.
func trivial(b *testing.B) *httptest.Server {
	const body = `{"id":"c","model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"{\"state_patch\":{},\"action\":\"Wait\"}"},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(latency)
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
// of a bare go-openai loop with the same prompts, and how the heap grew from
// the first third of the calls to the last. The server's own time is in both.
// Run it with -benchtime 1x on a machine that does nothing else.
func BenchmarkThroughput(b *testing.B) {
	s := trivial(b)
	b.Run("bare", func(b *testing.B) { bare(b, s.URL) })
	b.Run("here", func(b *testing.B) { here(b, s.URL) })
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
				m.call()
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
	prompt := string(make([]byte, 0, 2500))
	for len(prompt) < 2500 {
		prompt += "item_12 is on shelf_42.\n"
	}
	for b.Loop() {
		var m meter
		m.begin(b)
		var wg sync.WaitGroup
		for range inFlight {
			wg.Go(func() {
				for range turns {
					_, err := client.CreateChatCompletion(context.Background(), api.ChatCompletionRequest{Model: "m",
						Messages: []api.ChatCompletionMessage{{Role: api.ChatMessageRoleUser, Content: prompt}}})
					if err != nil {
						b.Error(err)
						return
					}
					m.call()
				}
			})
		}
		wg.Wait()
		m.report(b)
	}
}

// A meter measures the steady state: from the end of the first tenth of the
// calls to the end of the ninth.
type meter struct {
	calls       atomic.Int64
	began, over time.Time
	processor   time.Duration
	heaps       [2]uint64
	b           *testing.B
}

func (m *meter) begin(b *testing.B) {
	m.b = b
	runtime.GC()
	m.processor = processor(b)
}

const (
	total = inFlight * turns
	early = total / 10
	late  = total - early
)

func (m *meter) call() {
	switch m.calls.Add(1) {
	case early:
		m.began = time.Now()
	case total / 3:
		m.heaps[0] = heap()
	case late:
		m.over, m.heaps[1] = time.Now(), heap()
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
	rate := (late - early) / m.over.Sub(m.began).Seconds()
	b.ReportMetric(rate, "calls/s")
	b.ReportMetric(100*rate/ideal, "%-of-ideal")
	b.ReportMetric(float64((processor(b)-m.processor).Microseconds())/total, "cpu-µs/call")
	b.ReportMetric(float64(m.heaps[0])/1e6, "MB-at-a-third")
	b.ReportMetric(float64(m.heaps[1])/1e6, "MB-at-the-end")
	b.ReportMetric(0, "ns/op")
}
