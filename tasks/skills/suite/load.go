package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"skillbench/harness/config"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// Bounds of a suite.
const (
	MaxCases = 50_000
	MaxTurns = 50
	maxSay   = 4000 // bytes of a message
)

// Load reads a suite in YAML. Source names the file in errors, each of which is
// one line: file, line, the case, what was found and what is wanted. What the
// cases say of skills is for Validate.
func Load(fsys fs.FS, name, source string) (Suite, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return Suite{}, fmt.Errorf("%s: want a suite: %w", source, unwrap(err))
	}
	return Parse(data, source)
}

func unwrap(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Parse is Load of a text.
func Parse(data []byte, source string) (Suite, error) {
	root, err := config.Parse(source, data)
	if err != nil {
		return Suite{}, err
	}
	var f struct {
		Library string        `yaml:"library"`
		Cases   []config.Node `yaml:"cases"`
	}
	if err := root.Decode(&f); err != nil {
		return Suite{}, err
	}
	s := Suite{Name: stem(source), Library: f.Library, source: source}
	if f.Library == "" {
		return s, root.Errorf("library: want the name or the folder of a library, found none")
	}
	if len(f.Cases) == 0 || len(f.Cases) > MaxCases {
		return s, root.Errorf("cases: want 1 to %d, found %d", MaxCases, len(f.Cases))
	}
	seen := map[string]int{}
	for _, node := range f.Cases {
		c := Case{At: Noon, line: node.YAML.Line}
		if err := ownParams(node); err != nil {
			return s, err
		}
		if err := node.Decode(&c); err != nil {
			return s, err
		}
		if err := c.check(); err != nil {
			return s, node.Errorf("case %q: %v", c.ID, err)
		}
		for i := range c.Turns {
			c.Turns[i].Say = shown(c.Turns[i].Say)
		}
		if first, twice := seen[c.ID]; twice {
			return s, node.Errorf("case %q: want each id once, it stands in line %d already", c.ID, first)
		}
		seen[c.ID] = c.line
		s.Cases = append(s.Cases, c)
	}
	return s, nil
}

// stem is the name of a file without folder and extension.
func stem(file string) string {
	base := path.Base(file)
	return strings.TrimSuffix(base, path.Ext(base))
}

// check reports what is wrong with a case whatever the library.
func (c Case) check() error {
	switch {
	case !skills.IsName(c.ID):
		return errors.New("id: want 1 to 64 of a-z, 0-9 and -")
	case !slices.Contains(Kinds, c.Kind):
		return fmt.Errorf("kind: want one of %s, got %q", strings.Join(Kinds, ", "), c.Kind)
	case c.Split != Dev && c.Split != Test:
		return fmt.Errorf("split: want dev or test, got %q", c.Split)
	case len(c.Turns) == 0 || len(c.Turns) > MaxTurns:
		return fmt.Errorf("turns: want 1 to %d, got %d", MaxTurns, len(c.Turns))
	case c.Kind == RightSkillAbsent && len(c.Absent) == 0:
		return fmt.Errorf("absent: want the skills taken out, because the kind is %s", c.Kind)
	}
	if _, err := skills.ParseClock(c.At); err != nil {
		return fmt.Errorf("at: %w", err)
	}
	if err := checkState(c.State); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	for i, t := range c.Turns {
		if err := t.check(); err != nil {
			return fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	return nil
}

func (t Turn) check() error {
	switch {
	case shown(t.Say) == "":
		return errors.New("say: want a message, got none")
	case len(t.Say) > maxSay:
		return fmt.Errorf("say: want at most %d bytes, got %d", maxSay, len(t.Say))
	case strings.ContainsAny(t.Say, "\r\n"):
		return errors.New("say: want one line")
	case len(t.Expect.Params) > 0 && !t.Expect.calls():
		return fmt.Errorf("params: want them where a call is right, got them with %s", t.Expect.Do)
	}
	if err := whole(t.Expect.Route); err != nil {
		return fmt.Errorf("expect: %w", err)
	}
	for _, r := range t.Expect.Accept {
		if err := whole(r); err != nil {
			return fmt.Errorf("accept: %w", err)
		}
	}
	return nil
}

// shown is a message as every prompt and every vector has it: what cannot be
// printed is a space, and none stands at its ends.
func shown(say string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) && r != utf8.RuneError {
			return r
		}
		return ' '
	}, say))
}

// calls reports whether a call is right, if not first.
func (e Expect) calls() bool {
	isCall := func(r record.Route) bool { return r.Do == record.Call }
	return isCall(e.Route) || slices.ContainsFunc(e.Accept, isCall)
}

// whole reports what a route lacks, or has too much.
func whole(r record.Route) error {
	switch {
	case !slices.Contains([]record.Deed{record.Call, record.Ask, record.Offer, record.Clarify, record.Decline}, r.Do):
		return fmt.Errorf("do: want call, ask, offer, clarify or decline, got %q", r.Do)
	case r.Skill == "" && (r.Do == record.Call || r.Do == record.Ask || r.Do == record.Offer):
		return fmt.Errorf("skill: want the skill of the %s, found none", r.Do)
	case r.Skill != "" && r.Do == record.Clarify:
		return errors.New("skill: want none with clarify, which is for a message that names no concern")
	case (r.Other != "") != (r.Do == record.Offer):
		return fmt.Errorf("other: want it with an offer, and with nothing else, got %q with %s", r.Other, r.Do)
	case r.Do == record.Offer && r.Skill == r.Other:
		return fmt.Errorf("other: want two different skills, got %q twice", r.Other)
	case (r.Param != "") != (r.Do == record.Ask):
		return fmt.Errorf("param: want it with an ask, and with nothing else, got %q with %s", r.Param, r.Do)
	}
	return nil
}
