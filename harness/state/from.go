package state

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// From copies a Go map into an Object, for tasks that build states and truth.
// Beside JSON's own kinds it takes every integer and float type, maps with string
// keys, slices, arrays, named types of these, and Objects. It never panics: what
// JSON cannot hold becomes a string (a number that is none its text, anything
// else, and containers deeper than [MaxDepth], the name of its Go type), and
// bytes that are not UTF-8 become U+FFFD. It is not for model output: see [Parse].
func From(root map[string]any) Object { return wrap(copyMembers(root, 1)) }

func copyMembers(node map[string]any, depth int) map[string]any {
	out := make(map[string]any, len(node))
	var bad []string
	for name, v := range node {
		if valid := strings.ToValidUTF8(name, "\uFFFD"); valid != name {
			bad = append(bad, name)
			continue
		}
		out[name] = copyValue(v, depth)
	}
	slices.Sort(bad) // two repaired names may meet: the first wins, always the same one
	for _, name := range bad {
		valid := strings.ToValidUTF8(name, "\uFFFD")
		if _, taken := out[valid]; !taken {
			out[valid] = copyValue(node[name], depth)
		}
	}
	return out
}

// copyValue copies a value that lies in a container of the given depth.
func copyValue(v any, depth int) any {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case json.Number:
		return number(string(v))
	case Object:
		return copyValue(v.root, depth)
	case map[string]any:
		if depth == MaxDepth {
			return fmt.Sprintf("%T", v)
		}
		return copyMembers(v, depth+1)
	}
	return copyReflected(reflect.ValueOf(v), depth)
}

func copyReflected(v reflect.Value, depth int) any {
	switch {
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.Kind() == reflect.String:
		return copyValue(v.String(), depth)
	case v.CanInt():
		return json.Number(strconv.FormatInt(v.Int(), 10))
	case v.CanUint():
		return json.Number(strconv.FormatUint(v.Uint(), 10))
	case v.CanFloat():
		return float(v)
	case depth == MaxDepth:
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		return copyMembers(maps.Collect(members(v)), depth+1)
	case v.Kind() == reflect.Slice, v.Kind() == reflect.Array:
		items := make([]any, v.Len())
		for i := range items {
			items[i] = copyValue(v.Index(i).Interface(), depth+1)
		}
		return items
	}
	return v.Type().String()
}

func members(v reflect.Value) func(func(string, any) bool) {
	return func(yield func(string, any) bool) {
		for key, member := range v.Seq2() {
			if !yield(key.String(), member.Interface()) {
				return
			}
		}
	}
}

func float(v reflect.Value) any {
	f, bits := v.Float(), v.Type().Bits()
	text := strconv.FormatFloat(f, 'f', -1, bits)
	if len(text) > 24 { // as short as it was: 1e300, not 301 digits
		text = strconv.FormatFloat(f, 'g', -1, bits)
	}
	return number(text)
}

// number keeps a malformed number as a string, because the schema library
// panics on a json.Number that is none.
func number(text string) any {
	if n := len(text); n > 0 && (text[0] == '-' || digits(text) > 0) && digits(text[n-1:]) > 0 && jsontext.Value(text).IsValid() {
		return json.Number(text)
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
