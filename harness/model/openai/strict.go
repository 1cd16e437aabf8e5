package openai

// notStrict are the keywords that strict mode refuses.
var notStrict = []string{
	"patternProperties", "propertyNames", "minProperties", "maxProperties", "unevaluatedProperties",
	"oneOf", "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
	"prefixItems", "contains", "minContains", "maxContains", "uniqueItems", "unevaluatedItems",
}

// fitsStrict reports whether a schema keeps the rules of OpenAI's strict mode,
// read narrowly: every object lists its members, requires all of them and
// allows no others, and none of the refused keywords occur.
func fitsStrict(schema any) bool {
	s, ok := schema.(map[string]any)
	if !ok {
		return false // true and false admit what strict mode cannot say
	}
	for _, name := range notStrict {
		if _, found := s[name]; found {
			return false
		}
	}
	if isObject(s) && !closed(s) {
		return false
	}
	for _, name := range []string{"properties", "$defs"} {
		members, _ := s[name].(map[string]any)
		for _, member := range members {
			if !fitsStrict(member) {
				return false
			}
		}
	}
	branches, _ := s["anyOf"].([]any)
	for _, branch := range branches {
		if !fitsStrict(branch) {
			return false
		}
	}
	items, found := s["items"]
	return !found || fitsStrict(items)
}

func isObject(s map[string]any) bool {
	_, members := s["properties"]
	_, rest := s["additionalProperties"]
	if kinds, ok := s["type"].([]any); ok {
		for _, kind := range kinds {
			if kind == "object" {
				return true
			}
		}
	}
	return members || rest || s["type"] == "object"
}

func closed(s map[string]any) bool {
	members, _ := s["properties"].(map[string]any)
	list, _ := s["required"].([]any)
	required := map[any]bool{}
	for _, name := range list {
		required[name] = true
	}
	for name := range members {
		if !required[name] {
			return false
		}
	}
	return s["additionalProperties"] == false && len(required) == len(members)
}
