package report

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/metrics/stats"
)

// A Document is what a report says, apart from how it is written down. Every
// text in it is plain: writers escape it for their format.
type Document struct {
	Lead   string // what kind of model made the results; always the first line
	Title  string
	Blocks []Block
}

// A Block is a Heading, a Paragraph, a List, Links, a *Table or a *Figure.
type Block any

// A Heading begins a section; Level is 2 or 3.
type Heading struct {
	Level int
	Text  string
}

// A Paragraph is running text.
type Paragraph string

// A List is a list of short remarks.
type List []string

// A Figure is a picture in both formats. Name is its file name without suffix.
type Figure struct {
	Name, Caption string
	SVG, PNG      []byte
}

// A Table has rows of typed cells under its columns. Name is its file name
// without suffix.
type Table struct {
	Name, Caption string
	Columns       []Column
	Rows          [][]Cell
	Notes         []string
	Shared        []string // keys of columns of names: see Shown
	Aside         bool     // rows stand in its file only: the page has the rest

	doubts []doubt
}

// A doubt is a warning and the rows that it is about.
type doubt struct {
	warning string
	rows    []string
}

// doubt says what is doubtful about a row.
func (t *Table) doubt(row, warning string) {
	for i, d := range t.doubts {
		if d.warning == warning {
			if !slices.Contains(d.rows, row) {
				t.doubts[i].rows = append(d.rows, row)
			}
			return
		}
	}
	t.doubts = append(t.doubts, doubt{warning, []string{row}})
}

// mostDoubted is how many rows a doubt names.
const mostDoubted = 12

// AllNotes are the remarks below the table, doubts included.
func (t *Table) AllNotes() []string {
	out := slices.Clone(t.Notes)
	for _, d := range t.doubts {
		rows := d.rows
		if more := len(rows) - mostDoubted; more > 1 {
			rows = append(slices.Clone(rows[:mostDoubted]), fmt.Sprintf("and %d more rows", more))
		}
		out = append(out, d.warning+" ("+strings.Join(rows, "; ")+")")
	}
	return out
}

// A Column names the values below it: Key in files, Head for readers. Spread
// says that its cells carry a standard deviation, which files keep in a column
// of its own, named Key + "_sd".
type Column struct {
	Key, Head string
	Spread    bool
}

// A Cell is one value of a table: a text, or a number that may be absent.
type Cell struct {
	Text     string // shown where IsText
	IsText   bool
	Value    stats.Value
	SD       stats.Value // shown behind the value
	Decimals int         // shown; files keep six, or none for whole numbers
}

func text(s string) Cell { return Cell{Text: s, IsText: true} }

func whole(n int) Cell { return Cell{Value: stats.Of(float64(n))} }

// number is a value shown with so many decimals.
func number(v stats.Value, decimals int) Cell { return Cell{Value: v, Decimals: decimals} }

// spread is a mean with its standard deviation.
func spread(mean, sd stats.Value, decimals int) Cell {
	return Cell{Value: mean, SD: sd, Decimals: decimals}
}

// absent is the sign for a value that is not known or does not exist.
const absent = "–"

// shown is the cell as readers see it, thousands set apart by commas.
func (c Cell) shown() string {
	switch {
	case c.IsText:
		return c.Text
	case !c.Value.OK:
		return absent
	case c.SD.OK:
		return grouped(c.Value.Format(c.Decimals)) + " ± " + grouped(c.SD.Format(c.Decimals))
	}
	return grouped(c.Value.Format(c.Decimals))
}

// grouped sets thousands of a decimal number apart, from five digits on.
func grouped(s string) string {
	end := len(s)
	for i := range len(s) {
		if s[i] == '.' {
			end = i
			break
		}
	}
	begin := 0
	if begin < end && s[0] == '-' {
		begin = 1
	}
	if end-begin < 5 {
		return s
	}
	out := s[:begin]
	for i := begin; i < end; i++ {
		if i > begin && (end-i)%3 == 0 {
			out += ","
		}
		out += s[i : i+1]
	}
	return out + s[end:]
}

// columns makes columns from pairs of key and head; a key that ends in "±"
// carries a spread.
func columns(pairs ...string) []Column {
	var list []Column
	for i := 0; i+1 < len(pairs); i += 2 {
		c := Column{Key: pairs[i], Head: pairs[i+1]}
		if n := len(c.Key) - len("±"); n > 0 && c.Key[n:] == "±" {
			c.Key, c.Spread = c.Key[:n], true
		}
		list = append(list, c)
	}
	return list
}
