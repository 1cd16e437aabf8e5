package report

import (
	"slices"
	"strings"
)

// every stands for all values that a column has.
const every = "every "

// Shown are the rows as readers see them: those that are equal but for a column of
// Shared stand once, with the values of that column in one list. Files keep every
// row.
func (t *Table) Shown() [][]Cell {
	rows := t.Rows
	for _, key := range t.Shared {
		if at := t.column(key); at >= 0 {
			rows = share(rows, at, every+t.Columns[at].Head)
		}
	}
	return rows
}

// share joins rows that are equal but for one column, in the place of the first.
// All stands for the names of the whole table.
func share(rows [][]Cell, at int, all string) [][]Cell {
	var out [][]Cell
	var names [][]string
	var distinct []string
	for _, row := range rows {
		name := row[at].Text
		if !slices.Contains(distinct, name) {
			distinct = append(distinct, name)
		}
		i := slices.IndexFunc(out, func(o []Cell) bool { return alikeBut(o, row, at) })
		if i < 0 {
			i = len(out)
			out, names = append(out, slices.Clone(row)), append(names, nil)
		}
		if !slices.Contains(names[i], name) {
			names[i] = append(names[i], name)
		}
	}
	for i, row := range out {
		row[at] = text(nameOf(names[i], distinct, all))
	}
	return out
}

// nameOf lists names, or says which of all are not among them where that is shorter.
func nameOf(names, distinct []string, all string) string {
	others := slices.DeleteFunc(slices.Clone(distinct), func(name string) bool { return slices.Contains(names, name) })
	switch {
	case len(names) > 3 && len(others) == 0:
		return all
	case len(names) > 4 && len(others) < 4:
		return all + " but " + listed(others)
	}
	return strings.Join(names, ", ")
}

// alikeBut reports whether two rows show the same but for one column.
func alikeBut(a, b []Cell, at int) bool {
	for i := range a {
		if i != at && a[i].shown() != b[i].shown() {
			return false
		}
	}
	return len(a) == len(b)
}
