package journal

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"

	"skillbench/harness/record"
)

// A Shard says that a run directory holds one part of a plan, so that several
// machines can share it. Which cells are its own follows from their IDs, which
// follow from their content: the split does not change as a plan grows.
type Shard struct {
	Index int           `json:"index"` // from 0
	Of    int           `json:"of"`
	Plan  []record.Cell `json:"plan"` // all cells, in the order in which results show them
}

// ParseShard reads "i/n", i from 0 to n-1.
func ParseShard(text string) (Shard, error) {
	var s Shard
	var rest string
	n, _ := fmt.Sscanf(text+" end", "%d/%d %s", &s.Index, &s.Of, &rest)
	if n != 3 || rest != "end" || s.Of < 1 || s.Of > 100_000 || s.Index < 0 || s.Index >= s.Of {
		return s, fmt.Errorf("want i/n with i from 0 to n-1, such as 0/8, got %q", text)
	}
	return s, nil
}

// Holds reports whether a cell belongs to this part.
func (s Shard) Holds(cell string) bool {
	sum := sha256.Sum256([]byte(cell))
	return binary.BigEndian.Uint64(sum[:])%uint64(s.Of) == uint64(s.Index)
}

// Take returns the cells of this part.
func (s Shard) Take(cells []record.Cell) []record.Cell {
	var own []record.Cell
	for _, c := range cells {
		if s.Holds(c.ID) {
			own = append(own, c)
		}
	}
	return own
}

// name of the part, "" for a whole run.
func (s *Shard) name() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Of)
}

// join returns the part with the cells of an earlier plan kept.
func (s *Shard) join(old *Shard) *Shard {
	if s == nil || old == nil {
		return s
	}
	return &Shard{s.Index, s.Of, joinCells(old.Plan, s.Plan)}
}

// whole is the manifest of the run that a part belongs to.
func (m Manifest) whole() Manifest {
	if m.Shard != nil {
		m.Cells, m.Shard = m.Shard.Plan, nil
	}
	return m
}

// partName says which part of which run a folder is, for messages.
func partName(dir string, m Manifest) string {
	return strings.TrimSpace(dir + " " + m.Shard.name())
}
