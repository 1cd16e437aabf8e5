package stats

import (
	"cmp"
	"math"
	"slices"
)

// A Point is the total cost of one episode, such as its tokens, at horizon T.
type Point struct {
	T     float64
	Total float64
}

// A Growth is the least-squares fit total = A·T + B·T², through the origin
// because an episode of no steps costs nothing. A is what a step costs by
// itself, B what each step adds to all later ones.
type Growth struct {
	N         int       `json:"n"`
	Horizons  int       `json:"horizons"` // distinct T
	A         Value     `json:"a"`
	B         Value     `json:"b"`
	ASE       Value     `json:"a_se"`
	BSE       Value     `json:"b_se"`
	AInterval Interval  `json:"a_interval"` // Student's t, n-2 degrees of freedom
	BInterval Interval  `json:"b_interval"`
	Share     Value     `json:"quadratic_share"` // of the fitted total at ShareAt
	ShareAt   float64   `json:"quadratic_share_at"`
	R2        Value     `json:"r2"` // against the mean total, so it can be negative
	Exponents Exponents `json:"exponents"`
	Warnings  []string  `json:"warnings,omitempty"`
}

// FitGrowth fits points and reports the share of the quadratic term at
// horizon at; at 0 means the largest horizon and confidence 0 means
// [DefaultConfidence]. Points with a T that is not positive, or numbers that
// are not finite, are left out with a warning.
//
// The fit needs two distinct horizons, standard errors need three points, and
// only three horizons can show that the curve has this shape at all. Errors
// are taken as independent and equally large at all T; where longer episodes
// vary more, the intervals are rough.
func FitGrowth(points []Point, at, confidence float64) Growth {
	points, dropped := usable(points)
	g := Growth{N: len(points), Horizons: len(byHorizon(points))}
	if dropped > 0 {
		g.Warnings = append(g.Warnings, plural(dropped, "point")+" not finite or with T ≤ 0: left out")
	}
	confidence, wrong := level(confidence)
	if wrong != "" {
		g.Warnings = append(g.Warnings, wrong)
	}
	g.AInterval.Confidence, g.BInterval.Confidence = confidence, confidence
	g.Exponents = exponents(points, confidence)
	if g.Horizons < 2 {
		g.Warnings = append(g.Warnings, plural(g.Horizons, "horizon")+": no growth fit")
		return g
	}
	if g.Horizons == 2 {
		g.Warnings = append(g.Warnings, "2 horizons: the shape of the curve is not tested")
	}
	if at == 0 {
		at = points[len(points)-1].T
	}
	g.fit(points, confidence)
	g.share(at)
	return g
}

func (g *Growth) fit(points []Point, confidence float64) {
	basis := newBasis(points)
	a, b := basis.solve(points)
	if !finite(a) || !finite(b) {
		g.Warnings = append(g.Warnings, "numbers too large or horizons too close: no growth fit")
		return
	}
	g.A, g.B = Of(a), Of(b)
	residual := g.judge(points)
	df := float64(len(points) - 2)
	switch {
	case df < 1:
		g.Warnings = append(g.Warnings, "2 points: no standard errors")
	case residual == 0:
		g.Warnings = append(g.Warnings, "exact fit: no standard errors")
	default:
		aSE, bSE := basis.errors(math.Sqrt(residual / df))
		g.ASE, g.BSE = Of(aSE), Of(bSE)
		g.AInterval = tInterval(a, aSE, df, confidence)
		g.BInterval = tInterval(b, bSE, df, confidence)
	}
}

// basis is x = T/scale and z = x² - tilt·x, which is orthogonal to x over the
// points: T and T² are nearly parallel and the plain normal equations lose
// digits.
type basis struct {
	scale, tilt float64
	xx, zz      float64 // sums of squares
}

func newBasis(points []Point) basis {
	b := basis{scale: points[len(points)-1].T}
	var xxx float64
	for _, p := range points {
		x := p.T / b.scale
		b.xx += x * x
		xxx += x * x * x
	}
	b.tilt = xxx / b.xx
	for _, p := range points {
		_, z := b.of(p.T)
		b.zz += z * z
	}
	return b
}

func (b basis) of(t float64) (x, z float64) {
	x = t / b.scale
	return x, x*x - b.tilt*x
}

// solve returns the coefficients of T and T².
func (b basis) solve(points []Point) (linear, quadratic float64) {
	var xy, zy float64
	for _, p := range points {
		x, z := b.of(p.T)
		xy += x * p.Total
		zy += z * p.Total
	}
	q := zy / b.zz
	return (xy/b.xx - b.tilt*q) / b.scale, q / (b.scale * b.scale)
}

// errors returns the standard errors of both for residuals of standard
// deviation s.
func (b basis) errors(s float64) (linear, quadratic float64) {
	return s * math.Sqrt(1/b.xx+b.tilt*b.tilt/b.zz) / b.scale, s / math.Sqrt(b.zz) / (b.scale * b.scale)
}

// judge sets R2 and returns the residual sum of squares, 0 if it is rounding.
func (g *Growth) judge(points []Point) float64 {
	totals := make([]float64, len(points))
	for i, p := range points {
		totals[i] = p.Total
	}
	centre := mean(totals)
	var residual, around, size float64
	for _, p := range points {
		r := p.Total - g.A.V*p.T - g.B.V*p.T*p.T
		residual += r * r
		around += (p.Total - centre) * (p.Total - centre)
		size += p.Total * p.Total
	}
	if residual <= rounding*rounding*size {
		residual = 0
	}
	if !flat(totals) {
		g.R2 = Of(1 - residual/around)
	}
	return residual
}

func (g *Growth) share(at float64) {
	if !finite(at) || at <= 0 {
		return
	}
	g.ShareAt = at
	total := g.A.V*at + g.B.V*at*at
	if !g.A.OK || total <= 0 {
		return
	}
	g.Share = Of(g.B.V * at * at / total)
	if g.Share.V < -rounding || g.Share.V > 1+rounding {
		g.Warnings = append(g.Warnings, "a coefficient is negative: the quadratic share is outside 0 to 1")
	}
}

// usable returns the points that can be fitted, by T and total.
func usable(points []Point) (sorted []Point, dropped int) {
	for _, p := range points {
		if finite(p.T) && finite(p.Total) && p.T > 0 {
			sorted = append(sorted, p)
		}
	}
	slices.SortFunc(sorted, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Total, b.Total))
	})
	return sorted, len(points) - len(sorted)
}

// byHorizon returns one point per distinct T with the mean of its totals.
func byHorizon(points []Point) []Point {
	var means []Point
	for i := 0; i < len(points); {
		var totals []float64
		t := points[i].T
		for ; i < len(points) && points[i].T == t; i++ {
			totals = append(totals, points[i].Total)
		}
		means = append(means, Point{T: t, Total: mean(totals)})
	}
	return means
}
