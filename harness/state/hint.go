package state

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// describe gives class and hint of one failed keyword. The library's own messages
// are not used: they localise numbers and are not bounded.
func describe(k jsonschema.ErrorKind, got any, found bool) (class, hint string) {
	if k, ok := k.(*kind.Type); ok {
		return ClassType, wantHint(got, found, strings.Join(k.Want, " or "))
	}
	if count, ok := counted(k); ok {
		return ClassValue, count
	}
	return ClassValue, wantHint(got, found, wanted(k))
}

// counted describes the keywords that count what a container holds.
func counted(k jsonschema.ErrorKind) (string, bool) {
	switch k := k.(type) {
	case *kind.MinProperties:
		return atLeast(k.Got, k.Want, "keys"), true
	case *kind.MaxProperties:
		return atMost(k.Got, k.Want, "keys"), true
	case *kind.MinItems:
		return atLeast(k.Got, k.Want, "items"), true
	case *kind.MaxItems:
		return atMost(k.Got, k.Want, "items"), true
	case *kind.MinLength:
		return atLeast(k.Got, k.Want, "characters"), true
	case *kind.MaxLength:
		return atMost(k.Got, k.Want, "characters"), true
	case *kind.MinContains:
		return atLeast(len(k.Got), k.Want, "items that fit contains"), true
	case *kind.MaxContains:
		return atMost(len(k.Got), k.Want, "items that fit contains"), true
	case *kind.Contains:
		return atLeast(0, 1, "items that fit contains"), true
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal, want all different", k.Duplicates[0], k.Duplicates[1]), true
	}
	return "", false
}

func atLeast(got, want int, what string) string {
	return fmt.Sprintf("got %d %s, want at least %d", got, what, want)
}

func atMost(got, want int, what string) string {
	return fmt.Sprintf("got %d %s, want at most %d", got, what, want)
}

// wanted says what the keywords on a single value ask for.
func wanted(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Const:
		return literal(k.Want)
	case *kind.Enum:
		return "one of " + literals(k.Want)
	case *kind.Pattern:
		return "a string matching " + k.Want
	case *kind.Format:
		if k.Want == "regex" { // of the schema's own patterns
			return "a regular expression without look-around (RE2)"
		}
		return "a string of format " + k.Want
	case *kind.Minimum:
		return "at least " + decimal(k.Want)
	case *kind.Maximum:
		return "at most " + decimal(k.Want)
	case *kind.ExclusiveMinimum:
		return "more than " + decimal(k.Want)
	case *kind.ExclusiveMaximum:
		return "less than " + decimal(k.Want)
	case *kind.MultipleOf:
		return "a multiple of " + decimal(k.Want)
	case *kind.Not:
		return "none of what the schema excludes here"
	}
	if path := k.KeywordPath(); len(path) > 0 {
		return "what the schema's " + path[0] + " allows"
	}
	return "what the schema allows"
}

func wantHint(got any, found bool, want string) string {
	if !found {
		return "want " + want
	}
	return "got " + shown(got) + ", want " + want
}

// shown names a found value: a scalar with its type, a container by its type alone.
func shown(v any) string {
	switch v := v.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case string:
		return "string " + excerpt(v)
	case json.Number:
		return "number " + excerpt(v)
	}
	return excerpt(v)
}

// excerpt is the compact JSON of a scalar, strings and numbers cut short.
func excerpt(v any) string {
	const limit = 60
	switch v := v.(type) {
	case string:
		return string(appendString(nil, cut(v, limit)))
	case json.Number:
		return cut(string(v), limit)
	}
	return cut(string(appendCompact(nil, v)), limit)
}

func quoted(name string) string { return excerpt(name) }

// literal shows a value of the schema, whose numbers may be of any kind.
func literal(v any) string { return excerpt(copyValue(v, 0)) }

func literals(values []any) string {
	shown := make([]string, min(len(values), maxHint/2))
	for i := range shown {
		shown[i] = literal(values[i])
	}
	return strings.Join(shown, ", ")
}

// decimal writes a bound of the schema as plain text, without rounding where it
// has few digits.
func decimal(r *big.Rat) string {
	if places, exact := r.FloatPrec(); exact && places <= 20 {
		if text := r.FloatString(places); len(text) <= 40 {
			return text
		}
	}
	f, _ := new(big.Float).SetRat(r).MarshalText()
	return cut(string(f), 40)
}
