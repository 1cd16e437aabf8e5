package routing

import (
	"encoding/json"
	"slices"
	"strings"

	"skillbench/harness/model/sim"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// An entry is a skill as far as a prompt tells of it, or a group of skills.
type entry struct {
	name    string
	says    []string // what it is for: name, summary, triggers, promise
	denies  []string // what it is not for: boundary and negatives, one by one
	params  map[string]skills.Param
	whole   bool     // its parameters are shown
	members []string // of a group

	set map[string]bool // its words, once they were asked for
}

// words are those of what it is for.
func (e *entry) words() map[string]bool {
	if e.set == nil {
		e.set = words(append(e.says, e.members...)...)
	}
	return e.set
}

// A shelf is all entries that a prompt shows.
type shelf struct {
	catalogue []*entry // in its order
	latest    []*entry // shown by the latest observation, in order
	known     map[string]*entry
	loads     bool // the catalogue offers Load
	opens     bool // the catalogue offers Open: its entries are groups
}

// all are the entries of the prompt, in full where it shows them so.
func (s *shelf) all() []*entry {
	list := slices.Clone(s.catalogue)
	for i, e := range list {
		if known := s.known[e.name]; known != nil {
			list[i] = known
		}
	}
	for _, e := range s.latest {
		if !slices.ContainsFunc(list, func(other *entry) bool { return other.name == e.name }) {
			list = append(list, e)
		}
	}
	return list
}

// What a catalogue's first line says of looks.
const (
	loadOffer = "`Load <skill>`"
	openOffer = "`Open <group>`"
)

// read takes up the entries of the sections.
func readShelf(sections []sim.Section) *shelf {
	s := &shelf{known: map[string]*entry{}}
	for _, section := range sections {
		switch section.Part {
		case sim.InCatalogue:
			s.readCatalogue(section.Text)
		case sim.InHistory, sim.InObservation:
			for line := range strings.Lines(section.Text) {
				shown := definitions(strings.TrimRight(line, "\n"))
				for _, e := range shown {
					s.known[e.name] = e
				}
				if section.Part == sim.InObservation {
					s.latest = append(s.latest, shown...)
				}
			}
		}
	}
	return s
}

func (s *shelf) readCatalogue(text string) {
	head, _, _ := strings.Cut(text, "\n")
	s.loads, s.opens = strings.Contains(head, loadOffer), strings.Contains(head, openOffer)
	var e *entry
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			name, summary, _ := strings.Cut(rest, ": ")
			e = &entry{name: name, says: []string{name, summary}}
			if s.opens {
				e.members = strings.Split(summary, ", ")
			} else {
				s.known[name] = e
			}
			s.catalogue = append(s.catalogue, e)
			continue
		}
		if label, value, ok := strings.Cut(strings.TrimPrefix(line, "  "), ": "); ok && e != nil {
			e.layer(label, value)
		}
	}
}

func (e *entry) layer(label, value string) {
	switch label {
	case "Use when":
		e.says = append(e.says, strings.Split(value, "; ")...)
	case "Gives":
		e.says = append(e.says, value)
	case "Boundary":
		e.denies = append(e.denies, value)
	case "Not when":
		e.denies = append(e.denies, strings.Split(value, "; ")...)
	case "Parameters":
		e.contract([]byte(value))
	}
}

// contract takes up the JSON Schema of the parameters.
func (e *entry) contract(text []byte) {
	var schema struct {
		Properties map[string]skills.Param `json:"properties"`
		Required   []string                `json:"required"`
	}
	if json.Unmarshal(text, &schema) != nil {
		return
	}
	e.params, e.whole = map[string]skills.Param{}, true
	for name, p := range schema.Properties {
		p.Source, p.Required = skills.FromUser, slices.Contains(schema.Required, name)
		p.Pattern = strings.TrimSuffix(strings.TrimPrefix(p.Pattern, "^"), "$")
		e.params[name] = p
	}
}

// extract finds the entry's parameters; see rank.Extract.
func (e *entry) extract(message string, known map[string]any) map[string]any {
	return rank.Extract(skills.Skill{Params: e.params}, message, known)
}

// definitions are the skills that a line of an observation shows in full.
func definitions(line string) []*entry {
	var list []json.RawMessage
	for _, heading := range []string{definitionHeading, candidateHeading} {
		if rest, ok := strings.CutPrefix(line, heading); ok {
			list = []json.RawMessage{json.RawMessage(rest)}
		}
	}
	if rest, ok := strings.CutPrefix(line, groupHeading); ok {
		_, all, _ := strings.Cut(rest, ": ")
		if json.Unmarshal([]byte(all), &list) != nil {
			return nil
		}
	}
	var found []*entry
	for _, text := range list {
		if e, ok := defined(text); ok {
			found = append(found, e)
		}
	}
	return found
}

func defined(text []byte) (*entry, bool) {
	var d struct {
		Name       string          `json:"name"`
		Summary    string          `json:"summary"`
		UseWhen    []string        `json:"use_when"`
		Boundary   string          `json:"boundary"`
		NotWhen    []string        `json:"not_when"`
		Gives      string          `json:"gives"`
		Parameters json.RawMessage `json:"parameters"`
	}
	if json.Unmarshal(text, &d) != nil || d.Name == "" {
		return nil, false
	}
	e := &entry{name: d.Name, says: append([]string{d.Name, d.Summary, d.Gives}, d.UseWhen...), denies: d.NotWhen}
	if d.Boundary != "" {
		e.denies = append(e.denies, d.Boundary)
	}
	e.contract(d.Parameters)
	return e, true
}
