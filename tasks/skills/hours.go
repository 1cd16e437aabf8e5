package skills

import (
	"fmt"
	"regexp"
	"strconv"
)

// A Clock is a time of day in minutes after midnight, 0 to 1439.
type Clock int

const day = 24 * 60

var clockText = regexp.MustCompile(`^([01][0-9]|2[0-3]):([0-5][0-9])$`)

// ParseClock reads a time of day such as 09:30.
func ParseClock(text string) (Clock, error) {
	m := clockText.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("want a time of day such as 09:30, got %q", clip(text))
	}
	h, _ := strconv.Atoi(m[1]) // two digits
	minute, _ := strconv.Atoi(m[2])
	return Clock(h*60 + minute), nil
}

// hours are a span of the day; the end does not belong to it. The zero hours are
// the whole day.
type hours struct{ from, to Clock }

var hoursText = regexp.MustCompile(`^([0-9:]{5})-([0-9:]{5})$`)

func parseHours(text string) (hours, error) {
	if text == "" {
		return hours{}, nil
	}
	m := hoursText.FindStringSubmatch(text)
	if m == nil {
		return hours{}, fmt.Errorf("want hours such as 09:00-18:00, got %q", clip(text))
	}
	from, err := ParseClock(m[1])
	if err != nil {
		return hours{}, err
	}
	to := Clock(day)
	if m[2] != "24:00" {
		if to, err = ParseClock(m[2]); err != nil {
			return hours{}, err
		}
	}
	if from == to {
		return hours{}, fmt.Errorf("want two different times, got %q; leave hours out for the whole day", text)
	}
	return hours{from, to}, nil
}

func (h hours) holds(at Clock) bool {
	switch {
	case h == hours{}:
		return true
	case h.from < h.to:
		return h.from <= at && at < h.to
	}
	return at >= h.from || at < h.to // over midnight
}

// On reports whether a skill is enabled at all.
func (s Skill) On() bool { return s.Enabled == nil || *s.Enabled }

// Open reports whether a skill can be used at a time of day: it is enabled, and
// within its hours. Hours that cannot be read, which no library has, are closed.
func (s Skill) Open(at Clock) bool {
	h, err := parseHours(s.Hours)
	return s.On() && err == nil && h.holds(at)
}
