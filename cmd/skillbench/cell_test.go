package main

import (
	"strings"
	"testing"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// TestFindCell: a part that ends in a digit is no part of a longer number, and
// what tells several cells apart is said.
func TestFindCell(t *testing.T) {
	t.Parallel()
	m := journal.Manifest{Cells: []record.Cell{
		{ID: "shop-react-T10-s1-aa", Model: "a"},
		{ID: "shop-react-T10-s10-bb", Model: "a"},
		{ID: "shop-react-T10-s12-cc", Model: "a"},
		{ID: "shop-react-T10-s12-dd", Model: "b"},
		{ID: "shop-state-T10-s3-ee", Repeat: 0},
		{ID: "shop-state-T10-s3-ff", Repeat: 1},
		{ID: "s2-react-T1-s25-ab"},
	}}
	for _, c := range []struct{ part, want string }{
		{"react-T10-s1", "shop-react-T10-s1-aa"},
		{"react-T10-s1-", "shop-react-T10-s1-aa"},
		{"shop-react-T10-s10-bb", "shop-react-T10-s10-bb"},
		{"bb", "shop-react-T10-s10-bb"},
		{"s2", "s2-react-T1-s25-ab"},   // once whole, once not, in one name
		{"T1-s", "s2-react-T1-s25-ab"}, // ends in no digit
		{"s25-a", "s2-react-T1-s25-ab"},
		{"state-T1", "2 cells have \"state-T1\" in their names, shop-state-T10-s3-ee and shop-state-T10-s3-ff among them; they differ in repeat, 0 and 1: give the hash at the end, which cells.csv has"},
		{"T10-s12", "2 cells have \"T10-s12\" in their names, shop-react-T10-s12-cc and shop-react-T10-s12-dd among them; they differ in model, a and b: give the hash at the end, which cells.csv has"},
		{"react-T10", "4 cells have \"react-T10\" in their names, shop-react-T10-s1-aa and shop-react-T10-s10-bb among them; names are task-agent-T<horizon>-s<seed>-<hash>: give more of it"},
		{"s4", "no cell has \"s4\" in its name; see cells.csv"},
	} {
		got, err := findCell(m, c.part)
		said := got.ID
		if err != nil {
			said = err.Error()
		}
		if said != c.want || strings.Contains(said, "\n") {
			t.Errorf("%q: got %s, want %s", c.part, said, c.want)
		}
	}
}

// TestNumbered: one thing is no plural.
func TestNumbered(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 cells", 1: "1 cell", 2: "2 cells"} {
		if got := numbered(n, "cell"); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
