package report

import (
	"strings"
	"testing"
)

// Settings lose no quotes that tell something, in any format.
func TestSettingsKeepTheQuotesThatTell(t *testing.T) {
	t.Parallel()
	settings := `{"informer":"my-model {\"body\":{\"model\":\"x, y\"}}","order":["a","b"],"retry":2,"rules":null,"verbosity":{"":200}}`
	want := `informer my-model {"body":{"model":"x, y"}}; order [a, b]; retry 2; rules null; verbosity {"":200}`
	got := keys([]byte(settings))
	if got != want {
		t.Fatalf("want %s\n got %s", want, got)
	}
	table := &Table{Name: "t", Columns: columns("keys", "keys"), Rows: [][]Cell{{text(got)}}}
	d := Document{Blocks: []Block{table}}
	page, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	file, err := table.csv()
	if err != nil {
		t.Fatal(err)
	}
	for doc, want := range map[string]string{
		string(page): `my-model {&#34;body&#34;:{&#34;model&#34;:`, string(file): `my-model {""body"":{""model"":`, string(d.Markdown()): `my-model {"body":{"model":`,
	} {
		if !strings.Contains(doc, want) {
			t.Errorf("want %s in %s", want, doc)
		}
	}
}
