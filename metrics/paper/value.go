package paper

import (
	"fmt"
	"strings"

	"gopkg.in/yaml.v3"
)

// Kind tells what a printed cell holds.
type Kind int

const (
	Absent Kind = iota // the paper prints no figure here
	Number
	Text
	Flag
)

// Value is one printed cell. Places is the number of decimals printed, which
// bounds what the figure behind it can be.
type Value struct {
	Kind   Kind
	Number float64
	Places int
	Text   string
	Flag   bool
}

// Row is the cells of one printed row.
type Row []Value

// UnmarshalYAML reads a sequence of scalars. It goes through the node because
// yaml.v3 drops a null from a slice of structs, which would shift the columns.
func (r *Row) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.SequenceNode {
		return fmt.Errorf("line %d: want a row of cells", node.Line)
	}
	*r = make(Row, len(node.Content))
	for i, cell := range node.Content {
		if err := (*r)[i].read(cell); err != nil {
			return err
		}
	}
	return nil
}

// read takes a scalar; null is Absent.
func (v *Value) read(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode {
		return fmt.Errorf("line %d: want one value per cell", node.Line)
	}
	switch node.Tag {
	case "!!null":
		*v = Value{}
		return nil
	case "!!int", "!!float":
		_, decimals, _ := strings.Cut(node.Value, ".")
		*v = Value{Kind: Number, Places: len(decimals)}
		return node.Decode(&v.Number)
	case "!!bool":
		*v = Value{Kind: Flag}
		return node.Decode(&v.Flag)
	}
	*v = Value{Kind: Text, Text: node.Value}
	return nil
}

// Grid is rows of cells under named columns.
type Grid struct {
	Columns []string `yaml:"columns"`
	Rows    []Row    `yaml:"rows"`
}

func (g Grid) check() error {
	if len(g.Columns) == 0 {
		return fmt.Errorf("want columns")
	}
	seen := map[string]bool{}
	for _, c := range g.Columns {
		if seen[c] {
			return fmt.Errorf("column %q comes twice", c)
		}
		seen[c] = true
	}
	for i, row := range g.Rows {
		if len(row) != len(g.Columns) {
			return fmt.Errorf("row %d: want %d cells, got %d", i+1, len(g.Columns), len(row))
		}
	}
	return nil
}

// Cell returns the cell of a row in the column named; it is Absent if there is
// no such column or figure.
func (g Grid) Cell(row int, column string) Value {
	if row < 0 || row >= len(g.Rows) {
		return Value{}
	}
	for i, c := range g.Columns {
		if c == column {
			return g.Rows[row][i]
		}
	}
	return Value{}
}

func (g Grid) has(column string) bool {
	for _, c := range g.Columns {
		if c == column {
			return true
		}
	}
	return false
}

// number returns the cell's number if it holds one.
func (g Grid) number(row int, column string) (float64, bool) {
	v := g.Cell(row, column)
	return v.Number, v.Kind == Number
}
