package state

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// MaxViolations bounds what [Schema.Check] returns.
const MaxViolations = 20

// A Schema is a compiled JSON Schema, draft 2020-12 unless its $schema names an
// older one. Patterns are RE2, so there is no look-ahead; format is not checked in
// 2020-12, as the draft says. It is safe for concurrent use.
type Schema struct {
	compiled *jsonschema.Schema
	doc      Object
	raw      []byte
}

// base is where the schema lies as far as references are concerned; nothing is
// ever loaded from there.
const base = "state:///"

// Compile reads a schema; source is its file name, for errors. References must
// stay inside data: no file and no address is ever loaded. Errors are one line.
func Compile(source string, data []byte) (*Schema, error) {
	doc, err := Parse(data)
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		row := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return nil, fmt.Errorf("%s:%d: %w", source, row, syntax)
	}
	if bad := ordered(oversized(doc)); len(bad) > 0 {
		return nil, fmt.Errorf("%s: %s: %s", source, bad[0].Path, bad[0].Hint)
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	compiler.RegisterVocabulary(nameVocabulary)
	compiler.AssertVocabs()
	if err := compiler.AddResource(base+"schema", doc.root); err != nil {
		return nil, compileError(source, doc, err)
	}
	compiled, err := compiler.Compile(base + "schema")
	if err != nil {
		return nil, compileError(source, doc, err)
	}
	return &Schema{compiled: compiled, doc: doc, raw: bytes.Clone(data)}, nil
}

// Raw returns a copy of the text the schema was compiled from.
func (s *Schema) Raw() []byte { return bytes.Clone(s.raw) }

// Check returns why o does not fit the schema, nil if it fits. The order is that
// of paths (natural order), then classes, and the same in every run. There are at
// most [MaxViolations]; when there would be more, the last one has no path and
// tells how many were left out.
func (s *Schema) Check(o Object) []Violation {
	found := oversized(o)
	if len(found) == 0 {
		var failed *jsonschema.ValidationError
		if !errors.As(s.compiled.Validate(o.root), &failed) {
			return nil
		}
		found = findings{schema: s.doc, instance: &o}.all(failed)
	}
	return bounded(found)
}

func bounded(found []Violation) []Violation {
	found = ordered(found)
	if len(found) <= MaxViolations {
		return found
	}
	kept, rest := found[:MaxViolations-1], found[MaxViolations-1:]
	return append(slices.Clip(kept), NewViolation(rest[0].Class, "", fmt.Sprintf("and %d more violations", len(rest))))
}

// ordered sorts and drops repeats, which arise when subschemas agree.
func ordered(found []Violation) []Violation {
	slices.SortFunc(found, func(a, b Violation) int {
		return cmp.Or(Compare(a.Path, b.Path), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Hint, b.Hint))
	})
	return slices.Compact(found)
}

// maxNumber bounds the length and the decimal exponent of a number: float64 ends
// near 1e308, exact arithmetic on 1e1000000 takes 20 ms, and the schema library
// panics beyond that.
const maxNumber = 400

// oversized returns a violation for each number that is too large to compare.
func oversized(o Object) []Violation {
	var found []Violation
	oversizedIn(o.root, nil, &found)
	return found
}

func oversizedIn(v any, at []string, found *[]Violation) {
	switch v := v.(type) {
	case json.Number:
		if tooLarge(string(v)) {
			hint := fmt.Sprintf("got number %s, want one of at most %d digits and decimal places", excerpt(v), maxNumber)
			*found = append(*found, NewViolation(ClassValue, pointerTo(at), hint))
		}
	case []any:
		for i, item := range v {
			oversizedIn(item, append(at, strconv.Itoa(i)), found)
		}
	case map[string]any:
		for name, member := range v {
			oversizedIn(member, append(at, name), found)
		}
	}
}

func tooLarge(number string) bool {
	if len(number) > maxNumber {
		return true
	}
	i := strings.IndexAny(number, "eE")
	if i < 0 {
		return false
	}
	exponent, err := strconv.Atoi(number[i+1:])
	return err != nil || exponent > maxNumber || exponent < -maxNumber
}

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

func compileError(source string, doc Object, err error) error {
	var load *jsonschema.LoadURLError
	var invalid *jsonschema.SchemaValidationError
	var failed *jsonschema.ValidationError
	switch {
	case errors.As(err, &load):
		return fmt.Errorf("%s: reference to %s: want one inside the schema, such as \"#/$defs/name\", because nothing else is loaded",
			source, quoted(strings.TrimPrefix(load.URL, base)))
	case errors.As(err, &invalid) && errors.As(invalid.Err, &failed):
		if found := ordered(findings{instance: &doc}.all(failed)); len(found) > 0 {
			return fmt.Errorf("%s: %s: not a valid schema: %s", source, cmp.Or(found[0].Path, "/"), found[0].Hint)
		}
	}
	return fmt.Errorf("%s: %s", source, line(strings.ReplaceAll(err.Error(), base+"schema", ""), maxHint))
}
