package openai

import (
	"encoding/json"
	"maps"
	"slices"
)

// withoutPatterns relaxes a schema for decoders that know no patternProperties
// and would admit no member at all in their place: a member of any name may
// have the value that one of the patterns asks for.
func withoutPatterns(schema json.RawMessage) (json.RawMessage, error) {
	var v any
	if err := json.Unmarshal(schema, &v); err != nil {
		return nil, err
	}
	return json.Marshal(depattern(v))
}

func depattern(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = depattern(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = depattern(v[name])
		}
		patterns, ok := v["patternProperties"].(map[string]any)
		if !ok || len(patterns) == 0 {
			return v
		}
		delete(v, "patternProperties")
		var values []any
		for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
			values = append(values, patterns[pattern])
		}
		v["additionalProperties"] = values[0]
		if len(values) > 1 {
			v["additionalProperties"] = map[string]any{"anyOf": values}
		}
	}
	return v
}
