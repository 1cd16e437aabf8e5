package skills

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

var (
	skillName = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)
	fieldName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)
	slotName  = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,63}$`)
	fieldPath = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,15}$`)
	versions  = regexp.MustCompile(`^[0-9]{1,9}(\.[0-9]{1,9}){0,2}$`)
)

// check returns the faults of one definition by itself, each beginning with the
// dotted key. It prepares the negatives.
func (s *Skill) check() []error {
	var faults []error
	add := func(err error) {
		if err != nil {
			faults = append(faults, err)
		}
	}
	add(match("name", s.Name, skillName, "1 to 64 of a-z, 0-9 and -"))
	add(match("version", s.Version, versions, "a version such as 1.0.2"))
	if s.Group != "" {
		add(match("group", s.Group, skillName, "1 to 64 of a-z, 0-9 and -"))
	}
	for _, err := range s.checkTexts() {
		add(err)
	}
	add(among("effect", s.Effect, NoEffect, Write))
	if s.Money && s.Effect != Write {
		add(fmt.Errorf("money: want effect: write for an effect that costs money, got %s", s.Effect))
	}
	for i := range s.NotWhen {
		add(s.checkNegative(i))
	}
	faults = append(faults, s.checkParams()...)
	faults = append(faults, s.checkLists()...)
	faults = append(faults, s.Output.check()...)
	if _, err := parseHours(s.Hours); err != nil {
		add(fmt.Errorf("hours: %w", err))
	}
	return faults
}

func (s *Skill) checkTexts() []error {
	faults := []error{text("summary", s.Summary, MaxText)}
	if s.Boundary != "" {
		faults = append(faults, text("boundary", s.Boundary, MaxText))
	}
	if s.Promise != "" {
		faults = append(faults, text("promise", s.Promise, MaxText))
	}
	for i, t := range s.Triggers {
		faults = append(faults, text(fmt.Sprintf("trigger.%d", i), t, MaxText))
	}
	return faults
}

// checkNegative prepares a negative and says what is wrong with it.
func (s *Skill) checkNegative(i int) error {
	n, key := &s.NotWhen[i], fmt.Sprintf("not_when.%d", i)
	switch {
	case (n.Topic == "") == (n.State == ""):
		return fmt.Errorf("%s: want either topic or state", key)
	case n.Topic != "" && n.Then != "":
		return fmt.Errorf("%s.then: want it with a state only, because nobody evaluates a topic", key)
	case n.Topic != "":
		return text(key+".topic", n.Topic, MaxText)
	}
	held, err := compile(n.State)
	if err != nil {
		return fmt.Errorf("%s.state: %w", key, err)
	}
	n.held = held
	param, asks := strings.CutPrefix(n.Then, "ask:")
	switch p, known := s.Params[param]; {
	case !asks && n.Then != "" && n.Then != "decline":
		return fmt.Errorf("%s.then: want decline or ask:<parameter>, got %q", key, n.Then)
	case asks && (!known || p.Source != FromUser):
		return fmt.Errorf("%s.then: want a parameter with source: user after ask:, got %q", key, param)
	}
	return nil
}

// checkLists checks how long lists are, and the names in them.
func (s *Skill) checkLists() []error {
	var faults []error
	for key, list := range map[string][]string{
		"trigger": s.Triggers, "requires": s.Requires, "reads": s.Reads, "writes": s.Writes,
		"output.keep": s.Output.Keep, "output.now": s.Output.Now, "output.drop": s.Output.Drop,
	} {
		if len(list) > MaxList {
			faults = append(faults, fmt.Errorf("%s: want at most %d entries, got %d", key, MaxList, len(list)))
		}
		if i := repeated(list); i >= 0 && key != "trigger" {
			faults = append(faults, fmt.Errorf("%s.%d: want each entry once, got %q twice", key, i, list[i]))
		}
	}
	if len(s.NotWhen) > MaxList {
		faults = append(faults, fmt.Errorf("not_when: want at most %d entries, got %d", MaxList, len(s.NotWhen)))
	}
	for key, list := range map[string][]string{"reads": s.Reads, "writes": s.Writes} {
		for i, slot := range list {
			if err := match(fmt.Sprintf("%s.%d", key, i), slot, slotName, "a slot's name of a-z, 0-9, _, . and -"); err != nil {
				faults = append(faults, err)
			}
		}
	}
	if len(s.Errors) > MaxList {
		faults = append(faults, fmt.Errorf("errors: want at most %d entries, got %d", MaxList, len(s.Errors)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Errors)) {
		key := "errors." + name
		if err := match(key, name, fieldName, "an error's name of letters, digits and _"); err != nil {
			faults = append(faults, err)
		} else if err := among(key, s.Errors[name], Deterministic, Transient, Semantic); err != nil {
			faults = append(faults, err)
		}
	}
	slices.SortStableFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return faults
}

func repeated(list []string) int {
	seen := map[string]bool{}
	for i, v := range list {
		if seen[v] {
			return i
		}
		seen[v] = true
	}
	return -1
}

// check wants each field in one list.
func (o Output) check() []error {
	var faults []error
	place := map[string]string{}
	for _, list := range []struct {
		key    string
		fields []string
	}{{"output.keep", o.Keep}, {"output.now", o.Now}, {"output.drop", o.Drop}} {
		for i, field := range list.fields {
			key := fmt.Sprintf("%s.%d", list.key, i)
			if err := match(key, field, fieldPath, "a field such as order.status"); err != nil {
				faults = append(faults, err)
			} else if other := place[field]; other != "" && other != list.key {
				faults = append(faults, fmt.Errorf("%s: want a field in one list, found %q in %s too", key, field, other))
			}
			place[field] = list.key
		}
	}
	return faults
}

func match(key, value string, pattern *regexp.Regexp, want string) error {
	if !pattern.MatchString(value) {
		return fmt.Errorf("%s: want %s, got %q", key, want, clip(value))
	}
	return nil
}

func among[T ~string](key string, value T, allowed ...T) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	names := make([]string, len(allowed))
	for i, a := range allowed {
		names[i] = string(a)
	}
	return fmt.Errorf("%s: want %s, got %q", key, strings.Join(names, " or "), clip(string(value)))
}

// text wants one line of printable characters.
func text(key, value string, most int) error {
	switch {
	case strings.TrimSpace(value) == "":
		return fmt.Errorf("%s: want one line of text, got none", key)
	case utf8.RuneCountInString(value) > most:
		return fmt.Errorf("%s: want at most %d characters, got %d", key, most, utf8.RuneCountInString(value))
	case strings.IndexFunc(value, hidden) >= 0:
		return fmt.Errorf("%s: want one line of printable characters, got %q", key, clip(value))
	}
	return nil
}

// clip keeps an error short.
func clip(value string) string {
	const most = 80
	if r := []rune(value); len(r) > most {
		return string(r[:most]) + "…"
	}
	return value
}
