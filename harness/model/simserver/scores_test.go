package simserver_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/model/openai"
	"skillbench/harness/model/sim"
	"skillbench/harness/model/simserver"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

func judged(before, text string) model.Request {
	return model.Request{Prompt: prompt.Prompt{{prompt.Label(prompt.Instructions, before)}, {prompt.Label(prompt.History, text)}}, Form: model.Scores, Purpose: record.ForScores}
}

func TestScoresAreTheSameOverTheWire(t *testing.T) {
	t.Parallel()
	e := serve(t, nil)
	for _, text := range []string{"Store item_1 shelf_0.\nStore item_2 shelf_1.\n", "é 船 ’s <b>&\n", "x"} {
		r := judged("Store what arrives.\n", text)
		reply, err := client(t, e, nil).Generate(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if want := ngrams.Judge(r.Prompt).String(); reply.Text != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, reply.Text, want)
		}
		if !strings.HasSuffix(reply.Served, " "+sim.Served) || *reply.Usage.Prompt == 0 || *reply.Usage.Completion != 0 {
			t.Errorf("%+v", reply)
		}
	}
	if l := e.Ledger(); l.Calls != 3 || l.Replies != 3 {
		t.Errorf("%+v", l)
	}
}

func TestScoresAreSpoiltByTheScript(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"status":                           model.Unavailable,
		"error":                            model.ErrorBody,
		"no_choices":                       model.NoChoices,
		"html":                             model.NotJSON,
		"trailing":                         model.Trailing,
		"cut, after: 100":                  model.CutBody,
		"short, after: 100":                model.CutBody,
		"reset":                            model.Connection,
		"reply, reply: {text: \"I wait\"}": "returns no log-probabilities",
	} {
		e := serve(t, script(t, "rules: [{at: [1], fault: "+fault+"}]"))
		reply, err := client(t, e, func(c *openai.Config) { c.Retries = new(1) }).Generate(t.Context(), judged("a ", "b\n"))
		failed, ok := errors.AsType[*model.Error](err)
		switch {
		case ok && strings.Contains(failed.Message, want):
		case ok || len(reply.Failed) != 1 || reply.Failed[0].Class != want:
			t.Errorf("%s: %+v, %v", fault, reply, err)
		}
	}
}

func TestTextsThatAreNotScored(t *testing.T) {
	t.Parallel()
	e := serve(t, func(o *simserver.Options) { o.Context = 5 })
	for body, want := range map[string]string{
		`{"model":"sim:perfect/warehouse","prompt":"a b"}`:                                                        "want echo and logprobs",
		`{"model":"sim:perfect/warehouse","prompt":"a b","echo":true}`:                                            "want echo and logprobs",
		`{"model":"sim:perfect/warehouse","prompt":"a b","echo":true,"logprobs":1,"stream":true}`:                 "want no stream",
		`{"model":"sim:perfect/warehouse","prompt":["a b"],"echo":true,"logprobs":1}`:                             "not a request for a completion",
		`{"model":"sim:perfect/warehouse","echo":true,"logprobs":1}`:                                              "want one text",
		`{"model":"gpt","prompt":"a b","echo":true,"logprobs":1}`:                                                 "does not exist",
		`{"model":"sim:perfect/warehouse","prompt":"one two three four five six seven","echo":true,"logprobs":1}`: "context_length_exceeded",
	} {
		response, err := http.Post(e.url+"/v1/completions", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(response.Body)
		if err := errors.Join(err, response.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if response.StatusCode < 400 || !strings.Contains(string(got), want) {
			t.Errorf("%s: %d %s, want %s", body, response.StatusCode, got, want)
		}
	}
}
