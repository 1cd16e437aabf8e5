package routing

import (
	"cmp"
	"fmt"
	"slices"

	"skillbench/harness/record"
)

// A Key is what the cells of one group have in common. Seeds and repeats are
// together; simulated and real models are two kinds and never meet.
type Key struct {
	Task    string       `json:"task"` // label
	Agent   string       `json:"agent"`
	Model   string       `json:"model"` // "" for players
	Kind    string       `json:"kind"`  // simulated, real, none
	World   record.World `json:"world"`
	Horizon int          `json:"horizon"`
	Noise   int          `json:"noise"`
	Drift   string       `json:"drift"`
	Split   string       `json:"split"`
}

// String names the group for people.
func (k Key) String() string {
	s := k.Task + ", " + k.Agent
	if k.Model != "" {
		s += ", " + k.Model
	}
	s += fmt.Sprintf(", split %s, T=%d", k.Split, k.Horizon)
	if k.World != record.Closed && k.World != "" {
		s += fmt.Sprintf(", %s world", k.World)
	}
	if k.Noise > 0 {
		s += fmt.Sprintf(", noise %d", k.Noise)
	}
	if k.Drift != "" {
		s += ", drift " + k.Drift
	}
	return s
}

func (k Key) compare(o Key) int {
	return cmp.Or(cmp.Compare(k.Task, o.Task), cmp.Compare(k.Agent, o.Agent), cmp.Compare(k.Model, o.Model), cmp.Compare(k.Kind, o.Kind),
		cmp.Compare(k.World, o.World), k.Horizon-o.Horizon, k.Noise-o.Noise, cmp.Compare(k.Drift, o.Drift), cmp.Compare(k.Split, o.Split))
}

func keyOf(c record.Cell, split string) Key {
	return Key{Task: c.Task, Agent: c.Agent, Model: c.Model, World: c.World, Horizon: c.Horizon, Noise: c.Noise, Drift: c.Drift, Split: split}
}

// A Book holds the tallies of a run by group. The order in which cells come does
// not matter.
type Book struct {
	tallies map[Key]*tally
	cells   map[Key]Cells // by key without a split
	unseen  map[Key]*tally
}

// Cells counts those of a group with a result and those without.
type Cells struct {
	Results int `json:"results"`
	Missing int `json:"missing"`
}

// NewBook returns an empty book.
func NewBook() *Book {
	return &Book{tallies: map[Key]*tally{}, cells: map[Key]Cells{}, unseen: map[Key]*tally{}}
}

// Add takes a cell that was followed to its end; a cell that has not begun, or
// cannot be read, has no follower.
func (b *Book) Add(c record.Cell, f *Follower) {
	whole := keyOf(c, "")
	n := b.cells[whole]
	if f == nil || !f.final {
		n.Missing++
		b.cells[whole] = n
		return
	}
	n.Results++
	b.cells[whole] = n
	for split, t := range f.splits {
		b.tally(keyOf(c, split)).add(t)
	}
	if len(f.splits) == 0 {
		b.notSeen(c)
	}
}

func (b *Book) tally(k Key) *tally {
	if b.tallies[k] == nil {
		b.tallies[k] = newTally()
	}
	return b.tallies[k]
}

// notSeen keeps the dialogues of a cell that ended before the first of them.
func (b *Book) notSeen(c record.Cell) {
	k := keyOf(c, "")
	if b.unseen[k] == nil {
		b.unseen[k] = newTally()
	}
	n := &b.unseen[k].lot(fmt.Sprintf("seed %d", c.Seed), notReached).counts
	n[dialogues], n[lost], n[messages] = n[dialogues]+c.Horizon, n[lost]+c.Horizon, n[messages]+c.Horizon
}

// groups returns the tallies by key, in order, with the kinds of their models.
// Dialogues that were not seen join the one split that others of their group saw.
func (b *Book) groups(kinds map[string]string) (keys []Key, tallies map[Key]*tally) {
	splits := map[Key][]Key{}
	for k := range b.tallies {
		whole := k
		whole.Split = ""
		splits[whole] = append(splits[whole], k)
	}
	tallies = map[Key]*tally{}
	for whole, list := range splits {
		unseen := b.unseen[whole]
		for _, k := range list {
			own := newTally()
			own.add(b.tallies[k])
			if unseen != nil && len(list) == 1 {
				own.add(unseen)
			}
			k.Kind = kindOf(k.Model, kinds)
			tallies[k] = own
			keys = append(keys, k)
		}
		if unseen != nil && len(list) > 1 {
			k := whole
			k.Split, k.Kind = notReached, kindOf(k.Model, kinds)
			tallies[k] = unseen
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, Key.compare)
	return keys, tallies
}

func kindOf(model string, kinds map[string]string) string {
	if model == "" {
		return record.NoModel
	}
	return kinds[model]
}
