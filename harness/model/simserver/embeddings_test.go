package simserver_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/model"
	"skillbench/harness/model/openai"
	"skillbench/harness/model/sim"
	"skillbench/harness/model/simserver"
)

// letters counts a and b.
type letters struct{}

func (letters) Name() string { return "letters" }

func (letters) Embed(text string) []float64 {
	return []float64{float64(strings.Count(text, "a")), float64(strings.Count(text, "b"))}
}

func embedding(o *simserver.Options) { o.Embedder = letters{} }

func TestEmbeddingsOverTheWire(t *testing.T) {
	t.Parallel()
	e := serve(t, embedding)
	c := client(t, e, func(c *openai.Config) { c.Model = "letters" })
	got, err := c.Embed(t.Context(), []string{"abba <&>", "a 船"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]float32{{2, 2}, {1, 0}}, got.Vectors); d != "" {
		t.Error(d)
	}
	if got.Served != "letters "+sim.Served || got.Usage == nil || *got.Usage.Prompt < 4 {
		t.Errorf("%+v", got)
	}
}

func TestEmbeddingsAreSpoiltByTheScript(t *testing.T) {
	t.Parallel()
	for fault, class := range map[string]string{
		"status": model.Unavailable, "html": model.NotJSON, "cut, after: 50": model.CutBody, "trailing": model.Trailing, "no_choices": model.NoChoices, "reset": model.Connection,
	} {
		e := serve(t, func(o *simserver.Options) { embedding(o); script(t, "rules: [{at: [1], fault: "+fault+"}]")(o) })
		c := client(t, e, func(c *openai.Config) { c.Model, c.Retries = "letters", new(1) })
		got, err := c.Embed(t.Context(), []string{"a"})
		if err != nil || len(got.Failed) != 1 || got.Failed[0].Class != class {
			t.Errorf("%s: %+v, %v", fault, got, err)
		}
	}
}

func TestTextsThatAreNotEmbedded(t *testing.T) {
	t.Parallel()
	e := serve(t, func(o *simserver.Options) { embedding(o); o.Context = 5 })
	for body, want := range map[string]string{
		`{"model":"letters","input":"a"}`:                                       "want a list of texts",
		`{"model":"letters","input":[]}`:                                        "want at least one text",
		`{"model":"sim:perfect/warehouse","input":["a"]}`:                       "does not exist, the one of vectors is letters",
		`{"model":"letters","input":["a","one two three four five six seven"]}`: "context_length_exceeded",
	} {
		response, err := http.Post(e.url+"/v1/embeddings", "application/json", strings.NewReader(body))
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
