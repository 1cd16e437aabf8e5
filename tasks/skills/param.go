package skills

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxPattern = 200   // bytes
	maxMatcher = 2_500 // instructions of a pattern's program, each of which may look at each character
	maxValue   = 2_000 // code points of a string argument
)

var types = []string{"string", "integer", "number", "boolean"}

// checkParams returns the faults of the contract, by parameter.
func (s *Skill) checkParams() []error {
	var faults []error
	if len(s.Params) > MaxParams {
		faults = append(faults, fmt.Errorf("params: want at most %d, got %d", MaxParams, len(s.Params)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		key := "params." + name
		if err := match(key, name, fieldName, "a parameter's name of letters, digits and _"); err != nil {
			faults = append(faults, err)
			continue
		}
		faults = append(faults, s.Params[name].check(key)...)
	}
	return faults
}

func (p Param) check(key string) []error {
	var faults []error
	add := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	add(among(key+".type", p.Type, types...))
	add(among(key+".source", p.Source, FromUser, FromContext, Fixed))
	if p.About != "" {
		add(text(key+".about", p.About, MaxText))
	}
	add(p.checkShape(key))
	switch _, fits := p.Normal(p.Default); {
	case len(faults) > 0:
	case p.Default != nil && !fits:
		add(fmt.Errorf("%s.default: want what the parameter allows, got %s", key, clip(strconv.Quote(fmt.Sprint(p.Default)))))
	case p.Default == nil && p.Source == Fixed:
		add(fmt.Errorf("%s: want a default for a fixed parameter, because nobody else gives its value", key))
	case p.Default != nil && p.Source == FromUser && p.Required:
		add(fmt.Errorf("%s: want either required or a default, because with a default nobody asks", key))
	}
	return faults
}

// checkShape checks what narrows a string.
func (p Param) checkShape(key string) error {
	switch {
	case (p.Pattern != "" || len(p.Enum) > 0) && p.Type != "string":
		return fmt.Errorf("%s: want pattern and enum with type: string only, got %s", key, clip(p.Type))
	case len(p.Pattern) > maxPattern || !utf8.ValidString(p.Pattern):
		return fmt.Errorf("%s.pattern: want at most %d bytes of UTF-8, got %d", key, maxPattern, len(p.Pattern))
	case len(p.Enum) > MaxList:
		return fmt.Errorf("%s.enum: want at most %d values, got %d", key, MaxList, len(p.Enum))
	}
	if err := checkPattern(p.Pattern); err != nil {
		return fmt.Errorf("%s.pattern: %w", key, err)
	}
	if i := repeated(p.Enum); i >= 0 {
		return fmt.Errorf("%s.enum: want each value once, got %q twice", key, p.Enum[i])
	}
	for _, v := range p.Enum {
		if err := text(key+".enum", v, MaxText); err != nil {
			return err
		}
	}
	return nil
}

// checkPattern wants a pattern that stays itself with something around it, and
// is cheap to match.
func checkPattern(pattern string) error {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return fmt.Errorf("want an RE2 expression, got %q: %w", clip(pattern), err)
	}
	if strings.Contains(pattern, `\Q`) {
		return fmt.Errorf(`want special characters escaped one by one and not with \Q, got %q`, clip(pattern))
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return fmt.Errorf("want an RE2 expression, got %q: %w", clip(pattern), err)
	}
	if n := len(program.Inst); n > maxMatcher {
		return fmt.Errorf("want repeats that make at most %d instructions, got %d: allow less of them", maxMatcher, n)
	}
	return nil
}

// normal brings a value to the kind of the parameter's type, whatever its pattern.
func (p Param) normal(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, p.Type == "string" && utf8.RuneCountInString(v) <= maxValue
	case bool:
		return v, p.Type == "boolean"
	case int:
		return p.number(float64(v), int64(v))
	case int64:
		return p.number(float64(v), v)
	case float64:
		return p.real(v)
	case json.Number:
		if i, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return p.number(float64(i), i)
		}
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil {
			return nil, false
		}
		return p.real(f)
	}
	return nil, false
}

// real takes 3.0 for the integer 3, as JSON Schema does.
func (p Param) real(f float64) (any, bool) {
	const exact = 1 << 53
	if p.Type == "integer" {
		return int64(f), f == math.Trunc(f) && math.Abs(f) <= exact
	}
	return f, p.Type == "number" && !math.IsInf(f, 0) && !math.IsNaN(f)
}

func (p Param) number(f float64, i int64) (any, bool) {
	if p.Type == "integer" {
		return i, true
	}
	return f, p.Type == "number"
}
