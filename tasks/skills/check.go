package skills

import (
	"errors"
	"fmt"
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

// IsName reports whether a text can be the name of a skill.
func IsName(name string) bool { return skillName.MatchString(name) }

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
	if s.Money && s.Effect == NoEffect {
		add(errors.New("money: want effect: write for an effect that costs money, got none"))
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
