package report

import (
	"strings"
	"testing"

	"skillbench/metrics/stats"
)

// Rows that show the same stand once for readers, and each in the file.
func TestEqualRowsStandOnce(t *testing.T) {
	t.Parallel()
	table := &Table{Name: "t", Caption: "c", Shared: []string{"agent", "arm"}, Columns: columns("arm", "arm", "agent", "agent", "x", "x")}
	for _, arm := range []string{"a", "b", "c", "d"} {
		table.Rows = append(table.Rows, []Cell{text(arm), text("react"), number(stats.Of(float64(len(table.Rows))), 0)},
			[]Cell{text(arm), text("stateful"), number(stats.Of(float64(len(table.Rows))), 0)}, []Cell{text(arm), text("player"), number(stats.Of(7.001), 1)})
	}
	var b strings.Builder
	table.markdown(&b)
	page := b.String()
	for want, n := range map[string]int{"react, stateful": 4, "| every arm | player": 1, "player": 1} {
		if got := strings.Count(page, want); got != n {
			t.Errorf("%q: want %d times, got %d\n%s", want, n, got, page)
		}
	}
	file, err := table.csv()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(string(file), "\n"); got != 13 {
		t.Errorf("want 12 rows in the file, got\n%s", file)
	}
}

// What differs in one figure does not share a row, and few names are listed.
func TestRowsThatDifferStandApart(t *testing.T) {
	t.Parallel()
	rows := [][]Cell{{text("a"), whole(1)}, {text("b"), whole(1)}, {text("c"), whole(2)}, {text("d"), {}}}
	got := share(rows, 0, "every arm")
	if len(got) != 3 || got[0][0].Text != "a, b" || rows[0][0].Text != "a" {
		t.Errorf("got %v of %v", got, rows)
	}
}

// Long lists are said by what is not among them.
func TestNamesOfASharedRow(t *testing.T) {
	t.Parallel()
	every := strings.Split("abcdefg", "")
	for want, names := range map[string][]string{"every arm": every, "every arm but f and g": every[:5], "a, b, c": every[:3], "every arm but a": every[1:]} {
		if got := nameOf(names, every, "every arm"); got != want {
			t.Errorf("%v: want %q, got %q", names, want, got)
		}
	}
}

// A table that stands aside has its caption and notes on the page, and its rows in
// the file.
func TestTablesAside(t *testing.T) {
	t.Parallel()
	table := &Table{Name: "long", Caption: "A long one", Aside: true, Columns: columns("a", "a"), Rows: [][]Cell{{text("secret")}}, Notes: []string{"A note."}}
	d := Document{Title: "t", Blocks: []Block{table}}
	page, err := d.HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []string{string(page), string(d.Markdown())} {
		if strings.Contains(doc, "secret") || !strings.Contains(doc, "tables/long.csv") || !strings.Contains(doc, "A note.") {
			t.Errorf("got %s", doc)
		}
	}
	if file, err := table.csv(); err != nil || !strings.Contains(string(file), "secret") {
		t.Errorf("got %s, %v", file, err)
	}
}

// A doubt about most rows names some of them.
func TestDoubtsNameSomeRows(t *testing.T) {
	t.Parallel()
	table := &Table{}
	for i := range mostDoubted + 5 {
		table.doubt(string(rune('a'+i)), "wide")
	}
	if got, want := table.AllNotes()[0], "wide (a; b; c; d; e; f; g; h; i; j; k; l; and 5 more rows)"; got != want {
		t.Errorf("want %s, got %s", want, got)
	}
}
