package skills

import (
	"maps"
	"slices"
)

// A schema is the JSON Schema of what a model gives.
type schema struct {
	Type       string           `json:"type"`
	Properties map[string]shape `json:"properties"`
	Required   []string         `json:"required,omitempty"`
	Additional bool             `json:"additionalProperties"`
}

// A shape is the JSON Schema of one parameter.
type shape struct {
	Type        string   `json:"type"`
	Description string   `json:"description,omitempty"`
	Pattern     string   `json:"pattern,omitempty"`
	Enum        []string `json:"enum,omitempty"`
	Default     any      `json:"default,omitempty"`
}

// schema is the JSON Schema of the contract on one line.
func (s Skill) schema() string {
	all := schema{Type: "object", Properties: map[string]shape{}}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		p := s.Params[name]
		if p.Source != FromUser {
			continue
		}
		all.Properties[line(name)] = p.shape()
		if p.wanted() {
			all.Required = append(all.Required, line(name))
		}
	}
	return compact(all)
}

func (p Param) shape() shape {
	s := shape{Type: line(p.Type), Enum: p.Enum}
	if p.About != "" {
		s.Description = line(p.About)
	}
	if p.Pattern != "" {
		s.Pattern = whole(p.Pattern)
	}
	if v, ok := p.Normal(p.Default); ok {
		s.Default = v
	}
	return s
}
