package report

import (
	"strings"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
)

// unread is a cell whose journal cannot be read: it has no result, and why is
// said. Paths are relative to the folder of the run, so that a copy of it has
// the same report.
func unread(c record.Cell, dir string, err error) *cell {
	why := strings.ReplaceAll(err.Error(), strings.TrimSuffix(dir, "/")+"/", "")
	return &cell{
		Row:   metrics.Unread(c),
		end:   &journal.End{Status: metrics.Unreadable, Why: why},
		spent: map[record.Purpose]spent{}, failed: map[string]failed{}, violations: map[string]int{},
		served: map[string]bool{}, parts: map[prompt.Kind]int{},
	}
}

// Damaged lists the cells whose journal cannot be read, and why.
func (r *Report) Damaged() []harness.Failure { return r.damaged }

func damaged(cells []*cell) (list []harness.Failure) {
	for _, c := range cells {
		if c.Status == metrics.Unreadable {
			list = append(list, harness.Failure{Cell: c.Cell, Why: c.end.Why})
		}
	}
	return list
}
