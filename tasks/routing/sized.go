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

// Filled is a library, filled up to n skills with ones that are never right. One
// that has as many stays as it is.
func Filled(lib skills.Library, n int) (skills.Library, error) {
	missing := n - len(lib.Skills)
	if missing <= 0 {
		return lib, nil
	}
	more := slices.DeleteFunc(filler.Filler(n, fillerSeed), func(one skills.Skill) bool {
		_, ours := lib.Find(one.Name)
		return ours
	})
	if len(more) < missing {
		return skills.Library{}, fmt.Errorf("skills: want at most %d with this suite, got %d", len(lib.Skills)+len(more), n)
	}
	return skills.New(lib.Name, append(slices.Clone(lib.Skills), more[:missing]...))
}

// sized is the library of the source, filled up.
func (s *source) sized(n int) (skills.Library, error) {
	if lib, ok := s.filled.Load(n); ok {
		return lib.(skills.Library), nil
	}
	lib, err := Filled(s.library, n)
	if err == nil {
		s.filled.Store(n, lib)
	}
	return lib, err
}
