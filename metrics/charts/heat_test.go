package charts

import (
	"strings"
	"testing"
)

func matrix() Heat {
	return Heat{Title: "Wanted and decided", X: "decided", Y: "wanted", Rows: []string{"order-status", "return-label", "(decline)"},
		Columns: []string{"order-status", "return-label", "(decline)", "(nothing)"}, Counts: [][]int{{123, 0, 0, 4}, {7, 11, 2, 0}, {0, 0, 0, 0}}}
}

func TestHeatSaysWhatItCounts(t *testing.T) {
	t.Parallel()
	svg, err := matrix().Render("svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">123<", ">11<", ">order-status 1<", ">(decline) 3<", ">4<", ">wanted<", ">50 %<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("want %s in the picture", want)
		}
	}
}

func TestHeatRefusesWhatItCannotShow(t *testing.T) {
	t.Parallel()
	for want, h := range map[string]Heat{
		"40 rows and columns at most":       {Rows: make([]string, 41), Counts: make([][]int, 41)},
		"2 rows but 1 rows of counts":       {Rows: []string{"a", "b"}, Counts: [][]int{{}}},
		`row "a": want 1 counts, got 2`:     {Rows: []string{"a"}, Columns: []string{"a"}, Counts: [][]int{{1, 2}}},
		`row "a": count -1 cannot be shown`: {Rows: []string{"a"}, Columns: []string{"a"}, Counts: [][]int{{-1}}},
	} {
		if _, err := h.Render("svg"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
