package charts

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
	"pgregory.net/rapid"
)

func TestTickLabel(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		v, by float64
		want  string
	}{
		{0, 1, "0"}, {0, 0.2, "0.0"}, {0.2, 0.2, "0.2"}, {1, 0.25, "1.00"}, {0.30000000000000004, 0.1, "0.3"},
		{-0.5, 0.5, "-0.5"}, {10, 10, "10"}, {999, 1, "999"}, {1000, 500, "1k"}, {1500, 500, "1.5k"},
		{10_000, 10_000, "10k"}, {1e6, 1e6, "1M"}, {2.5e6, 5e5, "2.5M"}, {3e9, 1e9, "3B"}, {1e12, 1e12, "1T"},
		{-2000, 1000, "-2k"}, {1_000_002, 2, "1000002"}, {1e-7, 1e-7, "1e-07"}, {-1e-18, 0.1, "0.0"},
	} {
		if got := tickLabel(tc.v, tc.by); got != tc.want {
			t.Errorf("tickLabel(%v, %v): want %q, got %q", tc.v, tc.by, tc.want, got)
		}
	}
}

func labels(ticks []plot.Tick) []string {
	var out []string
	for _, tick := range ticks {
		if tick.Label != "" {
			out = append(out, tick.Label)
		}
	}
	return out
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		ticks []plot.Tick
		want  string
	}{
		{"score", linearTicks(0, 1, 6), "0.0 0.2 0.4 0.6 0.8 1.0"},
		{"characters", linearTicks(0, 50_000, 6), "0 10k 20k 30k 40k 50k"},
		{"four decades", logTicks(3, 7), "1k 10k 100k 1M 10M"},
		{"one decade", logTicks(1, 2), "10 20 50 100"},
		{"within a decade", logTicks(math.Log10(42), math.Log10(47)), "42 43 44 45 46 47"},
	} {
		if got := strings.Join(labels(tc.ticks), " "); got != tc.want {
			t.Errorf("%s: want %q, got %q", tc.name, tc.want, got)
		}
	}
}

func TestTicksAtMeasuredHorizons(t *testing.T) {
	t.Parallel()
	s := Axis{Scale: Log}.span(1, math.Log10(200), 0.05, 0.05)
	s.useValues(Axis{Scale: Log}, []float64{200, 10, 25, 50, 100, 10}, 300)
	if got := labels(s.ticks); !cmp.Equal(got, []string{"10", "25", "50", "100", "200"}) {
		t.Errorf("got %q", got)
	}
	s.useValues(Axis{Scale: Log}, []float64{100, 101, 200}, 300)
	if got := labels(s.ticks); !cmp.Equal(got, []string{"100", "200"}) {
		t.Errorf("labels overlap: got %q", got)
	}
}

func TestMarkersAtXZeroStayInsideTheFrame(t *testing.T) {
	t.Parallel()
	l := four()
	l.X.Scale = Linear
	for i := range l.Series {
		l.Series[i].Points = []Point{{X: 0, Y: 1}, {X: 50, Y: 1}}
	}
	curves := curveSet(l.curves())
	xs, ys := l.spans(curves, 300)
	plt := newPlot(l.X, l.Y, xs, ys)
	c := plt.DataCanvas(draw.New(vgsvg.New(400, 250)))
	for _, s := range curves.spots(c, plt) {
		if s.at.X-markerRadius < c.Min.X || s.at.X+markerRadius > c.Max.X || s.at.Y+markerRadius > c.Max.Y {
			t.Errorf("marker at %v is cut by the frame %v", s.at, c.Rectangle)
		}
	}
}

func TestLinearTicksAreFewDistinctAndInside(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		lo := rapid.Float64Range(-1e6, 1e6).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0.01, 1e6).Draw(t, "width")
		seen := map[string]bool{}
		for _, tick := range linearTicks(lo, hi, 6) {
			if seen[tick.Label] || tick.Value < lo-1e-5*(hi-lo) || tick.Value > hi+1e-5*(hi-lo) {
				t.Fatalf("bad tick %+v in %v…%v", tick, lo, hi)
			}
			seen[tick.Label] = true
		}
		if len(seen) < 2 || len(seen) > 8 {
			t.Fatalf("%d ticks in %v…%v", len(seen), lo, hi)
		}
	})
}

func TestStyleFollowsTheName(t *testing.T) {
	t.Parallel()
	a := assign([]string{"zeta", "react", "alpha", "react (paper)"})
	b := assign([]string{"alpha", "react (paper)", "zeta"})
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(look{})); diff != "" {
		t.Errorf("order of series changes styles: %s", diff)
	}
	if a["react"].colour != vermillion || a["zeta"].colour == a["alpha"].colour {
		t.Errorf("got %+v", a)
	}
	seen := map[shade]string{}
	for name, l := range looks {
		if other, twice := seen[shade{l.colour, l.marker}]; twice {
			t.Errorf("%s and %s look alike", name, other)
		}
		seen[shade{l.colour, l.marker}] = name
	}
}

func TestPartsOfOneChartDifferInColour(t *testing.T) {
	t.Parallel()
	seen := map[any]bool{}
	for _, c := range assignFills([]string{"step", "instructions", "retry", "summary", "history", "other", "state"}) {
		if seen[c] {
			t.Errorf("colour %v comes twice", c)
		}
		seen[c] = true
	}
}

func TestCoincidentMarkersStandSideBySide(t *testing.T) {
	t.Parallel()
	l := four()
	curves := curveSet(l.curves())
	xs, ys := l.spans(curves, 300)
	plt := newPlot(l.X, l.Y, xs, ys)
	spots := curves.spots(plt.DataCanvas(draw.New(vgsvg.New(400, 250))), plt)
	if len(spots) != 20 {
		t.Fatalf("want 20 markers, got %d", len(spots))
	}
	for i, a := range spots {
		for _, b := range spots[:i] {
			if dx := a.at.X - b.at.X; dx < 5 && dx > -5 && a.at.Y == b.at.Y {
				t.Errorf("markers of curves %d and %d are %v points apart", a.curve, b.curve, dx)
			}
		}
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain": "plain", "Σ und é": "Σ und é", "e\u0301": "é", "日本": "??", "Ｆｕｌｌ": "Full", "ﬁne": "fine",
		"a\nb\tc": "a b c", "bad\xff": "bad?", "nul\x00": "nul?", "hid\u200bden\u202e": "hidden", "🙂": "?",
	} {
		if got := printable(in); got != want && !(in == "ﬁne" && got == in) {
			t.Errorf("printable(%q): want %q, got %q", in, want, got)
		}
	}
	if got := []rune(printable(strings.Repeat("x", 5000))); len(got) != maxRunes || got[maxRunes-1] != '…' {
		t.Errorf("long text: got %d runes", len(got))
	}
}

func TestWrapKeepsEveryLetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := printable(rapid.StringN(0, 120, -1).Draw(t, "s"))
		width := vg.Length(rapid.Float64Range(1, 200).Draw(t, "width"))
		lines := wrap(s, tickStyle, width)
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(strings.Join(lines, "")) != bare(s) {
			t.Fatalf("letters lost: %q", lines)
		}
		for _, line := range lines {
			if tickStyle.Width(line) > width && len([]rune(line)) > 1 {
				t.Fatalf("line %q is wider than %v", line, width)
			}
		}
	})
}

// hostile draws any float64, with the special and extreme ones often.
func hostile() *rapid.Generator[float64] {
	return rapid.OneOf(
		rapid.SampledFrom([]float64{nan, math.Inf(1), math.Inf(-1), 0, 1, -1, 1e15, -1e15, 5e-324, 1e-300, math.MaxFloat64}),
		rapid.Float64Range(-10, 10), rapid.Float64Range(0.001, 1e7))
}

func hostileAxis(t *rapid.T, name string) Axis {
	a := Axis{Label: rapid.String().Draw(t, name), Scale: rapid.SampledFrom([]Scale{"", Linear, Log}).Draw(t, name+" scale")}
	if rapid.Bool().Draw(t, name+" has min") {
		a.Min = ptr(hostile().Draw(t, name+" min"))
	}
	if rapid.Bool().Draw(t, name+" has max") {
		a.Max = ptr(hostile().Draw(t, name+" max"))
	}
	return a
}

func hostileChart(t *rapid.T) Chart {
	x, y := hostileAxis(t, "x"), hostileAxis(t, "y")
	names := rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "names")
	n := rapid.SampledFrom([]int{0, 1, 2, 5, 40}).Draw(t, "n")
	row := rapid.SliceOfN(hostile(), n, n)
	var values [][]float64
	for range names {
		values = append(values, row.Draw(t, "row"))
	}
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		return Stack{Title: rapid.String().Draw(t, "title"), X: x, Y: y, Parts: names, X0: row.Draw(t, "x0"), Values: values}
	case 1:
		cats := rapid.SliceOfN(rapid.String(), n, n).Draw(t, "categories")
		return Bars{Title: rapid.String().Draw(t, "title"), Y: y, Categories: cats, Parts: names, Values: values}
	}
	l := Lines{Note: rapid.String().Draw(t, "note"), X: x, Y: y}
	for i, name := range names {
		s := Series{Name: name, Style: rapid.SampledFrom([]Style{"", Line, Open}).Draw(t, "style")}
		for _, v := range values[i] {
			s.Points = append(s.Points, Point{hostile().Draw(t, "px"), v, hostile().Draw(t, "lo"), hostile().Draw(t, "hi")})
		}
		l.Series = append(l.Series, s)
	}
	return l
}

func TestHostileDataNeverPanics(t *testing.T) {
	t.Parallel()
	drawn := 0
	rapid.Check(t, func(t *rapid.T) {
		svg, err := hostileChart(t).Render("svg")
		if err != nil {
			return
		}
		drawn++
		if err := parseXML(svg); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN", "Inf"} {
			if strings.Contains(stripText(string(svg)), bad) {
				t.Fatalf("%s reached the picture", bad)
			}
		}
	})
	if drawn == 0 {
		t.Error("every chart was refused: the generator tests nothing")
	}
}

// stripText removes what stands between tags.
func stripText(svg string) string {
	var out strings.Builder
	for _, part := range strings.Split(svg, "<") {
		tag, _, _ := strings.Cut(part, ">")
		out.WriteString(tag)
	}
	return out.String()
}
