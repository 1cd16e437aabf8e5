package skills

import "encoding/json"

// plain leaves of a value what JSON has, with numbers as int or float64, so that
// no method of another kind can be reached. What is nested too deep is nil.
func plain(v any, depth int) any {
	const deepest = 32
	if depth > deepest {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		members := make(map[string]any, len(v))
		for name, member := range v {
			members[name] = plain(member, depth+1)
		}
		return members
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = plain(item, depth+1)
		}
		return items
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return int(i)
		}
		f, _ := v.Float64() // out of range is the largest
		return f
	case string, bool, int, int64, float64:
		return v
	case []string:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = item
		}
		return items
	}
	return nil
}
