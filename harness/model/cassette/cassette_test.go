package cassette

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

type answer func(model.Request) (record.Reply, error)

func (f answer) Generate(_ context.Context, r model.Request) (record.Reply, error) { return f(r) }

func echo(r model.Request) (record.Reply, error) {
	return record.Reply{Text: fmt.Sprintf("%s %d %d %d: %d <&>", r.Cell, r.Step, r.Attempt, r.Repeat, len(r.Prompt.Text())), Finish: record.Stop,
		Usage: &record.Usage{Prompt: new(0)}, Failed: []record.Failure{{Class: model.Timeout}}, Notes: map[string]string{"a": "b"}}, nil
}

var decoding = []byte(`{"model":"m","temperature":0}`)

func recorder(t *testing.T, path string, m model.Model) *Recorder {
	t.Helper()
	r, err := Record(m, path, decoding)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

func player(t *testing.T, path string, decoding []byte) *Player {
	t.Helper()
	p, err := Replay(path, decoding)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	return p
}

func step(cell string, step int, text string) model.Request {
	return model.Request{
		Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, "Keep the\nwarehouse.\n")}, {prompt.Of(prompt.Observation, step, text)}},
		Form:   model.Envelope, Wire: model.Fenced, Schema: []byte(`{}`), Cell: cell, Agent: "skillstate", Purpose: record.ForStep, Step: step,
	}
}

func generate(t *testing.T, m model.Model, r model.Request) record.Reply {
	t.Helper()
	reply, err := m.Generate(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

func TestReplayGivesWhatWasRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	var asked []model.Request
	var want []record.Reply
	for i := range 20 {
		req := step(fmt.Sprint("cell", i%3), i/3, fmt.Sprintf("Event %d\n", i))
		req.Attempt, req.Repeat = i%2, i%5
		if i%7 == 0 {
			req.Purpose = record.ForSummary
		}
		asked = append(asked, req)
		want = append(want, generate(t, r, req))
	}
	p := player(t, path, decoding)
	for i := len(asked) - 1; i >= 0; i-- { // in any order, and more than once
		for range 2 {
			if d := cmp.Diff(want[i].Clean(), generate(t, p, asked[i])); d != "" {
				t.Error(d)
			}
		}
	}
}

func TestEveryPartOfARequestIsInItsKey(t *testing.T) {
	t.Parallel()
	seen := map[sum]string{}
	add := func(name, decoding string, f func(*model.Request)) {
		req := step("c", 1, "x")
		f(&req)
		settings, err := settingsOf([]byte(decoding), req)
		if err != nil {
			t.Fatal(err)
		}
		key := keyOf(settings, promptSum(req.Prompt), req)
		if other, ok := seen[key]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[key] = name
	}
	add("nothing", "{}", func(*model.Request) {})
	add("decoding", "[]", func(*model.Request) {})
	add("form", "{}", func(r *model.Request) { r.Form = model.Prose })
	add("wire", "{}", func(r *model.Request) { r.Wire = model.Tool })
	add("schema", "{}", func(r *model.Request) { r.Schema = []byte("[]") })
	add("prompt", "{}", func(r *model.Request) { r.Prompt = r.Prompt[:1] })
	add("cell", "{}", func(r *model.Request) { r.Cell = "cstep" })
	add("purpose", "{}", func(r *model.Request) { r.Purpose = record.ForRetry })
	add("cell and purpose", "{}", func(r *model.Request) { r.Cell, r.Purpose = "cs", "tep" })
	add("step", "{}", func(r *model.Request) { r.Step = 2 })
	add("attempt", "{}", func(r *model.Request) { r.Attempt = 2 })
	add("repeat", "{}", func(r *model.Request) { r.Repeat = 2 })
}

func TestErrorsAreReplayed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	var next error
	r := recorder(t, path, answer(func(model.Request) (record.Reply, error) { return record.Reply{}, next }))
	kept := &model.Error{Class: model.Transient, Status: 503, Message: "down", Failed: []record.Failure{{Class: model.Unavailable, Status: 503}}}
	for i, err := range []error{kept, &model.Error{Class: model.Canceled}, &model.Error{Class: "limit:calls"}, errors.New("other")} {
		next = err
		if _, got := r.Generate(t.Context(), step("c", i, "x")); got != err {
			t.Errorf("the recorder changed %v to %v", err, got)
		}
	}
	if n := len(lines(t, path)); n != 1 {
		t.Errorf("%d lines, want the transient failure only", n)
	}
	_, err := player(t, path, decoding).Generate(t.Context(), step("c", 0, "x"))
	if d := cmp.Diff(kept, err); d != "" {
		t.Error(d)
	}
}

func TestResumedRecording(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	first := generate(t, r, step("c", 0, "one"))
	generate(t, r, step("c", 1, "two"))
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	data, _ := os.ReadFile(path)
	if err := os.WriteFile(path, data[:len(data)-9], 0o644); err != nil { // a crash tore the last line
		t.Fatal(err)
	}
	if _, err := player(t, path, decoding).Generate(t.Context(), step("c", 1, "two")); err == nil {
		t.Error("a torn line was replayed")
	}
	r = recorder(t, path, answer(func(req model.Request) (record.Reply, error) {
		return record.Reply{Text: "second session", Finish: record.Stop}, nil
	}))
	if now, _ := os.ReadFile(path); strings.Count(string(now), "\n") != 1 || !strings.HasSuffix(string(now), "\n") {
		t.Errorf("the torn line is still there: %q", now)
	}
	generate(t, r, step("c", 1, "two"))
	generate(t, r, step("c", 2, "three"))
	p := player(t, path, decoding)
	if got := generate(t, p, step("c", 0, "one")); got.Text != first.Text {
		t.Errorf("step 0: %q", got.Text)
	}
	for s, text := range map[int]string{1: "two", 2: "three"} {
		if got := generate(t, p, step("c", s, text)); got.Text != "second session" {
			t.Errorf("step %d: %q", s, got.Text)
		}
	}
	if _, err := p.Generate(t.Context(), step("c", 2, "thref")); err == nil || !strings.Contains(err.Error(), `3:5, after "thre": recorded "e", asked "f"`) {
		t.Errorf("prompts of the second session cannot be rebuilt: %v", err)
	}
}

func TestTheLastRecordingCounts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	n := 0
	r := recorder(t, path, answer(func(model.Request) (record.Reply, error) {
		n++
		return record.Reply{Text: fmt.Sprint(n)}, nil
	}))
	generate(t, r, step("c", 0, "x"))
	generate(t, r, step("c", 0, "x"))
	if got := generate(t, player(t, path, decoding), step("c", 0, "x")); got.Text != "2" {
		t.Errorf("reply %q, want the second", got.Text)
	}
}

func TestMissesShowTheDifference(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	for i := range 4 {
		generate(t, r, step("cell-a", i, fmt.Sprintf("Event %d: item_%d arrived at döck.\n", i, i)))
		generate(t, r, step("cell-b", i, fmt.Sprintf("Event %d: customer ordered item_%d.\n", i, i)))
	}
	retry := step("cell-a", 2, "Event 2: item_2 arrived at dock X\x1b[2J"+strings.Repeat("y", 100))
	retry.Attempt = 1
	generate(t, r, retry)
	change := func(r model.Request, f func(*model.Request)) model.Request { f(&r); return r }
	a2 := step("cell-a", 2, "Event 2: item_2 arrived at döck.\n")
	for _, tc := range []struct {
		name     string
		req      model.Request
		decoding string
		want     string
	}{
		{"prompt", step("cell-a", 2, "Event 2: item_2 arrived at däck.\n"), string(decoding),
			`nearest is line 5, cell cell-a, step 2, step, attempt 0, repeat 0; prompts differ at 3:29, after "m_2 arrived at d": recorded "öck.\n", asked "äck.\n"`},
		{"attempt", step("cell-a", 2, "Event 2: item_2 arrived at dock Z"), string(decoding),
			`nearest is line 9, cell cell-a, step 2, step, attempt 1, repeat 0; prompts differ at 3:33, after "arrived at dock ": recorded "X\x1b[2J` + strings.Repeat("y", 43) + `"…, asked "Z"`},
		{"shorter", step("cell-a", 2, "Event 2: item_2 arrived at dö"), string(decoding), `prompts differ at 3:30, after "_2 arrived at dö": recorded "ck.\n", asked the end`},
		{"no such step", step("cell-a", 9, "Event 3: customer ordered item_4.\n"), string(decoding),
			`nearest is line 8, cell cell-b, step 3, step, attempt 0, repeat 0; prompts differ at 3:32, after "er ordered item_": recorded "3.\n", asked "4.\n"`},
		{"no such cell", step("cell-z", 1, "Event 1: item_1 arrived at dock"), string(decoding), `nearest is line 3, cell cell-a, step 1, step, attempt 0, repeat 0; prompts differ at 3:29, after "m_1 arrived at d": recorded "öck.\n", asked "ock"`},
		{"repeat", change(a2, func(r *model.Request) { r.Repeat = 3 }), string(decoding), "nearest is line 5, cell cell-a, step 2, step, attempt 0, repeat 0; prompts and settings are the same"},
		{"temperature", a2, `{"model":"m","temperature":0.7}`, `the prompts are the same, the settings differ at 1:41, after ",\"temperature\":0": recorded "},\"form\"`},
		{"wire", change(a2, func(r *model.Request) { r.Wire = model.Tool }), string(decoding), `the settings differ at 1:69, after "velope\",\"wire\":\"": recorded "fenced`},
		{"schema", change(a2, func(r *model.Request) { r.Schema = []byte("[]") }), string(decoding), `the settings differ at`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := player(t, path, []byte(tc.decoding)).Generate(t.Context(), tc.req)
			e, ok := errors.AsType[*model.Error](err)
			if !ok || e.Class != model.Replay || !strings.Contains(e.Message, tc.want) {
				t.Fatalf("got %v\nwant %s", err, tc.want)
			}
			if strings.ContainsAny(e.Message, "\n\x1b") || len(e.Message) > 700 || !strings.HasPrefix(e.Message, path+": nothing recorded for cell cell-") {
				t.Errorf("message %q", e.Message)
			}
		})
	}
}

func TestEmptyCassette(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	recorder(t, path, answer(echo))
	if _, err := player(t, path, decoding).Generate(t.Context(), step("c", 0, "x")); err == nil || !strings.HasSuffix(err.Error(), "the recording is empty") {
		t.Errorf("%v", err)
	}
}

// react shows its whole history at each step. The file must grow with what
// was said, not with the sum of the prompts.
func TestSizeIsLinear(t *testing.T) {
	t.Parallel()
	size := func(steps int) (file, said, sent int64) {
		path := filepath.Join(t.TempDir(), "c.jsonl")
		r := recorder(t, path, answer(func(r model.Request) (record.Reply, error) {
			return record.Reply{Text: fmt.Sprintf("step %d %s\n", r.Step, strings.Repeat("r", 300)), Finish: record.Stop}, nil
		}))
		history := []prompt.Segment{prompt.Label(prompt.History, prompt.LabelHistory)}
		for i := range steps {
			o := fmt.Sprintf("event %d %s\n", i, strings.Repeat("o", 300))
			req := step("react", i, o)
			req.Prompt = prompt.Prompt{req.Prompt[0], history, req.Prompt[1]}
			reply := generate(t, r, req)
			history = append(history, prompt.Of(prompt.History, i, o), prompt.Of(prompt.History, i, reply.Text))
			said += int64(len(o) + len(reply.Text))
			sent += int64(len(req.Prompt.Text()))
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		p := player(t, path, decoding)
		req := step("react", steps-1, fmt.Sprintf("event %d %s\n", steps-1, strings.Repeat("o", 299)+"X"))
		req.Prompt = prompt.Prompt{req.Prompt[0], history[:len(history)-2], req.Prompt[1]}
		if _, err := p.Generate(t.Context(), req); err == nil || !strings.Contains(err.Error(), `recorded "o\n", asked "X\n"`) {
			t.Errorf("the prompt of the last step cannot be rebuilt: %v", err)
		}
		return info.Size(), said, sent
	}
	file, said, sent := size(200)
	half, _, _ := size(100)
	t.Logf("200 steps: said %d bytes, sent %d, file %d; 100 steps: file %d", said, sent, file, half)
	if file > 4*said || float64(file) > 2.1*float64(half) {
		t.Errorf("200 steps take %d bytes, 100 steps %d; %d were said", file, half, said)
	}
}

func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	generate(t, r, step("c", 0, "one"))
	generate(t, r, step("c", 1, "two"))
	good := lines(t, path)
	for name, tc := range map[string]struct{ second, want string }{
		"no JSON":       {"hello", ":2: want one recorded exchange, got invalid character"},
		"empty":         {"", ":2: want one recorded exchange, got EOF"},
		"version":       {`{"v":2}`, ":2: want version 1 of the format, got 2"},
		"no version":    {`{}`, ":2: want version 1 of the format, got 0"},
		"unknown key":   {strings.Replace(good[1], `{"v":1`, `{"v":1,"api_key":"x"`, 1), `:2: want one recorded exchange, got json: unknown field "api_key"`},
		"two":           {good[1] + good[1], ":2: want one exchange a line, got more"},
		"key":           {strings.Replace(good[1], `"key":"`, `"key":"z`, 1), ":2: key: want 64 hexadecimal digits"},
		"no reply":      {strings.Replace(good[1], `"reply":{`, `"reply":null,"error":null}{`, 1), ":2: want"},
		"settings":      {strings.Replace(good[1], `"settings":0`, `"settings":99`, 1), ":2: settings: want a text below 4, got 99"},
		"text":          {strings.Replace(good[1], `["observation",3,1]`, `["observation",-3,1]`, 1), ":2: splice: want texts below 4, got -3"},
		"splice's kind": {strings.Replace(good[1], `["observation",3,1]`, `7`, 1), ":2: want one recorded exchange"},
	} {
		t.Run(name, func(t *testing.T) {
			bad := filepath.Join(t.TempDir(), "bad.jsonl")
			if tc.second == good[1] {
				t.Fatal("nothing was damaged")
			}
			if err := os.WriteFile(bad, []byte(good[0]+"\n"+tc.second+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := Replay(bad, decoding)
			if err == nil || !strings.HasPrefix(err.Error(), bad+tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("replay: %v, want %s", err, tc.want)
			}
			if _, err := Record(answer(echo), bad, decoding); err == nil {
				t.Error("a damaged file was added to")
			}
		})
	}
	if _, err := Replay(filepath.Join(t.TempDir(), "none"), decoding); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Record(answer(echo), path, []byte("{")); err == nil {
		t.Error("settings that are no JSON were taken")
	}
}

func TestSpliceThatFitsNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	generate(t, r, step("c", 0, "one"))
	generate(t, r, step("c", 1, "two"))
	text := strings.Replace(strings.Join(lines(t, path), "\n")+"\n", `{"keep":1}`, `{"keep":900}`, 1)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := player(t, path, decoding).Generate(t.Context(), step("c", 1, "three"))
	if err == nil || !strings.Contains(err.Error(), ":2: section 0: want to keep") {
		t.Errorf("%v", err)
	}
}

// Any sequence of prompts, in any cells, is found again and rebuilt.
func TestAnyPromptsAreRebuilt(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n))
		r, err := Record(answer(echo), path, decoding)
		if err != nil {
			rt.Fatal(err)
		}
		segment := rapid.Custom(func(t *rapid.T) prompt.Segment {
			return prompt.Of(prompt.History, rapid.IntRange(-1, 2).Draw(t, "step"), rapid.StringMatching(`[abé\n]{0,3}`).Draw(t, "text"))
		})
		section := rapid.SliceOfN(segment, 0, 4)
		var asked []model.Request
		for i := range rapid.IntRange(1, 8).Draw(rt, "calls") {
			req := model.Request{Cell: rapid.SampledFrom([]string{"a", "b"}).Draw(rt, "cell"), Step: i, Purpose: record.ForStep,
				Prompt: rapid.SliceOfN(section, 0, 3).Draw(rt, "prompt")}
			asked = append(asked, req)
			if _, err := r.Generate(context.Background(), req); err != nil {
				rt.Fatal(err)
			}
		}
		if err := r.Close(); err != nil {
			rt.Fatal(err)
		}
		p, err := Replay(path, decoding)
		if err != nil {
			rt.Fatal(err)
		}
		defer p.Close()
		for _, req := range asked {
			if _, err := p.Generate(context.Background(), req); err != nil {
				rt.Fatal(err)
			}
			near, err := p.nearest(req, req.Prompt.Text())
			if err != nil || near.text != req.Prompt.Text() {
				rt.Fatalf("rebuilt %+v (%v), want %q", near, err, req.Prompt.Text())
			}
		}
	})
}

func TestManyWorkers(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "c.jsonl")
	r := recorder(t, path, answer(echo))
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				_, _ = r.Generate(context.Background(), step(fmt.Sprint("cell", w), i, fmt.Sprintf("event %d of %d\n", i, w)))
			}
		})
	}
	wg.Wait()
	p := player(t, path, decoding)
	for w := range 8 {
		wg.Go(func() {
			for i := range 20 {
				if _, err := p.Generate(context.Background(), step(fmt.Sprint("cell", w), i, fmt.Sprintf("event %d of %d\n", i, w))); err != nil {
					t.Error(err)
				}
				_, _ = p.Generate(context.Background(), step(fmt.Sprint("cell", w), i, "miss"))
			}
		})
	}
	wg.Wait()
}
