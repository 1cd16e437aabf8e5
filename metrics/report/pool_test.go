package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/harness/record"
)

func armOf(task, model string) *group {
	g := &group{condition: condition{task: task, model: model, world: record.Closed}, cells: []*cell{{skills: true}}}
	g.title, g.slug = task+", closed world, "+model, slug([]string{task, model})
	return g
}

// Arms of one model share their tables, with columns and notes of all; what only
// some say is left out.
func TestArmsShareTables(t *testing.T) {
	t.Parallel()
	past := armOf("depot", "m")
	past.cells[0].skills = false
	d := &data{groups: []*group{armOf("a", "m"), past, armOf("a", "n"), armOf("b", "m"), armOf("b", "n")}}
	if got := len(d.pools()); got != 3 {
		t.Fatalf("%d pools, want two models and one group alone", got)
	}
	blocks := d.each(func(g *group) []Block {
		one := &Table{Name: g.file("x"), Caption: "X" + g.in(), Columns: columns("agent", "agent", "sum", "sum"), Rows: [][]Cell{{text("react"), whole(1)}}, Notes: []string{"Common."}}
		if g.task == "b" {
			one.Aside = true
			one.Columns, one.Rows = columns("agent", "agent", "own", "own", "sum", "sum"), [][]Cell{{text("react"), whole(7), whole(2)}}
		}
		return []Block{one, Paragraph("Always."), Paragraph("About " + g.task + ".")}
	})
	var got []string
	for _, b := range blocks {
		switch b := b.(type) {
		case *Table:
			file, err := b.csv()
			if err != nil {
				t.Fatal(err)
			}
			if b.Aside {
				t.Errorf("%s is aside, though one arm's table is not", b.Name)
			}
			got = append(got, b.Name+" | "+b.Caption+" | "+strings.Join(b.Notes, " "), string(file))
		default:
			got = append(got, fmt.Sprint(b))
		}
	}
	both := "arm,agent,own,sum\na,react,,1\nb,react,7,2\n"
	want := []string{
		"{3 All arms, closed world, m}", "x_m | X: All arms, closed world, m | Common.", both, "Always.",
		"{3 depot, closed world, m}", "x_depot_m | X: depot, closed world, m | Common.", "agent,sum\nreact,1\n", "Always.", "About depot.",
		"{3 All arms, closed world, n}", "x_n | X: All arms, closed world, n | Common.", both, "Always.",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// Arms that are all done are one line of what ran; an open cell brings the arms back.
func TestArmsThatAreDoneAreOneLine(t *testing.T) {
	t.Parallel()
	for status, want := range map[record.Status]int{record.Done: 1, record.Interrupted: 2} {
		d := &data{groups: []*group{armOf("a", "m"), armOf("b", "m")}}
		for i, g := range d.groups {
			g.horizons = []int{3}
			c := g.cells[0]
			c.Cell = record.Cell{Task: g.task, Model: "m", World: record.Closed, Horizon: 3, ModelKind: record.Simulated}
			if c.Status = record.Done; i == 1 {
				c.Status = status
			}
			d.cells = append(d.cells, c)
		}
		if rows := whatRan(d)[1].(*Table).Rows; len(rows) != want || (want == 1) != (rows[0][0].Text == "All arms, closed world, m") {
			t.Errorf("%s: got %v", status, rows)
		}
	}
}

// Scores that are 1 everywhere are one sentence; one that is not brings the table
// back.
func TestFaultlessScoresAreOneSentence(t *testing.T) {
	t.Parallel()
	for score, aside := range map[int]bool{1: true, 0: false} {
		table := &Table{Columns: columns("arm", "arm", "agent", "agent", "score±", "score", "valid±", "valid"),
			Rows: [][]Cell{{text("a"), text("react"), whole(1), whole(1)}, {text("b"), text("hybrid"), whole(score), whole(1)}}}
		faultless([]Block{table})
		if table.Aside != aside || aside != strings.Contains(strings.Join(table.Notes, ""), "1.000 in every arm for react and hybrid") {
			t.Errorf("score %d: aside %v, %v", score, table.Aside, table.Notes)
		}
	}
}
