package skills

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Limits of a library and of one definition.
const (
	MaxSkills = 1000
	MaxText   = 1024 // code points of a summary, a trigger, a topic, …
	MaxParams = 16
	MaxList   = 50 // entries of any other list of a definition
)

// A Library is a set of skills that fit together: every name in them is one of
// theirs, every pattern, expression and hour can be read. It is not changed once
// made and safe for concurrent use.
type Library struct {
	Name   string
	Skills []Skill // by name

	byName    map[string]int
	contracts map[string]*Contract
	files     map[string]file // none of a library that was not loaded
}

// New makes a library of skills, in any order. The slice is not kept. The error
// joins a line for every fault: skill, key, what was found, what is wanted.
func New(name string, list []Skill) (Library, error) {
	return build(name, list, nil)
}

// build is New with the places of the definitions, for the faults.
func build(name string, list []Skill, files map[string]file) (Library, error) {
	l := Library{
		Name:   name,
		Skills: slices.Clone(list),
		byName: map[string]int{}, contracts: map[string]*Contract{}, files: files,
	}
	slices.SortStableFunc(l.Skills, func(a, b Skill) int { return cmp.Compare(a.Name, b.Name) })
	for i, s := range l.Skills {
		l.byName[s.Name] = i
	}
	if faults := l.faults(); len(faults) > 0 {
		return Library{}, errors.Join(faults...)
	}
	return l, nil
}

// faults checks everything, and prepares contracts and negatives on the way.
func (l Library) faults() []error {
	var faults []error
	if n := len(l.Skills); n == 0 || n > MaxSkills {
		return []error{fmt.Errorf("%s: want 1 to %d skills, found %d", l.Name, MaxSkills, n)}
	}
	for i := range l.Skills {
		s := &l.Skills[i]
		s.NotWhen = slices.Clone(s.NotWhen)
		found := s.check()
		if i > 0 && l.Skills[i-1].Name == s.Name {
			found = append(found, fmt.Errorf("name: want each skill once, found %q twice", s.Name))
		}
		found = append(found, l.links(*s)...)
		if len(found) == 0 {
			c, err := newContract(*s)
			if err != nil {
				found = []error{err} // begins with params
			}
			l.contracts[s.Name] = c
		}
		for _, err := range found {
			faults = append(faults, l.place(s.Name, err))
		}
	}
	return faults
}

// place puts file and line before a fault whose text begins with a dotted key;
// where there is no file, the name of the skill.
func (l Library) place(skill string, err error) error {
	if f, ok := l.files[skill]; ok {
		return f.node.At(err)
	}
	return fmt.Errorf("skill %s: %w", line(skill), err)
}

// links checks the names of other skills in a definition.
func (l Library) links(s Skill) []error {
	var faults []error
	for i, name := range s.Requires {
		if _, ok := l.byName[name]; !ok || name == s.Name {
			faults = append(faults, fmt.Errorf("requires.%d: want another skill of the library, got %q", i, name))
		}
	}
	for i, n := range s.NotWhen {
		if _, ok := l.byName[n.Use]; n.Use != "" && (!ok || n.Use == s.Name) {
			faults = append(faults, fmt.Errorf("not_when.%d.use: want another skill of the library, got %q", i, n.Use))
		}
	}
	return faults
}

// Find returns the skill of a name.
func (l Library) Find(name string) (Skill, bool) {
	i, ok := l.byName[name]
	if !ok {
		return Skill{}, false
	}
	return l.Skills[i], true
}

// Names lists the skills by name.
func (l Library) Names() []string {
	names := make([]string, len(l.Skills))
	for i, s := range l.Skills {
		names[i] = s.Name
	}
	return names
}

// Groups lists the names of groups that have a skill, in alphabetical order;
// "" is the group of skills without one.
func (l Library) Groups() []string {
	groups := map[string]bool{}
	for _, s := range l.Skills {
		groups[s.Group] = true
	}
	return slices.Sorted(maps.Keys(groups))
}

// Contract returns the contract of a skill of the library, nil for other names.
func (l Library) Contract(name string) *Contract { return l.contracts[name] }
