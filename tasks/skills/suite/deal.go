package suite

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
)

// All stands for both splits.
const All = "all"

// Deal returns the dialogues of one session: seed s of horizon T plays those of
// places (s-1)·T to s·T-1 of the split in its one order, so that the seeds 1, 2, …
// play each dialogue once; what is left over at the end, too few for a session, is
// not played. The order goes by the hash of the ids: it does not
// follow the file, and cases that are added later leave the others in order.
func (s Suite) Deal(split string, seed uint64, horizon int) ([]Case, error) {
	order := s.Order(split)
	if seed < 1 || horizon < 1 {
		return nil, fmt.Errorf("%s: want seeds and horizons from 1, got seed %d of horizon %d", s.Name, seed, horizon)
	}
	if horizon > len(order) {
		return nil, fmt.Errorf("%s has %d dialogues of split %s: want a horizon of at most %d, got %d", s.Name, len(order), split, len(order), horizon)
	}
	if sessions := len(order) / horizon; seed > uint64(sessions) {
		return nil, fmt.Errorf("%s has %d dialogues of split %s: at horizon %d want seeds 1 to %d, got %d", s.Name, len(order), split, horizon, sessions, seed)
	}
	first := (int(seed) - 1) * horizon
	return order[first : first+horizon], nil
}

// Sorted is the suite with its cases in the order in which they are dealt, for many
// sessions to be dealt without sorting each time.
func (s Suite) Sorted() Suite {
	s.Cases, s.sorted = s.Order(All), true
	return s
}

// Order lists the cases of a split as they are dealt.
func (s Suite) Order(split string) []Case {
	if s.sorted {
		return slices.DeleteFunc(slices.Clone(s.Cases), func(c Case) bool { return split != All && c.Split != split })
	}
	type dealt struct {
		hash [sha256.Size]byte
		Case
	}
	var cards []dealt
	for _, c := range s.Cases {
		if split == All || c.Split == split {
			cards = append(cards, dealt{sha256.Sum256([]byte(c.ID)), c})
		}
	}
	slices.SortFunc(cards, func(a, b dealt) int {
		return cmp.Or(slices.Compare(a.hash[:], b.hash[:]), cmp.Compare(a.ID, b.ID))
	})
	cases := make([]Case, len(cards))
	for i, c := range cards {
		cases[i] = c.Case
	}
	return cases
}
