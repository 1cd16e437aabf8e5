package charts

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

var nan = math.NaN()

func ptr(v float64) *float64 { return &v }

func four() Lines {
	l := Lines{
		Title: "Score <&> horizon", Subtitle: `"quoted"`, Note: "a > b",
		X: Axis{Label: "horizon T (events)", Scale: Log},
		Y: Axis{Label: "score", Min: ptr(0), Max: ptr(1)},
	}
	for _, name := range []string{"react", "memory", "stateful", "skillstate"} {
		s := Series{Name: name}
		for _, x := range []float64{10, 25, 50, 100, 200} {
			s.Points = append(s.Points, Point{X: x, Y: 1, Lo: 0.9, Hi: 1})
		}
		l.Series = append(l.Series, s)
	}
	return l
}

func samples() map[string]Chart {
	return map[string]Chart{
		"lines": four(),
		"open":  Lines{Series: []Series{{Name: "react (paper)", Style: Open, Points: []Point{{X: 1, Y: 2}}}}},
		"stack": Stack{
			Title: "Parts", X: Axis{Label: "step"}, Y: Axis{Label: "characters"},
			Parts: []string{"instructions", "history"}, X0: []float64{0, 1, 2, 3},
			Values: [][]float64{{5, 5, nan, 5}, {0, 3, 6, 9}},
		},
		"bars": Bars{
			Title: "Errors", Y: Axis{Label: "n"}, Categories: []string{"a", "b"},
			Parts: []string{"x", "y"}, Values: [][]float64{{1, nan}, {2, nan}},
		},
		"flat bars": Bars{
			Categories: []string{strings.Repeat("long", 30), "b"},
			Parts:      []string{"x"}, Values: [][]float64{{1, 2}},
		},
		"strips": Strips{
			Title: "After the alert", X: Axis{Label: "announcement"}, Rows: []string{"react", "memory"}, Columns: []string{"1", "2"},
			Parts: []string{"recovered", "other"}, Values: [][][]float64{{{0, 0.5}, {1, 0.5}}, {{nan, nan}, {nan, nan}}},
		},
		"heat":      matrix(),
		"no heat":   Heat{},
		"no strips": Strips{},
		"no bars":   Bars{},
		"no lines":  Lines{},
		"no stack":  Stack{},
	}
}

func mustRender(t *testing.T, c Chart, format string) []byte {
	t.Helper()
	out, err := c.Render(format)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRenderIsReproducible(t *testing.T) {
	t.Parallel()
	for name, c := range samples() {
		for _, format := range []string{"png", "svg"} {
			if !bytes.Equal(mustRender(t, c, format), mustRender(t, c, format)) {
				t.Errorf("%s: two %s renderings differ", name, format)
			}
		}
	}
}

func TestSVGIsXML(t *testing.T) {
	t.Parallel()
	for name, c := range samples() {
		if err := parseXML(mustRender(t, c, "svg")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if svg := mustRender(t, four(), "svg"); !bytes.Contains(svg, []byte("Score &lt;&amp;&gt; horizon")) {
		t.Error("the title is missing or not escaped")
	}
}

func parseXML(svg []byte) error {
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestPNGSize(t *testing.T) {
	t.Parallel()
	img, err := png.Decode(bytes.NewReader(mustRender(t, four(), "png")))
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Bounds().Dx(); got != 945 {
		t.Errorf("16 cm at 150 dpi: want 945 pixels, got %d", got)
	}
}

func TestRenderRefuses(t *testing.T) {
	t.Parallel()
	line := func(y Axis, p Point) Lines {
		return Lines{Y: y, Series: []Series{{Name: "culprit", Points: []Point{p}}}}
	}
	for name, tc := range map[string]struct {
		chart Chart
		want  string
	}{
		"zero on log y":     {line(Axis{Scale: Log}, Point{X: 1, Y: 0}), `series "culprit": y value 0 cannot be shown on a log scale`},
		"negative on log y": {line(Axis{Scale: Log}, Point{X: 1, Y: -2}), `series "culprit": y value -2`},
		"zero on log x":     {Lines{X: Axis{Scale: Log}, Series: []Series{{Name: "culprit", Points: []Point{{X: 0, Y: 1}}}}}, `series "culprit": x value 0`},
		"too large":         {line(Axis{}, Point{X: 1, Y: 1e200}), `series "culprit": y value 1e+200 is beyond`},
		"band upside down":  {line(Axis{}, Point{X: 1, Y: 1, Lo: 3, Hi: 2}), `series "culprit": want a band`},
		"unknown scale":     {line(Axis{Scale: "cubic"}, Point{}), `want scale`},
		"log end at zero":   {line(Axis{Scale: Log, Min: ptr(0)}, Point{X: 1, Y: 1}), `needs ends above zero`},
		"ends swapped":      {line(Axis{Min: ptr(2), Max: ptr(1)}, Point{}), `want min below max`},
		"unknown style":     {Lines{Series: []Series{{Name: "culprit", Style: "wavy"}}}, `series "culprit": want style`},
		"too many series":   {Lines{Series: make([]Series, 65)}, `want 64 series at most`},
		"log stack":         {Stack{Y: Axis{Scale: Log}}, `must be linear`},
		"stack from 1":      {Stack{Y: Axis{Min: ptr(1)}}, `starts at 0`},
		"negative part":     {Bars{Categories: []string{"a"}, Parts: []string{"culprit"}, Values: [][]float64{{-1}}}, `part "culprit": value -1`},
		"ragged":            {Bars{Categories: []string{"a"}, Parts: []string{"culprit"}, Values: [][]float64{{}}}, `part "culprit": want 1 values, got 0`},
		"parts and rows":    {Stack{Parts: []string{"a"}}, `1 parts but 0 rows`},
	} {
		if _, err := tc.chart.Render("svg"); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want an error with %q, got %v", name, tc.want, err)
		}
	}
	if _, err := four().Render("gif"); err == nil {
		t.Error("format gif: want an error")
	}
}

func TestLogBandBelowZeroIsClamped(t *testing.T) {
	t.Parallel()
	l := Lines{Y: Axis{Scale: Log}, Series: []Series{{Name: "a", Points: []Point{{1, 5, -3, 13}, {2, 6, -1, 13}}}}}
	svg := stripText(string(mustRender(t, l, "svg")))
	if strings.Contains(svg, "Inf") || strings.Contains(svg, "NaN") {
		t.Error("an endless band edge reached the picture")
	}
	if !strings.Contains(svg, "fill-opacity:0.14") {
		t.Error("the band is missing")
	}
}

func TestSeriesWithoutPointsSaysSo(t *testing.T) {
	t.Parallel()
	l := Lines{Series: []Series{{Name: "ghost"}, {Name: "gap", Points: []Point{{X: 1, Y: nan}, {X: nan, Y: 1}}}, {Name: "one", Points: []Point{{X: 1, Y: 1}}}}}
	svg := string(mustRender(t, l, "svg"))
	for _, want := range []string{">ghost (no data)<", ">gap (no data)<", ">one<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("legend lacks %q", want)
		}
	}
}

func TestLongLegendIsNotCut(t *testing.T) {
	t.Parallel()
	l := Lines{}
	for i := range maxSeries {
		l.Series = append(l.Series, Series{Name: strings.Repeat("wide name ", 8) + string(rune('A'+i%26))})
	}
	keys := curveLegend(l.curves())
	if page := newPage("", "", "", keys); page.body < keys.height() {
		t.Errorf("plot height %v is below the legend's %v", page.body, keys.height())
	}
	if w := keys.width(); w > legendMost+legendGap+6 {
		t.Errorf("legend is %v wide, want %v at most", w, legendMost+legendGap+6)
	}
	mustRender(t, l, "svg")
}

func BenchmarkLines(b *testing.B) {
	for _, format := range []string{"png", "svg"} {
		b.Run(format, func(b *testing.B) {
			for b.Loop() {
				if _, err := four().Render(format); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
