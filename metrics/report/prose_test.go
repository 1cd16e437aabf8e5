package report

import (
	"strings"
	"testing"

	"skillbench/harness/journal"
)

func TestWordsOfTheManifest(t *testing.T) {
	t.Parallel()
	agents := []journal.Definition{
		{Name: "react", Keys: []byte(`{"retry": 2, "repair": "strict"}`)},
		{Name: "a", Keys: []byte(`{"merge": "deep", "told": true, "validate": true, "commit": "before_action", "render": "compact", "wire": "fenced", "retry": 2, "repair": "strict"}`)},
		{Name: "b", Keys: []byte(`{"merge": "shallow", "commit": "after_accept", "render": "indent2", "retry": 0, "repair": "lenient"}`)},
		{Name: "player", Keys: []byte(`{"retry": 0}`)},
		{Name: "broken", Keys: []byte(`[`)},
	}
	models := []journal.Definition{
		{Name: "big", Base: "real", Keys: []byte(`{"body": {"model": "m", "temperature": 0, "top_p": 1, "reasoning_effort": "low"}, "layout": "system_user"}`)},
		{Name: "sim:perfect", Base: "simulated", Keys: []byte(`{"sim": "perfect"}`)},
	}
	got := strings.Join(append(append(retryWords(agents), stateWords(agents)...), decodingWords(models)...), " ")
	for _, want := range []string{
		"react and a 2 (strict reading of replies); b 0 (lenient reading of replies); player 0.",
		"a (deep merge, told to the model; refused where the result breaks the schema; committed before action; shown compact, sent as fenced)",
		"b (shallow merge, not told to the model; not checked against the schema; committed after accept; shown indent2)",
		"big: reasoning_effort low, temperature 0, top_p 1, prompt as system and user message.",
		"Simulated models decode nothing and draw what is random from the seed and the prompt: sim:perfect.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("want %q in\n%s", want, got)
		}
	}
	d := Document{Blocks: []Block{Paragraph("before"), Heading{2, "Method"}, &Table{}, Paragraph("how & why")}}
	if got := d.methodParagraph(); got != "how & why" {
		t.Errorf("got %q", got)
	}
	if got := (Document{Blocks: []Block{Paragraph("before")}}).methodParagraph(); got != "" {
		t.Errorf("without a method: got %q", got)
	}
}
