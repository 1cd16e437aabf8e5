package paper

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEmbeddedDataParse(t *testing.T) {
	t.Parallel()
	if got := len(Tables()); got != 11 {
		t.Errorf("want 11 tables, got %d", got)
	}
	if got := len(Replications()); got != 6 {
		t.Errorf("want 6 replications, got %d", got)
	}
	m := About()
	if m.Seeds != 5 || m.Decoding.TopP != 1 || m.Headline.StatefulOverSkillstate != 16.2 {
		t.Errorf("got %+v", m)
	}
	if got := ErrorTaxonomy().Shares["json_syntax"]; got != 0.12 {
		t.Errorf("share of syntax errors: want 0.12, got %v", got)
	}
	table := Tables()["table5"]
	if table.Name != "table5" || table.Task != "warehouse" || table.Horizon != 100 || table.Budget != 1800 {
		t.Errorf("got %+v", table)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		table   string
		horizon int
		runtime string
		column  string
		want    Figure
	}{
		{"table1", 100, "stateful", "tokens", Figure{1062387, 53839, true}},
		{"table1", 10, "memory", "score", Figure{1, 0, true}},
		{"table6", 50, "react", "prompt", Figure{23136, 911, true}},
		{"table7", 10, "react", "score", Figure{0.90, 0.031, true}},
		{"table5", 100, "truncated", "score", Figure{Value: 0.18}},
		{"table11", 25, "llmlingua", "score", Figure{Value: 0.60}},
		{"table9", 50, "react", "score", Figure{Value: 0.76}},
		{"table4", 0, "skillstate", "airline_tokens", Figure{Value: 2880000}},
	} {
		got, ok := Lookup(tc.table, tc.horizon, tc.runtime, tc.column)
		if !ok || got != tc.want {
			t.Errorf("%+v: got %+v, %v", tc, got, ok)
		}
	}
}

func TestLookupOfWhatIsNotPublished(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		table   string
		horizon int
		runtime string
		column  string
	}{
		{"table8", 200, "react", "score"},
		{"table1", 11, "react", "score"},
		{"table1", 10, "hybrid", "score"},
		{"table1", 10, "react", "runtime"},
		{"table1", 10, "react", "money"},
		{"table2", 50, "react", "score"}, // never without noise
		{"table5", 50, "react", "score"},
		{"table10", 0, "react", "score"}, // steps of recovery, not scores
		{"table11", 10, "horizon", "score"},
		{"table11", 10, "react", "tokens"},
		{"table99", 10, "react", "score"},
		{"", 0, "", ""},
	} {
		if got, ok := Lookup(tc.table, tc.horizon, tc.runtime, tc.column); ok || got != (Figure{}) {
			t.Errorf("%+v: got %+v, %v", tc, got, ok)
		}
	}
}

func TestLookupNoise(t *testing.T) {
	t.Parallel()
	if got, ok := LookupNoise("table9", 50, "react"); !ok || got.Value != 0.11 {
		t.Errorf("got %+v, %v", got, ok)
	}
	for _, table := range []string{"table2", "table1", "nowhere"} {
		if got, ok := LookupNoise(table, 0, "react"); ok {
			t.Errorf("%s: got %+v", table, got)
		}
	}
}

func TestNullIsAbsentAndKeepsItsColumn(t *testing.T) {
	t.Parallel()
	table := Tables()["table3"]
	want := Row{
		{Kind: Text, Text: "canceled_order"}, {Kind: Flag}, {}, {}, {Kind: Flag}, {},
	}
	if diff := cmp.Diff(want, table.Rows[3]); diff != "" {
		t.Error(diff)
	}
	if got := Tables()["table10"].Cell(0, "skillstate"); got.Kind != Number || got.Number != 0 {
		t.Errorf("a printed 0 is a figure: got %+v", got)
	}
}

func TestPlacesAreThoseWritten(t *testing.T) {
	t.Parallel()
	for column, want := range map[string]int{"score": 2, "score_sd": 3, "tokens": 0} {
		if got := Tables()["table7"].Cell(0, column).Places; got != want {
			t.Errorf("%s: want %d places, got %d", column, want, got)
		}
	}
	if got := Tables()["table1"].Cell(0, "score"); got.Number != 0.9 || got.Places != 2 {
		t.Errorf("0.90 has two places, got %+v", got)
	}
}

func TestReplicationCells(t *testing.T) {
	t.Parallel()
	r := Replications()[0]
	if r.By != "JaviMaligno/delayed-relevance" || r.RunsPerCell != 15 {
		t.Errorf("got %+v", r)
	}
	if got := r.Cell(4, "memory").Number; got != 0.812 {
		t.Errorf("want 0.812, got %v", got)
	}
	for _, absent := range []Value{r.Cell(0, "stateful"), r.Cell(-1, "react"), r.Cell(99, "react")} {
		if absent.Kind != Absent {
			t.Errorf("got %+v", absent)
		}
	}
	if got := Replications()[5].Cell(1, "react_seed7"); got.Kind != Flag || !got.Flag {
		t.Errorf("got %+v", got)
	}
}

func TestMalformedDataAreErrors(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ data, want string }{
		"ragged":         {"table1: {columns: [a, b], rows: [[1]]}", "table1: row 1: want 2 cells, got 1"},
		"column twice":   {"table1: {columns: [a, a], rows: []}", `column "a" comes twice`},
		"no columns":     {"table1: {rows: []}", "want columns"},
		"unknown field":  {"table1: {colums: [a]}", "colums"},
		"nested cell":    {"table1: {columns: [a], rows: [[[1]]]}", "want one value per cell"},
		"row not a list": {"table1: {columns: [a], rows: [7]}", "want a row of cells"},
	} {
		if _, err := parseTables([]byte(tc.data)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want an error with %q, got %v", name, tc.want, err)
		}
	}
	if _, err := parseReplications([]byte("[{by: x, columns: [a], rows: [[]]}]")); err == nil {
		t.Error("replication with a ragged row: want an error")
	}
}
