package report

import (
	"slices"
	"strings"
)

// A pool is the groups whose tables are one: arms of tasks of skills, under the same
// conditions and of the same model. All other groups are alone in theirs.
func (d *data) pools() [][]*group {
	var out [][]*group
	at := map[condition]int{}
	for _, g := range d.groups {
		key := g.condition
		key.task = ""
		i, known := at[key]
		if !g.ofSkills() || !known {
			if i = len(out); g.ofSkills() {
				at[key] = i
			}
			out = append(out, nil)
		}
		out[i] = append(out[i], g)
	}
	return out
}

// poolOf is the pool that holds g.
func (d *data) poolOf(g *group) []*group {
	pools := d.pools()
	return pools[slices.IndexFunc(pools, func(p []*group) bool { return slices.Contains(p, g) })]
}

// allArms stands for the task where several arms are meant.
const allArms = "All arms"

// poolTitle is the title of the first group without its task.
func poolTitle(pool []*group) string {
	if len(pool) == 1 {
		return pool[0].title
	}
	return allArms + strings.TrimPrefix(pool[0].title, plain(pool[0].task))
}

// poolSlug is what the file names of a pool end in: that of its first group without
// the task.
func poolSlug(pool []*group) string {
	return strings.TrimPrefix(pool[0].slug, slug([]string{pool[0].task}))
}

// pooled makes the blocks of a pool: tables of the same name are one, with the arm
// in front, and aside where each is. A paragraph stays where every group says it, and pictures stay.
func pooled(pool []*group, alone bool, from func(*group) []Block) []Block {
	if len(pool) == 1 {
		return from(pool[0])
	}
	var out []Block
	tables, said := map[string]*Table{}, map[Paragraph]int{}
	in, end := "", poolSlug(pool)
	if !alone {
		in = ": " + poolTitle(pool)
	}
	for _, g := range pool {
		for _, b := range from(g) {
			switch b := b.(type) {
			case *Table:
				name := strings.TrimSuffix(b.Name, "_"+g.slug)
				if tables[name] == nil {
					tables[name] = &Table{Name: name + end, Caption: strings.TrimSuffix(b.Caption, g.in()) + in, Columns: columns("arm", "arm"), Shared: []string{"agent", "arm"}, Aside: true}
					out = append(out, tables[name])
				}
				tables[name].join(b, plain(g.task))
			case Paragraph:
				if said[b]++; said[b] == len(pool) {
					out = append(out, b)
				}
			default:
				out = append(out, b)
			}
		}
	}
	return slices.DeleteFunc(out, func(b Block) bool { t, is := b.(*Table); return is && len(t.Rows) == 0 })
}

// join takes the rows of another table under an arm, and the columns and notes that
// t has not yet.
func (t *Table) join(o *Table, arm string) {
	t.Aside = t.Aside && (o.Aside || len(o.Rows) == 0)
	at := 0
	for _, c := range o.Columns {
		at++
		if known := t.column(c.Key); known >= 0 {
			at = known
		} else {
			t.widen(at, c)
		}
	}
	for _, row := range o.Rows {
		line := make([]Cell, len(t.Columns))
		line[0] = text(arm)
		for i, c := range row {
			line[t.column(o.Columns[i].Key)] = c
		}
		t.Rows = append(t.Rows, line)
	}
	for _, note := range o.Notes {
		if !slices.Contains(t.Notes, note) {
			t.Notes = append(t.Notes, note)
		}
	}
	for _, d := range o.doubts {
		for _, row := range d.rows {
			t.doubt(arm+" "+row, d.warning)
		}
	}
}

// column is the place of a column, or -1.
func (t *Table) column(key string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Key == key })
}

// widen puts an empty column at a place.
func (t *Table) widen(at int, c Column) {
	t.Columns = slices.Insert(t.Columns, at, c)
	for i := range t.Rows {
		t.Rows[i] = slices.Insert(t.Rows[i], at, Cell{})
	}
}
