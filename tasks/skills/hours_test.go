package skills

import "testing"

func TestOpen(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		hours   string
		enabled *bool
		at      string
		want    bool
	}{
		{"", nil, "00:00", true},
		{"", &yes, "23:59", true},
		{"", &no, "12:00", false},
		{"09:00-18:00", nil, "08:59", false},
		{"09:00-18:00", nil, "09:00", true},
		{"09:00-18:00", nil, "17:59", true},
		{"09:00-18:00", nil, "18:00", false},
		{"09:00-18:00", &no, "12:00", false},
		{"22:00-06:00", nil, "23:59", true},
		{"22:00-06:00", nil, "00:00", true},
		{"22:00-06:00", nil, "05:59", true},
		{"22:00-06:00", nil, "06:00", false},
		{"22:00-06:00", nil, "21:59", false},
		{"09:00-24:00", nil, "23:59", true},
		{"09:00-24:00", nil, "00:00", false},
		{"00:00-24:00", nil, "00:00", true},
		{"18:00-00:00", nil, "23:59", true},
		{"18:00-00:00", nil, "00:00", false},
		{"nonsense", nil, "12:00", false},
	} {
		at, err := ParseClock(c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := (Skill{Hours: c.hours, Enabled: c.enabled}).Open(at); got != c.want {
			t.Errorf("%q at %s: open %v", c.hours, c.at, got)
		}
	}
}

func TestParseClock(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "9:00", "24:00", "12:60", "12:00:00", "12.00", " 12:00"} {
		if at, err := ParseClock(bad); err == nil {
			t.Errorf("%q is %d", bad, at)
		}
	}
}
