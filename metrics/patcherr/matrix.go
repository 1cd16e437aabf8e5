package patcherr

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"skillbench/metrics/stats"
)

// A Matrix counts attempts by what a simulated model says it did wrong and by
// what was found. In a closed world only attempts before the first wrong Σ or action
// are counted: later a fault of the past shows through, of which the label does
// not know.
type Matrix struct {
	Counts map[string]map[string]int // by label, then by primary class
}

// Labelled reports whether any counted attempt has a label.
func (m Matrix) Labelled() bool {
	for label := range m.Counts {
		if label != None {
			return true
		}
	}
	return false
}

// Confusion is the matrix of all attempts of state strategies.
func Confusion(episodes []Episode) Matrix {
	m := Matrix{Counts: map[string]map[string]int{}}
	for _, e := range episodes {
		for _, a := range e.Attempts {
			if !a.Judged || !a.True {
				continue
			}
			label := a.Injected
			if label == "" {
				label = None
			}
			if m.Counts[label] == nil {
				m.Counts[label] = map[string]int{}
			}
			m.Counts[label][a.Primary(First)]++
		}
	}
	return m
}

// Cases counts the attempts with a label.
func (m Matrix) Cases(label string) int {
	n := 0
	for _, k := range m.Counts[label] {
		n += k
	}
	return n
}

// Found counts the attempts in which a class was found.
func (m Matrix) Found(class string) int {
	n := 0
	for _, row := range m.Counts {
		n += row[class]
	}
	return n
}

// Recall is the share of a label's attempts that were found to be so.
func (m Matrix) Recall(class string) stats.Proportion {
	return stats.Wilson(m.Counts[class][class], m.Cases(class), 0)
}

// Precision is the share of the attempts found to be so that have the label.
func (m Matrix) Precision(class string) stats.Proportion {
	return stats.Wilson(m.Counts[class][class], m.Found(class), 0)
}

// String is the matrix as a table for people: a row for each label, its classes
// found most often first.
func (m Matrix) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "injected\tcases\trecall\tprecision\tfound as")
	for _, class := range append(Classes(), None) {
		if m.Cases(class) == 0 && m.Found(class) == 0 {
			continue
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\n", class, m.Cases(class), ratio(m.Recall(class)), ratio(m.Precision(class)), m.row(class))
	}
	_ = w.Flush() // a strings.Builder takes every write
	return b.String()
}

func ratio(p stats.Proportion) string {
	if !p.Share.OK {
		return "–"
	}
	return p.Share.Format(4)
}

func (m Matrix) row(label string) string {
	row := m.Counts[label]
	classes := slices.SortedFunc(maps.Keys(row), func(a, b string) int { return cmp.Or(row[b]-row[a], strings.Compare(a, b)) })
	parts := make([]string, len(classes))
	for i, class := range classes {
		parts[i] = fmt.Sprintf("%s %d", class, row[class])
	}
	return strings.Join(parts, ", ")
}
