package skills

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"skillbench/harness/state"
)

// Limits of one call.
const (
	MaxArguments = 16 << 10 // bytes of the JSON text of its arguments
	MaxUnknown   = 10       // unknown arguments that are told
)

// A Contract is what a model may write as the arguments of a skill: the parameters
// of source user, by a JSON Schema. Parameters from context and fixed ones are the
// runtime's; a model that writes them writes something unknown. It is safe for
// concurrent use.
type Contract struct {
	params map[string]Param
	schema *state.Schema
	text   string
}

// NewContract compiles the contract of a skill that is in no library.
func NewContract(s Skill) (*Contract, error) {
	if faults := s.checkParams(); len(faults) > 0 {
		return nil, fmt.Errorf("skill %s: %w", line(s.Name), errors.Join(faults...))
	}
	return newContract(s)
}

// newContract compiles parameters that have no fault.
func newContract(s Skill) (*Contract, error) {
	text := s.schema()
	schema, err := state.Compile("params", []byte(text))
	if err != nil {
		return nil, err
	}
	return &Contract{params: maps.Clone(s.Params), schema: schema, text: text}, nil
}

// Schema is the JSON Schema, draft 2020-12, on one line and always the same.
func (c *Contract) Schema() string { return c.text }

// Required lists the parameters that a call must have, by name.
func (c *Contract) Required() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		if p := c.params[name]; p.wanted() {
			names = append(names, name)
		}
	}
	return names
}

// wanted reports whether a model must give a parameter. One with a default need
// not be given.
func (p Param) wanted() bool { return p.Source == FromUser && p.Required && p.Default == nil }

// Check reads the arguments of a call, one strict JSON object of at most
// [MaxArguments] bytes. It returns those that are right, their values string,
// bool, int64 or float64, and the faults by name: missing:<p> and invalid:<p>, then
// unknown:<p>, of which at most [MaxUnknown] are told. What is no such object has
// the one fault invalid:json.
func (c *Contract) Check(args []byte) (map[string]any, []string) {
	if len(args) > MaxArguments {
		return nil, []string{"invalid:json"}
	}
	object, err := state.Parse(args)
	if err != nil {
		return nil, []string{"invalid:json"}
	}
	right, faults := c.right(object)
	unknown := 0
	for _, name := range slices.Sorted(maps.Keys(object.Root())) {
		if p, known := c.params[name]; known && p.Source == FromUser || unknown == MaxUnknown {
			continue
		}
		faults, unknown = append(faults, "unknown:"+clip(line(name))), unknown+1
	}
	return right, faults
}

// right returns the arguments that fit, and the faults of the parameters that a
// model gives.
func (c *Contract) right(object state.Object) (map[string]any, []string) {
	bad := map[string]bool{}
	for _, v := range c.schema.Check(c.declared(object)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(v.Path, "/"), "/")
		bad[name] = true
	}
	right, faults := map[string]any{}, []string(nil)
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		p := c.params[name]
		given, there := object.Root()[name]
		v, fits := p.normal(given)
		switch {
		case p.Source != FromUser:
		case !there && p.wanted():
			faults = append(faults, "missing:"+name)
		case !there:
		case bad[name] || !fits:
			faults = append(faults, "invalid:"+name)
		default:
			right[name] = v
		}
	}
	return right, faults
}

// declared leaves out what the contract does not know, so that there are never
// more violations than are told.
func (c *Contract) declared(object state.Object) state.Object {
	known := map[string]any{}
	for name, v := range object.Root() {
		if p, ok := c.params[name]; ok && p.Source == FromUser {
			known[name] = v
		}
	}
	return state.From(known)
}

// Fill returns the arguments with what the runtime knows: the defaults of what was
// not given, the fixed values, and from the state of the dialogue the members of
// the names of the context parameters. The faults are missing:<p> and invalid:<p>
// of context parameters only. What args say of parameters that are not the user's
// does not count. Neither map is changed.
func (c *Contract) Fill(args, state map[string]any) (map[string]any, []string) {
	full, faults := maps.Clone(args), []string(nil)
	if full == nil {
		full = map[string]any{}
	}
	for _, name := range slices.Sorted(maps.Keys(c.params)) {
		p := c.params[name]
		if p.Source != FromUser {
			delete(full, name)
		} else if _, given := full[name]; given {
			continue
		}
		found, there := state[name]
		if p.Source != FromContext || !there || found == nil {
			found, there = p.Default, p.Default != nil
		}
		v, ok := p.Normal(found)
		switch {
		case there && ok:
			full[name] = v
		case there:
			faults = append(faults, "invalid:"+name)
		case p.Source == FromContext && p.Required:
			faults = append(faults, "missing:"+name)
		}
	}
	return full, faults
}

// Normal brings a value of JSON or YAML to the kind that Check returns for the
// parameter: string, bool, int64 or float64. It is false where the value does not
// fit the parameter.
func (p Param) Normal(v any) (any, bool) {
	n, ok := p.normal(v)
	if !ok {
		return nil, false
	}
	if s, isText := n.(string); isText && !p.allows(s) {
		return nil, false
	}
	return n, true
}

// allows holds a text against pattern and enum.
func (p Param) allows(s string) bool {
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, s) {
		return false
	}
	if p.Pattern == "" {
		return true
	}
	re, err := regexp.Compile(whole(p.Pattern))
	return err == nil && re.MatchString(s)
}

// whole makes a pattern that a whole string must match. What would reach beyond
// the pattern, an alternative or a flag, is put in a group.
func whole(pattern string) string {
	if strings.Contains(pattern, "|") || strings.Contains(pattern, "(?") {
		return "^(?:" + pattern + ")$"
	}
	return "^" + pattern + "$"
}
