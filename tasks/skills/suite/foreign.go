package suite

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// A foreign makes a suite and a library of a benchmark that has neither contracts
// nor states: a skill is a name and a summary.
type foreign struct {
	suite Suite
	names map[string]string // of skills, by the benchmark's own name
	list  []skills.Skill
}

// newForeign gives each tool the name of a skill: lower case, other characters
// than a-z and 0-9 as one dash. Of tools that would share a name, later ones in
// alphabetical order get -2, -3, … at its end.
func newForeign(source string, tools map[string]string) (foreign, error) {
	f := foreign{suite: Suite{Name: stem(source), source: source}, names: map[string]string{}}
	if n := len(tools); n == 0 || n > skills.MaxSkills {
		return f, fmt.Errorf("%s: want 1 to %d tools, found %d", source, skills.MaxSkills, n)
	}
	taken := map[string]bool{}
	for _, tool := range sorted(tools) {
		base := slug(tool)
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name], f.names[tool] = true, name
		f.list = append(f.list, skills.Skill{Name: name, Version: "1", Summary: summary(tools[tool], tool), Effect: skills.NoEffect})
	}
	return f, nil
}

func sorted(tools map[string]string) []string {
	names := make([]string, 0, len(tools))
	for name := range tools {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var unslug = regexp.MustCompile(`[^a-z0-9]+`)

func slug(name string) string {
	const most = 56 // leaves room for a number
	s := strings.Trim(unslug.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if len(s) > most {
		s = strings.Trim(s[:most], "-")
	}
	if s == "" {
		return "tool"
	}
	return s
}

// oneLine puts a text on a line, its words parted by single spaces.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == utf8.RuneError }), " ")
}

// summary makes a text fit for a catalogue, where long ones are cut; other stands
// in for none.
func summary(text, other string) string {
	if text = oneLine(text); text == "" {
		text = cmp.Or(oneLine(other), "tool")
	}
	if r := []rune(text); len(r) > skills.MaxText {
		return string(r[:skills.MaxText-1]) + "…"
	}
	return text
}

// add appends a case of one turn. A message that cannot be one is an error.
func (f *foreign) add(kind, split, say string, e Expect) error {
	c := Case{
		ID:   fmt.Sprintf("%s-%d", slug(f.suite.Name), len(f.suite.Cases)+1),
		Kind: kind, Split: split, At: Noon, Turns: []Turn{{Say: oneLine(say), Expect: e}},
	}
	if len(f.suite.Cases) == MaxCases {
		return fmt.Errorf("want at most %d messages", MaxCases)
	}
	if err := c.check(); err != nil {
		return err
	}
	f.suite.Cases = append(f.suite.Cases, c)
	return nil
}

// call is the route to a tool by the benchmark's own name.
func (f *foreign) call(tool string) (record.Route, bool) {
	name, ok := f.names[tool]
	return record.Route{Do: record.Call, Skill: name}, ok
}

func (f *foreign) done() (Suite, skills.Library, error) {
	if len(f.suite.Cases) == 0 {
		return f.suite, skills.Library{}, fmt.Errorf("%s: want messages, found none", f.suite.source)
	}
	lib, err := skills.New(f.suite.Name, f.list)
	if err != nil {
		return f.suite, lib, fmt.Errorf("%s: %w", f.suite.source, err)
	}
	return f.suite, lib, nil
}
