package charts

import (
	"bytes"
	"strings"
	"testing"
)

func strip(values ...[][]float64) Strips {
	return Strips{Rows: []string{"a", "b"}[:len(values)], Columns: []string{"1", "2"}, Parts: []string{"x", "y"}, Values: values}
}

func TestStripsRefuseWhatIsNoShare(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		chart Strips
		want  string
	}{
		"sum":     {strip([][]float64{{0.6, 0}, {0.6, 0}}), "add up to 1.2"},
		"minus":   {strip([][]float64{{-0.1, 0}, {0, 0}}), "cannot be stacked"},
		"parts":   {strip([][]float64{{0, 0}}), "2 parts but 1"},
		"columns": {strip([][]float64{{0}, {0, 0}}), "want 2 values"},
		"rows":    {Strips{Rows: []string{"a"}}, "1 rows but 0"},
	} {
		if _, err := c.chart.Render("svg"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want an error with %q, got %v", name, c.want, err)
		}
	}
}

func TestStripsSayWhereNothingIsKnown(t *testing.T) {
	t.Parallel()
	full := [][]float64{{1, 0.5}, {0, 0.5}}
	gap := [][]float64{{nan, nan}, {nan, nan}}
	if out := mustRender(t, strip(full, gap), "svg"); bytes.Count(out, []byte("no data")) != 1 {
		t.Error("want one row without data")
	}
	if out := mustRender(t, strip(full, full), "svg"); bytes.Contains(out, []byte("no data")) {
		t.Error("want no row without data")
	}
}
