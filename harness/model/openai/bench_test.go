//go:build unix

package openai

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	api "github.com/sashabaranov/go-openai"

	"skillbench/harness/model"
)

// cpu is the processor time of this process.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkGenerate compares a call with the same call through go-openai
// alone, against the same server in the same process.
func BenchmarkGenerate(b *testing.B) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, okBody)
	}))
	defer server.Close()
	client, err := New(Config{Model: "m", BaseURL: server.URL + "/v1", Temperature: new(0.0), MaxCompletionTokens: new(64)}, "key-of-the-bench",
		Deps{Clock: model.Wall(), Jitter: func() float64 { return 0 }})
	if err != nil {
		b.Fatal(err)
	}
	conf := api.DefaultConfig("key-of-the-bench")
	conf.BaseURL = server.URL + "/v1"
	bare := api.NewClientWithConfig(conf)
	for name, size := range map[string]int{"1kB": 1 << 10, "100kB": 100 << 10} {
		req := ask(strings.Repeat("item_12 is on shelf_42.\n", size/24))
		calls := map[string]func() error{
			"here": func() error {
				_, err := client.Generate(context.Background(), req)
				return err
			},
			"bare": func() error {
				_, err := bare.CreateChatCompletion(context.Background(), api.ChatCompletionRequest{Model: "m", MaxCompletionTokens: 64,
					Messages: []api.ChatCompletionMessage{{Role: api.ChatMessageRoleUser, Content: req.Prompt.Text()}}})
				return err
			},
		}
		for _, who := range []string{"bare", "here"} {
			b.Run(name+"/"+who, func(b *testing.B) {
				b.ReportAllocs()
				start := cpu(b)
				for b.Loop() {
					if err := calls[who](); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((cpu(b)-start).Microseconds())/float64(b.N), "cpu-µs/op")
			})
		}
	}
}
