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
// All stands for the names where a row has those of the whole table, of more than
// three.
func share(rows [][]Cell, at int, all string) [][]Cell {
	var out [][]Cell
	var names [][]string
	distinct := map[string]bool{}
	for _, row := range rows {
		name := row[at].Text
		distinct[name] = true
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
		row[at] = text(strings.Join(names[i], ", "))
		if len(names[i]) == len(distinct) && len(distinct) > 3 {
			row[at] = text(all)
		}
	}
	return out
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
