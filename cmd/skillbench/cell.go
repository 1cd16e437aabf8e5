package main

import (
	"fmt"
	"strconv"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// findCell finds a cell by its ID or by a part that only one ID has. A number at
// the end of a part is taken for a whole one first: s1 is not s10.
func findCell(m journal.Manifest, part string) (record.Cell, error) {
	var whole, all []record.Cell
	for _, c := range m.Cells {
		if c.ID == part {
			return c, nil
		}
		if strings.Contains(c.ID, part) {
			all = append(all, c)
		}
		if endsWhole(c.ID, part) {
			whole = append(whole, c)
		}
	}
	found := whole
	if len(found) == 0 {
		found = all
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return record.Cell{}, fmt.Errorf("no cell has %q in its name; see cells.csv", part)
	}
	return record.Cell{}, fmt.Errorf("%d cells have %q in their names, %s and %s among them; %s", len(found), part, found[0].ID, found[1].ID, apart(found[0], found[1]))
}

// endsWhole reports whether a name has a part after which no number goes on.
func endsWhole(name, part string) bool {
	for at := 0; ; {
		i := strings.Index(name[at:], part)
		if i < 0 {
			return false
		}
		at += i
		rest := name[at+len(part):]
		if part == "" || rest == "" || !digit(part[len(part)-1]) || !digit(rest[0]) {
			return true
		}
		at++
	}
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

// apart says what part of a name would tell two cells apart.
func apart(a, b record.Cell) string {
	name := func(c record.Cell) string { return c.ID[:strings.LastIndexByte(c.ID, '-')+1] }
	if name(a) != name(b) {
		return "names are task-agent-T<horizon>-s<seed>-<hash>: give more of it"
	}
	for _, d := range []struct{ what, a, b string }{
		{"model", a.Model, b.Model},
		{"world", string(a.World), string(b.World)},
		{"drift", orNone(a.Drift), orNone(b.Drift)},
		{"noise", strconv.Itoa(a.Noise), strconv.Itoa(b.Noise)},
		{"repeat", strconv.Itoa(a.Repeat), strconv.Itoa(b.Repeat)},
	} {
		if d.a != d.b {
			return fmt.Sprintf("they differ in %s, %s and %s: give the hash at the end, which cells.csv has", d.what, d.a, d.b)
		}
	}
	return "give the hash at the end, which cells.csv has"
}
