package openai

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
)

func choiceBody(message, finish, rest string) string {
	return `{"model":"m1","choices":[{"index":0,"message":` + message + `,"finish_reason":` + finish + `}]` + rest + `}`
}

func TestReplies(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, body string
		want       record.Reply
		usage      string
	}{
		{"plain", okBody, record.Reply{Text: "Action: Wait", Finish: record.Stop, Choices: 1, Served: "served-1 fp_9"}, "7 3 - -"},
		{"no usage", choiceBody(`{"content":"a"}`, `"stop"`, ``), record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"null usage", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":null`), record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"empty usage", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":{}`), record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"zero is a count", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":{"prompt_tokens":5,"completion_tokens":0,"prompt_tokens_details":{"cached_tokens":0},"completion_tokens_details":null}`),
			record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "5 0 0 -"},
		{"details", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":{"prompt_tokens":5,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":8}}`),
			record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "5 9 4 8"},
		{"cache hits under another name", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":{"prompt_tokens":5,"prompt_cache_hit_tokens":3}`),
			record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "5 - 3 -"},
		{"hostile counts", choiceBody(`{"content":"a"}`, `"stop"`, `,"usage":{"prompt_tokens":-1,"completion_tokens":1e300,"prompt_tokens_details":{"cached_tokens":"7"},"completion_tokens_details":{"reasoning_tokens":1.5}}`),
			record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"cut at the limit", choiceBody(`{"content":"Action: Wa"}`, `"length"`, ``), record.Reply{Text: "Action: Wa", Finish: record.Length, Choices: 1, Served: "m1"}, "none"},
		{"reasoning only", choiceBody(`{"content":"","reasoning_content":"hm"}`, `"length"`, ``), record.Reply{Thinking: "hm", Finish: record.Length, Choices: 1, Served: "m1"}, "none"},
		{"reasoning, null content", choiceBody(`{"content":null,"reasoning":"hm"}`, `"stop"`, ``), record.Reply{Thinking: "hm", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"both reasoning fields", choiceBody(`{"content":"a","reasoning":"hm","reasoning_content":"hm"}`, `"stop"`, ``), record.Reply{Text: "a", Thinking: "hm", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"refusal", choiceBody(`{"content":null,"refusal":"I can't"}`, `"stop"`, ``), record.Reply{Text: "I can't", Finish: record.Refusal, Choices: 1, Served: "m1"}, "none"},
		{"filtered", choiceBody(`{"content":"x"}`, `"content_filter"`, ``), record.Reply{Text: "x", Finish: record.ContentFilter, Choices: 1, Served: "m1"}, "none"},
		{"filtered without message", `{"choices":[{"finish_reason":"content_filter"}]}`, record.Reply{Finish: record.ContentFilter, Choices: 1}, "none"},
		{"several choices", `{"choices":[{"index":1,"message":{"content":"one"},"finish_reason":"stop"},{"index":0,"message":{"content":"two"}}]}`, record.Reply{Text: "one", Finish: record.Stop, Choices: 2}, "none"},
		{"no finish_reason", choiceBody(`{"content":"a"}`, `null`, ``), record.Reply{Text: "a", Finish: record.Unknown, Choices: 1, Served: "m1"}, "none"},
		{"tool calls", choiceBody(`{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"propose_transition","arguments":"{\"action\":\"Wait\"}"}},{"function":{"name":"b","arguments":{"k": 1}}}]}`, `"tool_calls"`, ``),
			record.Reply{Finish: record.ToolCalls, Choices: 1, Served: "m1", Calls: []record.ToolCall{{Name: "propose_transition", Arguments: `{"action":"Wait"}`}, {Name: "b", Arguments: `{"k": 1}`}}}, "none"},
		{"function call", choiceBody(`{"function_call":{"name":"f","arguments":"{}"}}`, `"function_call"`, ``),
			record.Reply{Finish: record.ToolCalls, Choices: 1, Served: "m1", Calls: []record.ToolCall{{Name: "f", Arguments: `{}`}}}, "none"},
		{"parts", choiceBody(`{"content":[{"type":"text","text":"a"},{"type":"image"},{"type":"text","text":"b"}]}`, `"stop"`, ``), record.Reply{Text: "ab", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"float for created", `{"created":1.7e9,"id":5,"choices":[{"message":{"content":"a"},"finish_reason":"stop"}]}`, record.Reply{Text: "a", Finish: record.Stop, Choices: 1}, "none"},
		{"invalid UTF-8", choiceBody("{\"content\":\"a\xffb\"}", `"stop"`, ``), record.Reply{Text: "a\uFFFDb", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
		{"longer than a reply may be", choiceBody(`{"content":"`+strings.Repeat("x", record.MaxReply+1)+`"}`, `"stop"`, ``),
			record.Reply{Text: strings.Repeat("x", record.MaxReply), Finish: record.Oversize, Choices: 1, Served: "m1"}, "none"},
		{"error that is null", choiceBody(`{"content":"a"}`, `"stop"`, `,"error":null`), record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1"}, "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(200, tc.body))
			got := mustReply(t, newBench(t, e, nil))
			if u := show(got.Usage); u != tc.usage {
				t.Errorf("usage %q, want %q", u, tc.usage)
			}
			got.Usage = nil
			if d := cmp.Diff(tc.want.Clean(), got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCompressedReply(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t, func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			t.Error("gzip is not accepted")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, okBody)
		_ = z.Close()
	})
	if r := mustReply(t, newBench(t, e, nil)); r.Text != "Action: Wait" {
		t.Errorf("%+v", r)
	}
}

// The text of a bomb that unpacks to far more than MaxBody is never held whole.
func TestOversizeBody(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte(" "), MaxBody+1))
	_ = z.Close()
	e := newEndpoint(t, says(200, packed.String(), "Content-Encoding", "gzip"), says(200, okBody))
	r := mustReply(t, newBench(t, e, nil))
	if d := cmp.Diff([]record.Failure{{Class: "oversize_body", Status: 200}}, r.Failed); d != "" {
		t.Error(d)
	}
}

func chunk(delta, finish string) string {
	return `data: {"model":"m1","system_fingerprint":"fp","choices":[{"index":0,"delta":` + delta + `,"finish_reason":` + finish + `}]}` + "\n\n"
}

func TestStreams(t *testing.T) {
	t.Parallel()
	keepAlive := strings.Repeat(": PROCESSING\n\n", 400)
	for _, tc := range []struct {
		name, body string
		want       record.Reply
		usage      string
	}{
		{"text", chunk(`{"role":"assistant","content":""}`, `null`) + chunk(`{"content":"Action: "}`, `null`) + keepAlive + chunk(`{"content":"Wait"}`, `"stop"`) +
			`data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}` + "\n\ndata: [DONE]\n\n",
			record.Reply{Text: "Action: Wait", Finish: record.Stop, Choices: 1, Served: "m1 fp"}, "5 2 - -"},
		{"finish_reason without DONE", chunk(`{"content":"a"}`, `"stop"`), record.Reply{Text: "a", Finish: record.Stop, Choices: 1, Served: "m1 fp"}, "none"},
		{"DONE without finish_reason", chunk(`{"content":"a"}`, `null`) + "data: [DONE]\n", record.Reply{Text: "a", Finish: record.Unknown, Choices: 1, Served: "m1 fp"}, "none"},
		{"reasoning", chunk(`{"reasoning_content":"h"}`, `null`) + chunk(`{"reasoning_content":"m"}`, `null`) + chunk(`{"content":"a"}`, `"length"`), record.Reply{Text: "a", Thinking: "hm", Finish: record.Length, Choices: 1, Served: "m1 fp"}, "none"},
		{"refusal", chunk(`{"refusal":"I "}`, `null`) + chunk(`{"refusal":"can't"}`, `"stop"`), record.Reply{Text: "I can't", Finish: record.Refusal, Choices: 1, Served: "m1 fp"}, "none"},
		{"tool calls", chunk(`{"tool_calls":[{"index":0,"id":"1","function":{"name":"f","arguments":""}}]}`, `null`) + chunk(`{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\""}},{"index":7,"function":{"name":"g"}}]}`, `null`) +
			chunk(`{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]}`, `"tool_calls"`),
			record.Reply{Finish: record.ToolCalls, Choices: 1, Served: "m1 fp", Calls: []record.ToolCall{{Name: "f", Arguments: `{"a":1}`}, {Name: "g"}}}, "none"},
		{"tool calls without index", chunk(`{"tool_calls":[{"id":"1","function":{"name":"f","arguments":"{"}}]}`, `null`) + chunk(`{"tool_calls":[{"function":{"arguments":"}"}}]}`, `"tool_calls"`),
			record.Reply{Finish: record.ToolCalls, Choices: 1, Served: "m1 fp", Calls: []record.ToolCall{{Name: "f", Arguments: `{}`}}}, "none"},
		{"two choices", `data: {"choices":[{"index":0,"delta":{"content":"a"}},{"index":1,"delta":{"content":"x"}}]}` + "\n" + `data: {"choices":[{"index":1,"delta":{"content":"y"},"finish_reason":"stop"},{"index":0,"delta":{"content":"b"},"finish_reason":"stop"}]}` + "\n",
			record.Reply{Text: "ab", Finish: record.Stop, Choices: 2}, "none"},
		{"plain JSON all the same", okBody, record.Reply{Text: "Action: Wait", Finish: record.Stop, Choices: 1, Served: "served-1 fp_9"}, "7 3 - -"},
		{"CRLF, no space, event lines", "event: message\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\r\n\r\ndata:[DONE]\r\n", record.Reply{Text: "a", Finish: record.Stop, Choices: 1}, "none"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t, says(200, tc.body, "Content-Type", "text/event-stream"))
			got := mustReply(t, newBench(t, e, func(c *Config, _ *Deps) { c.Stream = true }))
			if u := show(got.Usage); u != tc.usage {
				t.Errorf("usage %q, want %q", u, tc.usage)
			}
			got.Usage = nil
			if d := cmp.Diff(tc.want.Clean(), got); d != "" {
				t.Error(d)
			}
			m := e.members(t)
			if string(m["stream"]) != "true" || string(m["stream_options"]) != `{"include_usage":true}` {
				t.Errorf("sent stream %s, stream_options %s", m["stream"], m["stream_options"])
			}
		})
	}
}
