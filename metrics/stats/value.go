package stats

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// A Value is a statistic, or its absence. The zero Value is absent; V means
// nothing unless OK is true. A Value made by [Of] is finite.
type Value struct {
	V  float64
	OK bool
}

// Of returns v as a present Value, or an absent one if v is infinite or NaN.
func Of(v float64) Value {
	if !finite(v) {
		return Value{}
	}
	return Value{V: v, OK: true}
}

// Format returns the value with the given number of decimals, or "" if it is
// absent. A value that rounds to zero has no minus sign.
func (v Value) Format(decimals int) string {
	if !v.OK {
		return ""
	}
	s := strconv.FormatFloat(v.V, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-")
	}
	return s
}

// CSV returns the value as a field of cells.csv: six decimals, or an empty
// field if it is absent.
func (v Value) CSV() string { return v.Format(6) }

// MarshalJSON writes the number, or null if it is absent.
func (v Value) MarshalJSON() ([]byte, error) {
	if !v.OK {
		return []byte("null"), nil
	}
	return json.Marshal(v.V)
}

// UnmarshalJSON reads a number, or null as an absent value.
func (v *Value) UnmarshalJSON(text []byte) error {
	var p *float64
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	*v = Value{}
	if p != nil {
		*v = Of(*p)
	}
	return nil
}

// An Interval is a two-sided confidence interval. Low and High are absent
// together.
type Interval struct {
	Low        Value   `json:"low"`
	High       Value   `json:"high"`
	Confidence float64 `json:"confidence"` // such as 0.95
}

// OK reports whether there is an interval.
func (i Interval) OK() bool { return i.Low.OK && i.High.OK }

func between(low, high, confidence float64) Interval {
	i := Interval{Low: Of(low), High: Of(high), Confidence: confidence}
	if !i.OK() {
		return Interval{Confidence: confidence}
	}
	return i
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
