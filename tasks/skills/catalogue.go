package skills

import (
	"fmt"
	"slices"
	"strings"
)

// A Layer is a part of a description that a catalogue can leave out.
type Layer string

const (
	SummaryLayer  Layer = "summary"
	TriggerLayer  Layer = "trigger"
	BoundaryLayer Layer = "boundary"
	NotWhenLayer  Layer = "not_when"
	PromiseLayer  Layer = "promise"
	ParamsLayer   Layer = "params"
)

// Layers lists all layers in the order in which entries show them.
func Layers() []Layer {
	return []Layer{SummaryLayer, TriggerLayer, BoundaryLayer, NotWhenLayer, PromiseLayer, ParamsLayer}
}

// A Catalogue shows skills in a prompt, in the order of Skills. Each entry is a
// line "- name: summary" and lines below it that begin with two spaces. Whatever a
// definition says, it is escaped to such lines: it can neither begin an entry nor
// be a label of a prompt. State negatives are in none of its texts.
type Catalogue struct {
	Skills []Skill
	Layers []Layer // that are shown; nil is all
}

func (c Catalogue) shows(l Layer) bool { return c.Layers == nil || slices.Contains(c.Layers, l) }

// Summaries has one line for each skill.
func (c Catalogue) Summaries() string { return c.join(c.summary) }

// Boundaries has each skill with all its layers.
func (c Catalogue) Boundaries() string { return c.join(c.boundaries) }

// Bare has name, summary and parameters of each skill, and nothing of when to use
// it.
func (c Catalogue) Bare() string {
	return c.join(func(s Skill) string { return c.summary(s) + parameters(s) })
}

// Groups has one line for each group, in the order in which the skills name them:
// "- group: name, name". Skills without a group are in the group "other".
func (c Catalogue) Groups() string {
	var order []string
	members := map[string][]string{}
	for _, s := range c.Skills {
		g := s.GroupName()
		if members[g] == nil {
			order = append(order, g)
		}
		members[g] = append(members[g], line(s.Name))
	}
	var b strings.Builder
	for _, g := range order {
		fmt.Fprintf(&b, "- %s: %s\n", line(g), strings.Join(members[g], ", "))
	}
	return b.String()
}

// GroupName is the group that a skill is shown in.
func (s Skill) GroupName() string {
	if s.Group == "" {
		return "other"
	}
	return s.Group
}

func (c Catalogue) join(entry func(Skill) string) string {
	var b strings.Builder
	for _, s := range c.Skills {
		b.WriteString(entry(s))
	}
	return b.String()
}

func (c Catalogue) summary(s Skill) string {
	if !c.shows(SummaryLayer) {
		return "- " + line(s.Name) + "\n"
	}
	return "- " + line(s.Name) + ": " + line(s.Summary) + "\n"
}

func (c Catalogue) boundaries(s Skill) string {
	var b strings.Builder
	b.WriteString(c.summary(s))
	show := func(l Layer, label, value string) {
		if c.shows(l) && value != "" {
			fmt.Fprintf(&b, "  %s: %s\n", label, value)
		}
	}
	show(TriggerLayer, "Use when", list(s.Triggers))
	show(BoundaryLayer, "Boundary", line(s.Boundary))
	show(NotWhenLayer, "Not when", list(s.topics()))
	show(PromiseLayer, "Gives", line(s.Promise))
	if c.shows(ParamsLayer) {
		b.WriteString(parameters(s))
	}
	return b.String()
}

func parameters(s Skill) string { return "  Parameters: " + s.schema() + "\n" }

func list(entries []string) string { return strings.Join(lines(entries), "; ") }

// topics are the negatives that a prompt may show.
func (s Skill) topics() []string {
	var topics []string
	for _, n := range s.NotWhen {
		switch {
		case n.Topic == "":
		case n.Use != "":
			topics = append(topics, n.Topic+" (use "+n.Use+")")
		default:
			topics = append(topics, n.Topic)
		}
	}
	return topics
}

// Definition is the full definition as a prompt shows it once a skill was chosen:
// one line of JSON, without a line break at its end.
func (c Catalogue) Definition(s Skill) string {
	type definition struct {
		Name       string   `json:"name"`
		Summary    string   `json:"summary,omitempty"`
		UseWhen    []string `json:"use_when,omitempty"`
		Boundary   string   `json:"boundary,omitempty"`
		NotWhen    []string `json:"not_when,omitempty"`
		Gives      string   `json:"gives,omitempty"`
		Parameters rawText  `json:"parameters"`
	}
	d := definition{Name: line(s.Name), Parameters: rawText(s.schema())}
	if c.shows(SummaryLayer) {
		d.Summary = line(s.Summary)
	}
	if c.shows(TriggerLayer) {
		d.UseWhen = lines(s.Triggers)
	}
	if c.shows(BoundaryLayer) {
		d.Boundary = line(s.Boundary)
	}
	if c.shows(NotWhenLayer) {
		d.NotWhen = lines(s.topics())
	}
	if c.shows(PromiseLayer) {
		d.Gives = line(s.Promise)
	}
	return compact(d)
}

func lines(entries []string) []string {
	out := make([]string, len(entries))
	for i, e := range entries {
		out[i] = line(e)
	}
	return out
}

// rawText is JSON that is written as it stands.
type rawText string

func (r rawText) MarshalJSON() ([]byte, error) { return []byte(r), nil }
