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

// Filled is a library, filled up to n skills with ones that are never right at an
// after-sales desk; of other suites their authors have to see. One that has as many
// stays as it is. With poison the description of one of those
// lies (see filler.Poisoned), of one more where there is none; poisoned is its
// name.
func Filled(lib skills.Library, n int, poison bool) (filled skills.Library, poisoned string, err error) {
	if poison {
		n = max(n, len(lib.Skills)+1)
	}
	missing := n - len(lib.Skills)
	if missing <= 0 {
		return lib, "", nil
	}
	more := slices.DeleteFunc(filler.Filler(n, fillerSeed), func(one skills.Skill) bool {
		_, ours := lib.Find(one.Name)
		return ours
	})
	if len(more) < missing {
		return skills.Library{}, "", fmt.Errorf("skills: want at most %d with this suite, got %d", len(lib.Skills)+len(more), n)
	}
	if poison {
		more[0], poisoned = filler.Poisoned(more[0]), more[0].Name
	}
	filled, err = skills.New(lib.Name, append(slices.Clone(lib.Skills), more[:missing]...))
	return filled, poisoned, err
}

// A size is what a library is filled up by.
type size struct {
	skills int
	poison bool
}

// A padded is a library filled up, and the skill of it that is poisoned.
type padded struct {
	skills.Library
	poisoned string
}

// sized is the library of the source, filled up.
func (s *source) sized(by size) (padded, error) {
	if f, ok := s.filled.Load(by); ok {
		return f.(padded), nil
	}
	lib, poisoned, err := Filled(s.library, by.skills, by.poison)
	f := padded{lib, poisoned}
	if err == nil {
		s.filled.Store(by, f)
	}
	return f, err
}
