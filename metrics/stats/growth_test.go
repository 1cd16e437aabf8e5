package stats

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func curveOf(a, b float64, horizons ...float64) []Point {
	var points []Point
	for _, t := range horizons {
		points = append(points, Point{t, a*t + b*t*t})
	}
	return points
}

func TestFitGrowthExact(t *testing.T) {
	t.Parallel()
	g := FitGrowth(curveOf(800, 2.5, 10, 20, 50, 100, 200), 100, 0)
	near(t, "a", g.A, 800, 1e-9)
	near(t, "b", g.B, 2.5, 1e-11)
	near(t, "share at 100", g.Share, 250.0/1050, 1e-12)
	near(t, "R²", g.R2, 1, 0)
	absent(t, "standard error", g.ASE)
	absent(t, "interval", g.BInterval.Low)
	warned(t, g.Warnings, "exact fit: no standard errors")

	linear := FitGrowth(curveOf(800, 0, 10, 20, 50, 100, 200), 100, 0)
	near(t, "share of a line", linear.Share, 0, 1e-12)
	near(t, "exponent of a line", linear.Exponents.Overall, 1, 1e-12)
	square := FitGrowth(curveOf(0, 3, 10, 20, 50), 0, 0)
	near(t, "share of a square", square.Share, 1, 1e-12)
	near(t, "exponent of a square", square.Exponents.Overall, 2, 1e-12)
	near(t, "largest horizon", Of(square.ShareAt), 50, 0)
	near(t, "local exponent", square.Exponents.Local[1].Exponent, 2, 1e-12)
}

// Checked against an independent least-squares program.
func TestFitGrowthNoisy(t *testing.T) {
	t.Parallel()
	points := []Point{{10, 900}, {20, 2100}, {50, 7000}, {100, 20500}, {200, 66000}}
	g := FitGrowth(points, 200, 0)
	near(t, "a", g.A, 78.828222, 1e-6)
	near(t, "b", g.B, 1.25608761, 1e-8)
	near(t, "se of a", g.ASE, 0.92525524, 1e-8)
	near(t, "se of b", g.BSE, 0.00515652, 1e-8)
	near(t, "low of a", g.AInterval.Low, 75.88364687, 1e-6)
	near(t, "high of b", g.BInterval.High, 1.27249795, 1e-8)
	near(t, "R²", g.R2, 0.9999964450912402, 1e-12)
	e := g.Exponents
	near(t, "exponent", e.Overall, 1.42697719, 1e-8)
	near(t, "se of exponent", e.SE, 0.05405168, 1e-8)
	near(t, "low of exponent", e.Interval.Low, 1.25496063, 1e-7)
	near(t, "local", e.Local[0].Exponent, math.Log2(2100.0/900), 1e-12)
	warned(t, g.Warnings)
}

func TestFitGrowthDoubt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		points    []Point
		fit, errs bool
		want      []string
	}{
		{"none", nil, false, false, []string{"0 horizons: no growth fit"}},
		{"one horizon", []Point{{10, 5}, {10, 6}, {10, 7}}, false, false, []string{"1 horizon: no growth fit"}},
		{"two points", curveOf(1, 1, 10, 20), true, false, []string{"2 horizons: the shape of the curve is not tested", "2 points: no standard errors"}},
		{"two horizons", []Point{{10, 5}, {20, 16}, {20, 17}}, true, true, []string{"2 horizons: the shape of the curve is not tested"}},
		{"negative", []Point{{10, 20}, {20, 30}, {40, 35}}, true, true, []string{"a coefficient is negative: the quadratic share is outside 0 to 1"}},
		{"unusable", append(curveOf(2, 1, 1, 2, 4), Point{0, 1}, Point{-1, 3}, Point{3, math.NaN()}), true, false,
			[]string{"3 points not finite or with T ≤ 0: left out", "exact fit: no standard errors"}},
		{"huge", []Point{{1, math.MaxFloat64}, {2, math.MaxFloat64}, {3, math.MaxFloat64}}, false, false,
			[]string{"numbers too large or horizons too close: no growth fit"}},
	} {
		g := FitGrowth(c.points, 0, 0)
		if g.A.OK != c.fit || g.B.OK != c.fit || g.ASE.OK != c.errs || g.BInterval.OK() != c.errs {
			t.Errorf("%s: got %+v", c.name, g)
		}
		if diff := cmp.Diff(c.want, g.Warnings); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestExponentsLeaveOutNothingSilently(t *testing.T) {
	t.Parallel()
	g := FitGrowth([]Point{{10, 0}, {20, 40}, {40, 80}}, 0, 0)
	near(t, "overall", g.Exponents.Overall, 1, 1e-12)
	absent(t, "se of two points", g.Exponents.SE)
	absent(t, "local from 0", g.Exponents.Local[0].Exponent)
	near(t, "local", g.Exponents.Local[1].Exponent, 1, 1e-12)
	warned(t, g.Exponents.Warnings, "1 total not positive: left out of the exponent")
}
