package suite

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Members that the desk adds to a state; no case has them.
const (
	TimeMember   = "time"           // of day
	AbsentMember = "not_in_service" // skills of the catalogue that a dialogue lacks
)

// Bounds of a state.
const (
	MaxMembers = 100
	MaxFact    = 1000 // code points of a text
	maxDepth   = 16
)

var memberName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,63}$`)

// checkState wants members that a desk can show and conditions can compare: what
// YAML makes of a date or of a number that is none would be lost on the way.
func checkState(state map[string]any) error {
	if len(state) > MaxMembers {
		return fmt.Errorf("want at most %d members, got %d", MaxMembers, len(state))
	}
	for _, name := range slices.Sorted(maps.Keys(state)) {
		switch {
		case name == TimeMember:
			return fmt.Errorf("%s: want the time of day as at: beside the state, where the desk takes it from", name)
		case name == AbsentMember:
			return fmt.Errorf("%s: want the skills as absent: beside the state, where the desk takes them from", name)
		case !memberName.MatchString(name):
			return fmt.Errorf("want names such as days_since_delivery, got %.80q", name)
		}
		if err := checkValue(state[name], 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func checkValue(value any, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("want values nested at most %d deep", maxDepth)
	}
	switch v := value.(type) {
	case nil, bool, int, int64:
		return nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("want a number, got %v", v)
		}
		return nil
	case string:
		if n := utf8.RuneCountInString(v); n > MaxFact {
			return fmt.Errorf("want a text of at most %d characters, got %d", MaxFact, n)
		}
		return nil
	case []any:
		for _, item := range v {
			if err := checkValue(item, depth+1); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if err := checkValue(v[name], depth+1); err != nil {
				return fmt.Errorf("%.80q: %w", name, err)
			}
		}
		return nil
	}
	return fmt.Errorf("want a text, a number, true, false, a list or an object, got %T: put a date in quotes", value)
}
