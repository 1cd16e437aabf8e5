package routing

import (
	"fmt"
	"slices"

	"skillbench/tasks/skills"
	"skillbench/tasks/skills/filler"
)

// fillerSeed fixes which skills a library is filled up with, so that catalogues
// of one size hold the same ones in every session.
const fillerSeed = 1

// sized is the library, filled up with skills that are never right where n is
// more than it has.
func (s *source) sized(n int) (skills.Library, error) {
	missing := n - len(s.library.Skills)
	if missing <= 0 {
		return s.library, nil
	}
	if lib, ok := s.filled.Load(n); ok {
		return lib.(skills.Library), nil
	}
	more := slices.DeleteFunc(filler.Filler(n, fillerSeed), func(one skills.Skill) bool {
		_, ours := s.library.Find(one.Name)
		return ours
	})
	if len(more) < missing {
		return skills.Library{}, fmt.Errorf("skills: want at most %d with this suite, got %d", len(s.library.Skills)+len(more), n)
	}
	lib, err := skills.New(s.library.Name, append(slices.Clone(s.library.Skills), more[:missing]...))
	if err == nil {
		s.filled.Store(n, lib)
	}
	return lib, err
}
