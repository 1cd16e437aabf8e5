package openai

import (
	"testing"
	"unicode/utf8"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// Whatever a body holds, it is judged without a panic, and what comes of it
// keeps the bounds of a reply.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{
		okBody, "", "null", "[]", "{}", "<html>", `{"choices":[null]}`, `{"choices":[{"message":{"content":[{"text":"a"}],"tool_calls":[{"function":{"arguments":{}}}]}}]}`,
		`{"error":{"error":{"error":{"error":{"error":"deep"}}}}}`, `[[[[["deep"]]]]]`, `{"error":{"code":1e400}}`, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":-5},{}]}}]}\n",
		"error: {}\n", "data: [DONE]", ":\n", chunk(`{"content":"x"}`, `"stop"`), `{"detail":[{"loc":["body","temperature"],"msg":"unsupported"}]}`,
	} {
		f.Add(200, []byte(seed))
		f.Add(400, []byte(seed))
	}
	c, err := New(Config{Model: "m", BaseURL: "http://h/v1", Temperature: new(0.0)}, testKey, Deps{Clock: model.Wall(), Jitter: func() float64 { return 0 }})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, data []byte) {
		if status < 200 || status > 599 {
			return
		}
		a, fault := c.judge(&exchange{status: status, body: data}, nil, body{})
		usageIn(data)
		if fault != nil {
			if line := c.line.line(fault.message); !utf8.ValidString(line) || len([]rune(line)) > maxMessage+1 || fault.class == "" {
				t.Errorf("%+v", fault)
			}
			return
		}
		r := c.toReply(a).Clean()
		if len(r.Text) > record.MaxReply || !utf8.ValidString(r.Text) || r.Finish == "" {
			t.Errorf("%+v", r)
		}
	})
}
