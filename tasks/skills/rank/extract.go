package rank

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"skillbench/tasks/skills"
)

// Extract returns what a message, and what is known from earlier ones, gives of
// the parameters that the customer has to give, by name; every value fits its
// parameter.
//
// A value is found in a message by its pattern, by the words of its enum, or for a
// number by its digits, where letters and digits stand on neither side of it; the
// first one counts. Letter case is that of the pattern; words of an enum of three
// letters or more are found in any case. Free text and truth values are never
// found. A required parameter that the message lacks comes from known, a map by
// parameter name; one that is not required does not, because nobody asked for it
// again.
func Extract(s skills.Skill, message string, known map[string]any) map[string]any {
	found := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		p := s.Params[name]
		if p.Source != skills.FromUser {
			continue
		}
		if v, ok := find(p, message); ok {
			found[name] = v
		} else if v, ok := p.Normal(known[name]); ok && p.Required {
			found[name] = v
		}
	}
	return found
}

// find is the first value of a parameter in a text.
func find(p skills.Param, text string) (any, bool) {
	core := shape(p)
	if core == "" {
		return nil, false
	}
	before := `[^\pL\pN]`
	if p.Type != "string" {
		before = `[^\pL\pN.-]` // C-123 has no number
	}
	re, err := regexp.Compile(`(?:^|` + before + `)(` + core + `)(?:$|[^\pL\pN])`)
	if err != nil {
		return nil, false // no library has such a pattern
	}
	m := re.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	return p.Normal(value(p, m[1]))
}

// shape is an expression of the values of a parameter, "" where they cannot be
// told from other words.
func shape(p skills.Param) string {
	switch {
	case p.Type == "integer" || p.Type == "number":
		return `-?[0-9]+(?:\.[0-9]+)?`
	case p.Type != "string":
		return ""
	case len(p.Enum) > 0:
		words := slices.Clone(p.Enum)
		slices.SortStableFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest first
		for i, w := range words {
			if words[i] = regexp.QuoteMeta(w); utf8.RuneCountInString(w) >= 3 {
				words[i] = "(?i:" + words[i] + ")"
			}
		}
		return strings.Join(words, "|")
	}
	return unanchored(p.Pattern)
}

// unanchored takes off the anchors of a pattern, which is one of a whole string
// with and without them.
func unanchored(pattern string) string {
	pattern = strings.TrimPrefix(pattern, "^")
	if strings.HasSuffix(pattern, `\$`) {
		return pattern
	}
	return strings.TrimSuffix(pattern, "$")
}

// value is what a text found by the shape stands for.
func value(p skills.Param, text string) any {
	if p.Type != "string" {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return f
		}
		return nil
	}
	for _, e := range p.Enum {
		if strings.EqualFold(e, text) {
			return e
		}
	}
	return text
}
