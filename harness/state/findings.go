package state

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// findings turns the error tree of the schema library, whose order is random,
// into violations. Schema and instance are consulted for the hints, which say less
// where these are not known.
type findings struct {
	schema   Object
	instance *Object // nil if not known
}

func (f findings) get(at []string) (any, bool) {
	if f.instance == nil {
		return nil, false
	}
	return f.instance.Get(at...)
}

func (f findings) all(e *jsonschema.ValidationError) []Violation {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		return f.causes(e)
	case *kind.AnyOf:
		return []Violation{f.noneFits(e)}
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			return []Violation{NewViolation(ClassValue, pointerTo(at), "fits more than one of the forms of which exactly one is wanted")}
		}
		return []Violation{f.noneFits(e)}
	case *kind.AdditionalProperties:
		known := f.knownKeys(e.SchemaURL)
		return each(k.Properties, ClassUnknownKey, at, func(name string) string { return "unknown key " + quoted(name) + known })
	case *kind.Required:
		return each(k.Missing, ClassValue, at, func(name string) string {
			return "required key " + quoted(name) + " is missing: it cannot be deleted or left out"
		})
	case *kind.DependentRequired:
		return each(k.Missing, ClassValue, at, wantedBy(k.Prop))
	case *kind.Dependency:
		return each(k.Missing, ClassValue, at, wantedBy(k.Prop))
	case *kind.PropertyNames: // badName stands in for it
		return nil
	case *badName:
		return []Violation{f.refusedName(k, at)}
	case *kind.FalseSchema:
		return []Violation{f.forbidden(e)}
	}
	got, found := f.get(at)
	class, hint := describe(e.ErrorKind, got, found)
	return []Violation{NewViolation(class, pointerTo(at), hint)}
}

func (f findings) causes(e *jsonschema.ValidationError) []Violation {
	var found []Violation
	for _, cause := range e.Causes {
		found = append(found, f.all(cause)...)
	}
	return found
}

func each(names []string, class string, at []string, hint func(string) string) []Violation {
	found := make([]Violation, len(names))
	parent := pointerTo(at)
	for i, name := range names {
		found[i] = NewViolation(class, parent+"/"+escapeToken(name), hint(name))
	}
	return found
}

func wantedBy(key string) func(string) string {
	return func(name string) string { return "key " + quoted(name) + " is missing, want it beside " + quoted(key) }
}

func (f findings) refusedName(k *badName, at []string) Violation {
	hint := "unknown key " + quoted(k.name)
	why := findings{}.all(k.why)
	if len(why) > 0 {
		hint += ": " + ordered(why)[0].Hint
	}
	return each([]string{k.name}, ClassUnknownKey, at, func(string) string { return hint })[0]
}

// forbidden tells a key that unevaluatedProperties or a false schema refuses from
// an array item.
func (f findings) forbidden(e *jsonschema.ValidationError) Violation {
	at := e.InstanceLocation
	if n := len(at); n > 0 {
		parent, _ := f.get(at[:n-1])
		if _, ok := parent.(map[string]any); ok {
			return NewViolation(ClassUnknownKey, pointerTo(at), "unknown key "+quoted(at[n-1])+", want no such key")
		}
	}
	return NewViolation(ClassValue, pointerTo(at), "no value is allowed here")
}

// noneFits gives one violation for a failed anyOf or oneOf: the wrong type if the
// type fits no branch, the fault of the branch if one alone has the right type,
// else a general one.
func (f findings) noneFits(e *jsonschema.ValidationError) Violation {
	var wanted []string
	var near []*jsonschema.ValidationError
	for _, branch := range e.Causes {
		if types, ok := wrongType(branch, len(e.InstanceLocation)); ok {
			wanted = append(wanted, types...)
		} else {
			near = append(near, branch)
		}
	}
	at := pointerTo(e.InstanceLocation)
	if len(near) == 1 {
		if found := ordered(f.all(near[0])); len(found) > 0 {
			return found[0]
		}
	}
	if len(near) == 0 && len(wanted) > 0 {
		slices.Sort(wanted)
		got, found := f.get(e.InstanceLocation)
		return NewViolation(ClassType, at, wantHint(got, found, strings.Join(slices.Compact(wanted), " or ")))
	}
	return NewViolation(ClassValue, at, fmt.Sprintf("fits none of the %d forms allowed here", len(e.Causes)))
}

// wrongType returns the types a branch wants, if all it says is that the value at
// the given depth has the wrong one.
func wrongType(e *jsonschema.ValidationError, depth int) ([]string, bool) {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		return k.Want, len(e.InstanceLocation) == depth
	case *kind.Reference, *kind.Schema:
		if len(e.Causes) == 1 {
			return wrongType(e.Causes[0], depth)
		}
	}
	return nil, false
}

// knownKeys tells, for a hint, which keys the schema at an address allows.
func (f findings) knownKeys(address string) string {
	fragment, ok := strings.CutPrefix(address, base+"schema#")
	if !ok {
		return ""
	}
	pointer, err := url.PathUnescape(fragment)
	if err != nil {
		return ""
	}
	at := splitPointer(pointer)
	var wants []string
	if keys, ok := f.schema.Get(append(at, "properties")...); ok {
		wants = append(wants, list(keys, quoted)...)
	}
	if patterns, ok := f.schema.Get(append(at, "patternProperties")...); ok {
		wants = append(wants, list(patterns, func(p string) string { return "a key matching " + p })...)
	}
	if len(wants) == 0 {
		return ", want no keys here"
	}
	return ", want " + strings.Join(wants, " or ")
}

func list(keys any, show func(string) string) []string {
	node, _ := keys.(map[string]any)
	var shown []string
	for _, name := range sortedNames(node) {
		shown = append(shown, show(name))
	}
	return shown
}
