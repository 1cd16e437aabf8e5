package state

import (
	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// Compact returns the object on one line without spaces, keys in natural order
// ([Less]), numbers as written, no HTML escaping. Equal objects give equal bytes.
func (o Object) Compact() string { return string(appendCompact(nil, o.root)) }

// Indent returns the object over several lines, indented by 2, in the same order.
func (o Object) Indent() string { return string(appendIndent(nil, o.root, "\n")) }

func appendCompact(b []byte, v any) []byte { return appendIndent(b, v, "") }

// appendIndent renders v. The string newline starts each line; empty means one line.
func appendIndent(b []byte, v any, newline string) []byte {
	switch v := v.(type) {
	case map[string]any:
		return appendObject(b, v, newline)
	case []any:
		return appendArray(b, v, newline)
	case string:
		return appendString(b, v)
	case json.Number:
		return append(b, v...)
	case bool:
		if v {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	}
	return append(b, "null"...)
}

func appendObject(b []byte, node map[string]any, newline string) []byte {
	if len(node) == 0 {
		return append(b, "{}"...)
	}
	inner, colon := deeper(newline)
	b = append(b, '{')
	for i, name := range sortedNames(node) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, inner...)
		b = append(appendString(b, name), colon...)
		b = appendIndent(b, node[name], inner)
	}
	return append(append(b, newline...), '}')
}

func appendArray(b []byte, items []any, newline string) []byte {
	if len(items) == 0 {
		return append(b, "[]"...)
	}
	inner, _ := deeper(newline)
	b = append(b, '[')
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendIndent(append(b, inner...), item, inner)
	}
	return append(append(b, newline...), ']')
}

func deeper(newline string) (inner, colon string) {
	if newline == "" {
		return "", ":"
	}
	return newline + "  ", ": "
}

// appendString drops the error, which only tells of invalid UTF-8: Objects hold none.
func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}
