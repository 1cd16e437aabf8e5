package routing

import (
	"fmt"
	"strings"

	"skillbench/tasks/skills"
)

// layers are those of a description that an ablation can leave out, beside the
// parameters, without which nothing can be called.
func layers() []string {
	var names []string
	for _, l := range skills.Layers() {
		if l != skills.ParamsLayer {
			names = append(names, string(l))
		}
	}
	return names
}

// describer shows skills with the layers of the options.
func (s *session) describer(list []skills.Skill) skills.Catalogue {
	c := skills.Catalogue{Skills: list}
	if len(s.options.Layers) > 0 {
		c.Layers = []skills.Layer{skills.ParamsLayer}
		for _, l := range s.options.Layers {
			c.Layers = append(c.Layers, skills.Layer(l))
		}
	}
	return c
}

// Catalogue is the text of the arm: a line that says what follows, and the
// entries.
func (s *session) Catalogue() string {
	c := s.describer(s.shown)
	n := len(s.shown)
	switch s.options.Arm {
	case BareTools:
		return fmt.Sprintf("%d skills.\n", n) + c.Bare()
	case LazyCatalogue:
		return fmt.Sprintf("%d skills in short. "+loadOffer+" shows the definition of one; it decides nothing.\n", n) + c.Summaries()
	case GroupThenPick:
		return fmt.Sprintf("The groups of %d skills. "+openOffer+" shows the definitions of one group; it decides nothing.\n", n) + c.Groups()
	case RecallK:
		return fmt.Sprintf("%d skills. Each message comes with the definitions of those most like it; others may be called by name.\n", n)
	}
	return fmt.Sprintf("%d skills.\n", n) + c.Boundaries()
}

// Headings of the lines that show definitions in observations.
const (
	definitionHeading = "Definition: "
	candidateHeading  = "Candidate: "
	groupHeading      = "Definitions of "
)

// definition is one skill on a line.
func (s *session) definition(one skills.Skill) string {
	return definitionHeading + s.describer(nil).Definition(one)
}

// group is all skills of a group on a line, of those that are given.
func (s *session) group(name string, of []skills.Skill) (string, bool) {
	var list []string
	c := s.describer(nil)
	for _, one := range of {
		if one.GroupName() == name {
			list = append(list, c.Definition(one))
		}
	}
	return fmt.Sprintf(groupHeading+"%s: [%s]", name, strings.Join(list, ",")), len(list) > 0
}
