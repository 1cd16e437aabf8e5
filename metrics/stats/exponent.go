package stats

import (
	"math"
)

// Exponents describe growth as a power of T: the slope of log total over
// log T. They describe and do not explain: a·T + b·T² has no single exponent.
type Exponents struct {
	Overall  Value           `json:"overall"` // least squares over all points
	SE       Value           `json:"se"`
	Interval Interval        `json:"interval"` // Student's t, n-2 degrees of freedom
	Local    []LocalExponent `json:"local,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

// A LocalExponent is the slope between mean totals of neighbouring horizons.
type LocalExponent struct {
	From     float64 `json:"from"`
	To       float64 `json:"to"`
	Exponent Value   `json:"exponent"` // absent if a mean total is not positive
}

// exponents takes points as usable sorts them.
func exponents(points []Point, confidence float64) Exponents {
	e := Exponents{Local: localExponents(points)}
	e.Interval.Confidence = confidence
	var logs []Point
	for _, p := range points {
		if p.Total > 0 {
			logs = append(logs, Point{T: math.Log(p.T), Total: math.Log(p.Total)})
		}
	}
	if n := len(points) - len(logs); n > 0 {
		e.Warnings = append(e.Warnings, plural(n, "total")+" not positive: left out of the exponent")
	}
	if len(byHorizon(logs)) < 2 {
		e.Warnings = append(e.Warnings, plural(len(byHorizon(logs)), "horizon")+": no exponent")
		return e
	}
	e.fit(logs, confidence)
	return e
}

func (e *Exponents) fit(logs []Point, confidence float64) {
	n := float64(len(logs))
	var mx, my float64
	for _, p := range logs {
		mx += p.T / n
		my += p.Total / n
	}
	var sxx, sxy float64
	for _, p := range logs {
		sxx += (p.T - mx) * (p.T - mx)
		sxy += (p.T - mx) * (p.Total - my)
	}
	slope := sxy / sxx
	e.Overall = Of(slope)
	if !e.Overall.OK || n < 3 {
		return
	}
	var residual, size float64
	for _, p := range logs {
		r := p.Total - my - slope*(p.T-mx)
		residual += r * r
		size += p.Total * p.Total
	}
	if residual <= rounding*rounding*size {
		e.Warnings = append(e.Warnings, "exact fit: no standard error of the exponent")
		return
	}
	e.SE = Of(math.Sqrt(residual / (n - 2) / sxx))
	e.Interval = tInterval(slope, e.SE.V, n-2, confidence)
}

func localExponents(points []Point) []LocalExponent {
	means := byHorizon(points)
	var local []LocalExponent
	for i := 1; i < len(means); i++ {
		a, b := means[i-1], means[i]
		l := LocalExponent{From: a.T, To: b.T}
		if a.Total > 0 && b.Total > 0 {
			l.Exponent = Of(math.Log(b.Total/a.Total) / math.Log(b.T/a.T))
		}
		local = append(local, l)
	}
	return local
}
