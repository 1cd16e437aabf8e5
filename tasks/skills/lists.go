package skills

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

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
