package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// oddities is what the published tables say about themselves, for the tables
// that the experiment names.
func oddities(d *data) []Block {
	if len(d.manifest.Paper) == 0 {
		return nil
	}
	t := &Table{Name: "published_arithmetic", Caption: "What the published tables say about themselves",
		Columns: columns("check", "check", "table", "table", "n", "rows", "low", "least", "low_at", "at", "high", "greatest", "high_at", "at", "unit", "unit")}
	var order []string
	found := map[string][]paper.Finding{}
	for _, f := range paper.Audit() {
		if !d.concerns(f) {
			continue
		}
		key := f.ID + "\x00" + f.Table
		if found[key] == nil {
			order = append(order, key)
		}
		found[key] = append(found[key], f)
	}
	var impossible List
	for _, key := range order {
		list := found[key]
		if list[0].ID == "impossible_spread" {
			for _, f := range list {
				impossible = append(impossible, fmt.Sprintf("%s, %s, T=%d: %s.", f.Table, f.Runtime, f.Horizon, f.What))
			}
			continue
		}
		by := func(a, b paper.Finding) int { return cmp.Compare(a.Value, b.Value) }
		low, high := slices.MinFunc(list, by), slices.MaxFunc(list, by)
		t.Rows = append(t.Rows, []Cell{text(low.What), text(low.Table), whole(len(list)), number(stats.Of(low.Value), places(low.Value)), text(where(low)),
			number(stats.Of(high.Value), places(high.Value)), text(where(high)), text(low.Unit)})
	}
	out := []Block{Paragraph("Arithmetic on what is printed, not a judgement of the method. Where a total divided by T × prompt is far below 1, the prompt column cannot be tokens; growth per turn of one strategy in one environment should be about one number."), t}
	if len(impossible) > 0 {
		out = append(out, Paragraph("Pairs of mean and standard deviation that the stated number of seeds cannot give, so the count of events or of runs must be another one:"), impossible)
	}
	return out
}

// concerns reports whether a finding is about a table that the experiment
// names.
func (d *data) concerns(f paper.Finding) bool {
	for _, name := range d.manifest.Paper {
		if f.Table == name || f.Table == "" || slices.Contains(strings.Fields(f.What), name) {
			return true
		}
	}
	return false
}

func where(f paper.Finding) string {
	switch {
	case f.From > 0:
		return fmt.Sprintf("%s, T %d → %d", f.Runtime, f.From, f.Horizon)
	case f.Runtime != "":
		return fmt.Sprintf("%s, T=%d", f.Runtime, f.Horizon)
	}
	return ""
}

// places shows three digits or so.
func places(v float64) int {
	switch a := math.Abs(v); {
	case a == 0 || a >= 100:
		return 0
	case a >= 10:
		return 1
	case a >= 0.1:
		return 2
	}
	return 4
}
