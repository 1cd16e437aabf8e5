package patcherr

import (
	"fmt"
	"math"

	"skillbench/metrics/charts"
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// maxBars is how many groups a chart shows.
const maxBars = 60

// Shares is the chart of the paper's three kinds, the published one among them.
// Groups without a Σ are left out.
func (r *Report) Shares() charts.Chart {
	p := paper.ErrorTaxonomy()
	b := charts.Bars{Title: "Patch errors by kind", Y: charts.Axis{Label: "share of the three kinds"},
		Subtitle: fmt.Sprintf("paper: %s, %s, T=%d%s", p.Model, p.Task, p.Horizon, r.more("; "))}
	var groups []*Group
	for _, g := range r.bars() {
		if g.stateful() {
			groups = append(groups, g)
			b.Categories = append(b.Categories, g.Label)
		}
	}
	b.Categories = append(b.Categories, "paper")
	for _, bucket := range Buckets()[:3] {
		row := make([]float64, 0, len(b.Categories))
		for _, g := range groups {
			row = append(row, drawn(g.Share(First, bucket).Share))
		}
		b.Parts, b.Values = append(b.Parts, string(bucket)), append(b.Values, append(row, drawn(Published(bucket))))
	}
	return b
}

// Rates is the chart of errors per 100 steps by class.
func (r *Report) Rates() charts.Chart {
	b := charts.Bars{Title: "Errors by class", Subtitle: r.more(""), Y: charts.Axis{Label: "steps with the class per 100 steps"}}
	for _, g := range r.bars() {
		b.Categories = append(b.Categories, g.Label)
	}
	for _, class := range Classes() {
		row := make([]float64, 0, len(b.Categories))
		total := 0
		for _, g := range r.bars() {
			rate := g.Rate(First, OfClass(class)).Steps
			total += rate.K
			row = append(row, 100*drawn(rate.Share))
		}
		if total > 0 {
			b.Parts, b.Values = append(b.Parts, class), append(b.Values, row)
		}
	}
	return b
}

func (r *Report) bars() []*Group { return r.Groups[:min(len(r.Groups), maxBars)] }

// more says that not all groups are drawn.
func (r *Report) more(before string) string {
	if len(r.Groups) > maxBars {
		return fmt.Sprintf("%sthe first %d of %d groups", before, maxBars, len(r.Groups))
	}
	return ""
}

func drawn(v stats.Value) float64 {
	if !v.OK {
		return math.NaN()
	}
	return v.V
}
