package simserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/model/sim"
	"skillbench/harness/model/simserver"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
	"skillbench/tasks/warehouse"
)

// atOnce is a clock without waits.
func atOnce() model.Clock {
	return model.Clock{Now: time.Now, Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() }}
}

// An endpoint is a simulated server on loopback.
type endpoint struct {
	*simserver.Server
	url string
}

func serve(t testing.TB, change func(*simserver.Options)) endpoint {
	t.Helper()
	o := simserver.Options{Languages: map[string]sim.Language{"warehouse": warehouse.Task().Language}, Clock: atOnce()}
	if change != nil {
		change(&o)
	}
	s, err := simserver.New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return endpoint{s, server.URL}
}

func script(t testing.TB, text string) func(*simserver.Options) {
	t.Helper()
	s, err := simserver.ParseScript("faults.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return func(o *simserver.Options) { o.Faults = s }
}

func client(t testing.TB, e endpoint, change func(*openai.Config)) *openai.Client {
	t.Helper()
	cfg := openai.Config{Model: "sim:perfect/warehouse", BaseURL: e.url + "/v1", Timeout: 20 * time.Second, Retries: new(0)}
	if change != nil {
		change(&cfg)
	}
	c, err := openai.New(cfg, "", openai.Deps{Clock: atOnce(), Jitter: func() float64 { return 0 }})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A twin asks both models and holds the second to the replies of the first.
type twin struct {
	t              testing.TB
	inside, served model.Model
	encoding       *tokens.Encoding
	calls          atomic.Int32
}

func (tw *twin) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	want, err := tw.inside.Generate(ctx, r)
	if err != nil {
		return want, err
	}
	got, err := tw.served.Generate(ctx, r)
	if err != nil {
		return got, err
	}
	tw.calls.Add(1)
	n := tw.encoding.Count(got.Text)
	for _, c := range got.Calls {
		n += tw.encoding.Count(c.Name) + tw.encoding.Count(c.Arguments)
	}
	usage := record.Usage{Prompt: new(tw.encoding.Count(r.Prompt.Text())), Completion: &n}
	if d := cmp.Diff(usage, *got.Usage); d != "" {
		tw.t.Errorf("usage: %s", d)
	}
	if !strings.HasSuffix(got.Served, " "+sim.Served) {
		tw.t.Errorf("served by %q, want it to say that it is simulated", got.Served)
	}
	want.Notes, want.Served, want.Usage, want.Choices = nil, "", nil, 1
	plain := got
	plain.Served, plain.Usage = "", nil
	if d := cmp.Diff(want.Clean(), plain); d != "" {
		tw.t.Errorf("%s step %d: %s", r.Agent, r.Step, d)
	}
	return got, nil
}

// TestRepliesAreThoseInProcess plays whole episodes of every form, wire, layout
// and setting on both.
func TestRepliesAreThoseInProcess(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		model, settings string
		stream          bool
	}{
		{"{sim: perfect}", "", false},
		{`{sim: perfect, guess: abstain, verbosity: {"": 300}}`, "perfect/warehouse?guess=abstain&verbosity=300", true},
		{"{sim: anchored, strength: 0.5, restates: true}", "anchored/warehouse?strength=0.5&restates=true", true},
		{"{sim: distractible, strength: 0.02, seed: 3}", "distractible/warehouse?strength=0.02&seed=3", false},
	} {
		t.Run(tc.model, func(t *testing.T) {
			t.Parallel()
			same(t, tc.model, tc.settings, tc.stream)
		})
	}
}

func same(t *testing.T, described, id string, stream bool) {
	e := serve(t, nil)
	served := client(t, e, func(c *openai.Config) {
		c.Stream = stream
		if stream {
			c.Layout = openai.SystemUser
		}
		if id != "" {
			c.Model = "sim:" + id
		}
	})
	x, node, err := harness.ParseExperiment("x.yaml", []byte(`
name: x
tasks: [warehouse]
agents: [react, memory, stateful, skillstate, {base: skillstate, name: schema, wire: json_schema}, {base: skillstate, name: tool, wire: tool}]
models: [`+described+`]
horizons: [15]
seeds: 1
drifts: [secret_move]
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := harness.Kit{Tasks: []harness.Task{warehouse.Task()}, Strategies: agents.List(), Files: configs.FS}.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	both := &twin{t: t, served: served, encoding: p.Encoding}
	r := harness.Runner{Plan: p, Dir: t.TempDir(), Workers: 2, Wrap: func(_ harness.Model, inside model.Model) (model.Model, error) {
		both.inside = inside
		return both, nil
	}}
	result, err := r.Run(t.Context(), p.Cells)
	if err != nil || result.Done != len(p.Cells) {
		t.Fatalf("%+v, %v", result, err)
	}
	l := e.Ledger()
	if calls := int(both.calls.Load()); calls < 15*6 || l.Calls != calls || l.Replies != calls {
		t.Errorf("%d calls compared, ledger %+v", calls, l)
	}
}

const question = prompt.LabelInstructions + "Run the warehouse.\n" + prompt.LabelLatest + "Received item_7.\n" + prompt.LabelContract + "End with a line `Action: <command>`.\n"

func ask(text string) model.Request {
	return model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, text)}}, Form: model.ActionLine}
}

func TestRepliesAreCutAtTheLimit(t *testing.T) {
	t.Parallel()
	e := serve(t, nil)
	encoding, err := tokens.Load(tokens.Default)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{1, 2, 7, 20} {
		for name, change := range map[string]func(*openai.Config){
			"max_completion_tokens": func(c *openai.Config) { c.MaxCompletionTokens = &limit },
			"max_tokens":            func(c *openai.Config) { c.Extra = map[string]any{"max_tokens": limit} },
		} {
			c := client(t, e, func(c *openai.Config) { change(c); c.Model += "?verbosity=500" })
			r, err := c.Generate(t.Context(), ask(question))
			if err != nil {
				t.Fatal(err)
			}
			n := encoding.Count(r.Text)
			if r.Finish != record.Length || n > limit || n < limit-1 || *r.Usage.Completion != n {
				t.Errorf("%s %d: finish %s, %d tokens, usage %d", name, limit, r.Finish, n, *r.Usage.Completion)
			}
		}
	}
	c := client(t, e, func(c *openai.Config) { c.MaxCompletionTokens = new(2000) })
	if r, err := c.Generate(t.Context(), ask(question)); err != nil || r.Finish != record.Stop {
		t.Errorf("under the limit: %+v, %v", r, err)
	}
}

func TestToolCallsAreCutAtTheLimit(t *testing.T) {
	t.Parallel()
	e := serve(t, nil)
	text := prompt.LabelSkillState + "{}\n" + prompt.LabelLatest + "Received item_7.\n" + prompt.LabelContract + "One call with state_patch and action.\n"
	request := model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, text)}}, Form: model.Envelope, Wire: model.Tool, Schema: []byte(`{"type":"object"}`)}
	c := client(t, e, nil)
	whole, err := c.Generate(t.Context(), request)
	if err != nil || len(whole.Calls) != 1 || whole.Finish != record.ToolCalls {
		t.Fatalf("%+v, %v", whole, err)
	}
	c = client(t, e, func(c *openai.Config) { c.MaxCompletionTokens = new(*whole.Usage.Completion - 2) })
	cut, err := c.Generate(t.Context(), request)
	if err != nil || len(cut.Calls) != 1 || cut.Finish != record.Length ||
		!strings.HasPrefix(whole.Calls[0].Arguments, cut.Calls[0].Arguments) || cut.Calls[0].Arguments == whole.Calls[0].Arguments {
		t.Errorf("%+v, %v", cut, err)
	}
}

func TestLongPromptsOverflow(t *testing.T) {
	t.Parallel()
	e := serve(t, func(o *simserver.Options) { o.Context = 60 })
	r, err := client(t, e, nil).Generate(t.Context(), ask(question+strings.Repeat("more and more. ", 40)))
	if err != nil || r.Finish != record.Overflow {
		t.Errorf("%+v, %v", r, err)
	}
	if l := e.Ledger(); l.Refused != 1 || l.Replies != 0 {
		t.Errorf("%+v", l)
	}
	r, err = client(t, e, func(c *openai.Config) { c.Model += "?verbosity=900" }).Generate(t.Context(), ask(question))
	if err != nil || r.Finish != record.Length || *r.Usage.Prompt+*r.Usage.Completion > 60 {
		t.Errorf("a reply beyond the context: %+v, %v", r, err)
	}
}

func post(t testing.TB, e endpoint, body string) (int, string) {
	t.Helper()
	resp, err := http.Post(e.url+"/v1/chat/completions", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() // only read from
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

func TestRequestsThatAreRefused(t *testing.T) {
	t.Parallel()
	e := serve(t, nil)
	const messages = `"messages":[{"role":"user","content":"x"}]`
	for body, want := range map[string]string{
		`{"model":"gpt-5",` + messages + `}`:                                                      "404 model",
		`{"model":"sim:perfect/repo",` + messages + `}`:                                           "404 model",
		`{"model":"perfect/warehouse",` + messages + `}`:                                          "404 model",
		`{"model":"sim:perfect",` + messages + `}`:                                                "404 model",
		`{"model":"sim:perfect/warehouse?strength=2",` + messages + `}`:                           "400 model",
		`{"model":"sim:perfect/warehouse?strength=NaN",` + messages + `}`:                         "400 model",
		`{"model":"sim:perfect/warehouse?verbosity=x",` + messages + `}`:                          "400 model",
		`{"model":"sim:perfect/warehouse?verbosity=1&verbosity=2",` + messages + `}`:              "400 model",
		`{"model":"sim:perfect/warehouse?colour=red",` + messages + `}`:                           "400 model",
		`{"model":"sim:perfect/warehouse?guess=often",` + messages + `}`:                          "400 model",
		`{"model":"sim:perfect/warehouse","messages":[]}`:                                         "400 messages",
		`{"model":"sim:perfect/warehouse","n":2,` + messages + `}`:                                "400 n",
		`{"model":"sim:perfect/warehouse","max_tokens":0,` + messages + `}`:                       "400 max_completion_tokens",
		`{"model":"sim:perfect/warehouse","tools":[{"function":{"name":"rm"}}],` + messages + `}`: "400 tools",
		`{"model":`: "400 ",
		``:          "400 ",
	} {
		status, text := post(t, e, body)
		var got struct {
			Error struct{ Message, Type, Param string }
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || got.Error.Message == "" || got.Error.Type != "invalid_request_error" {
			t.Errorf("%s: %s", body, text)
		}
		if g := fmt.Sprint(status, " ", got.Error.Param); g != want {
			t.Errorf("%s: got %s, want %s", body, g, want)
		}
	}
	if l := e.Ledger(); l.Calls != 16 || l.Refused != 16 {
		t.Errorf("%+v", l)
	}
}

func TestListsItsModels(t *testing.T) {
	t.Parallel()
	e := serve(t, func(o *simserver.Options) { o.Context = 4096 })
	for path, want := range map[string]string{
		"/v1/models": `"id":"sim:perfect/warehouse","object":"model"`,
		"/ledger":    `"calls":0`,
		"/v2/models": `"message":"want POST /v1/chat/completions, POST /v1/completions or GET /v1/models, got GET /v2/models"`,
	} {
		resp, err := http.Get(e.url + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), want) {
			t.Errorf("%s: %s", path, text)
		}
	}
	if n := len(e.Models()); n != len(sim.Mechanisms())-1 { // without keyword, which plays routing
		t.Errorf("%d models", n)
	}
}

func TestContentMayComeInParts(t *testing.T) {
	t.Parallel()
	e := serve(t, nil)
	parts, err := json.Marshal([]map[string]any{{"type": "text", "text": question[:50]}, {"type": "text", "text": question[50:]}})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, content := range []string{string(parts), string(whole)} {
		status, text := post(t, e, `{"model":"sim:perfect/warehouse","messages":[{"role":"system","content":null},{"role":"user","content":`+content+`}]}`)
		_, reply, ok := strings.Cut(text, `"choices"`)
		if status != http.StatusOK || !ok || !strings.Contains(reply, "Action: Store item_7 shelf_0") {
			t.Fatalf("%d %s", status, text)
		}
		texts = append(texts, reply)
	}
	if texts[0] != texts[1] {
		t.Errorf("%q", texts)
	}
}

// FuzzRequest holds the server to answering anything in JSON.
func FuzzRequest(f *testing.F) {
	s, err := simserver.New(simserver.Options{Languages: map[string]sim.Language{"warehouse": warehouse.Task().Language}, Clock: atOnce()})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`{"model":"sim:clumsy/warehouse","messages":[{"content":"x"}]}`)
	f.Add(`{"model":"sim:perfect/warehouse?restates=1","max_tokens":3,"messages":[{"content":[{"text":"## Latest Observation\n"}]}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v1/chat/completions", strings.NewReader(body)))
		if text := w.Body.String(); !json.Valid(w.Body.Bytes()) && !strings.HasSuffix(text, "data: [DONE]\n\n") {
			t.Errorf("%d %q", w.Code, text)
		}
	})
}
