package stats

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// near fails unless got is present and within tolerance of want.
func near(t *testing.T, what string, got Value, want, tolerance float64) {
	t.Helper()
	if !got.OK || !(math.Abs(got.V-want) <= tolerance) {
		t.Errorf("%s: got %+v, want %v ± %v", what, got, want, tolerance)
	}
}

func absent(t *testing.T, what string, got Value) {
	t.Helper()
	if got != (Value{}) {
		t.Errorf("%s: got %+v, want it absent", what, got)
	}
}

func warned(t *testing.T, got []string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("warnings: got %q, want among them %q", got, w)
		}
	}
	if len(want) == 0 && len(got) > 0 {
		t.Errorf("warnings: got %q, want none", got)
	}
}

func TestValueText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		value     Value
		csv, json string
	}{
		{Value{}, "", "null"},
		{Of(math.NaN()), "", "null"},
		{Of(math.Inf(-1)), "", "null"},
		{Of(0), "0.000000", "0"},
		{Of(-1e-9), "0.000000", "-1e-9"},
		{Of(-0.25), "-0.250000", "-0.25"},
		{Of(-10), "-10.000000", "-10"},
		{Of(1234567.8), "1234567.800000", "1234567.8"},
	} {
		if got := c.value.CSV(); got != c.csv {
			t.Errorf("CSV of %+v: got %q, want %q", c.value, got, c.csv)
		}
		text, err := json.Marshal(c.value)
		if err != nil || string(text) != c.json {
			t.Errorf("JSON of %+v: got %s, %v, want %s", c.value, text, err, c.json)
		}
		back := Of(99)
		if err := json.Unmarshal(text, &back); err != nil || back != c.value {
			t.Errorf("JSON %s read back: got %+v, %v, want %+v", text, back, err, c.value)
		}
	}
	if got := Of(-0.004).Format(2); got != "0.00" {
		t.Errorf("Format: got %q, want 0.00", got)
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	xs := []float64{4, 1, 3, 2}
	near(t, "median", Quantile(xs, 0.5), 2.5, 0)
	near(t, "p 0.1", Quantile(xs, 0.1), 1.3, 1e-12)
	near(t, "p 0", Quantile(xs, 0), 1, 0)
	near(t, "p 1", Quantile(xs, 1), 4, 0)
	near(t, "one value", Quantile([]float64{7}, 0.9), 7, 0)
	if diff := cmp.Diff([]float64{4, 1, 3, 2}, xs); diff != "" {
		t.Errorf("argument changed: %s", diff)
	}
	absent(t, "no values", Quantile(nil, 0.5))
	absent(t, "p above 1", Quantile(xs, 1.01))
	absent(t, "p NaN", Quantile(xs, math.NaN()))
	absent(t, "NaN among values", Quantile([]float64{1, math.NaN()}, 0.5))
}
