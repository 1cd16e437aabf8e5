package routing

import (
	"regexp"
	"strconv"
	"strings"

	"skillbench/tasks/skills"
)

// A shape is what is known of the values of a parameter.
type shape struct {
	Type    string   `json:"type"`
	Pattern string   `json:"pattern"`
	Enum    []string `json:"enum"`
}

func shapeOf(p skills.Param) shape { return shape{p.Type, p.Pattern, p.Enum} }

// findable reports whether a value can be told from the words around it. Free
// text cannot.
func (s shape) findable() bool { return s.Pattern != "" || len(s.Enum) > 0 || s.numeric() }

func (s shape) numeric() bool { return s.Type == "integer" || s.Type == "number" }

// in returns the first value of the shape that stands in a text as a word of its
// own, nil where there is none: a string, or for numbers an int64 or a float64.
// The values of an enum are found in any case where they have no capitals.
func (s shape) in(text string) any { return s.finder().in(text) }

// A finder is a shape, ready to look for.
type finder struct {
	shape
	re *regexp.Regexp // nil where nothing can be found
}

func (s shape) finder() finder {
	f := finder{shape: s}
	if re, err := regexp.Compile(s.source()); err == nil && s.findable() {
		f.re = re
	}
	return f
}

func (f finder) in(text string) any {
	if f.re == nil {
		return nil
	}
	m := f.re.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	return f.read(m[1])
}

func (s shape) read(value string) any {
	switch {
	case s.numeric():
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return n
		}
		if f, err := strconv.ParseFloat(value, 64); err == nil && s.Type == "number" {
			return f
		}
		return nil
	case len(s.Enum) > 0:
		for _, e := range s.Enum {
			if strings.EqualFold(e, value) {
				return e
			}
		}
	}
	return value
}

// source is the expression of a value with its borders; the value is group 1.
func (s shape) source() string {
	core := `-?[0-9]+(?:\.[0-9]+)?`
	switch {
	case len(s.Enum) > 0:
		var words []string
		for _, e := range s.Enum {
			word := regexp.QuoteMeta(e)
			if e == strings.ToLower(e) {
				word = "(?i:" + word + ")"
			}
			words = append(words, word)
		}
		core = strings.Join(words, "|")
	case s.Pattern != "":
		core = strings.TrimSuffix(strings.TrimPrefix(s.Pattern, "^"), "$")
	}
	return `(?:^|[^0-9A-Za-z])(` + core + `)(?:$|[^0-9A-Za-z])`
}
