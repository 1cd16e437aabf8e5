package state

import (
	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/message"
)

// nameVocabulary checks propertyNames once more. The library does check it, but
// reports a location that later siblings overwrite (jsonschema v6.0.3,
// validator.go: InstanceLocation = vd.vloc without a copy).
var nameVocabulary = &jsonschema.Vocabulary{
	URL: base + "names",
	Compile: func(ctx *jsonschema.CompilerContext, obj map[string]any) (jsonschema.SchemaExt, error) {
		if _, ok := obj["propertyNames"]; !ok {
			return nil, nil
		}
		return nameCheck{ctx.Enqueue([]string{"propertyNames"})}, nil
	},
}

type nameCheck struct{ schema *jsonschema.Schema }

func (c nameCheck) Validate(ctx *jsonschema.ValidatorContext, v any) {
	node, ok := v.(map[string]any)
	if !ok {
		return
	}
	for name := range node {
		if err, ok := c.schema.Validate(name).(*jsonschema.ValidationError); ok {
			ctx.AddError(&badName{name: name, why: err})
		}
	}
}

// badName is the error kind for a key that propertyNames refuses.
type badName struct {
	name string
	why  *jsonschema.ValidationError
}

func (*badName) KeywordPath() []string                     { return []string{"propertyNames"} }
func (b *badName) LocalizedString(*message.Printer) string { return "bad name " + quoted(b.name) }
