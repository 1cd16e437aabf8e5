package report

import (
	"skillbench/metrics/paper"
	"skillbench/metrics/stats"
)

// publishedCell is a figure of the paper with its spread where it has one.
func publishedCell(f paper.Figure, decimals int) Cell {
	c := number(stats.Of(f.Value), decimals)
	if f.HasSD {
		c.SD = stats.Of(f.SD)
	}
	return c
}

// printed is a cell of the paper as it stands there.
func printed(v paper.Value) Cell {
	switch v.Kind {
	case paper.Number:
		return number(stats.Of(v.Number), v.Places)
	case paper.Text:
		return text(v.Text)
	case paper.Flag:
		if v.Flag {
			return text("yes")
		}
		return text("no")
	}
	return Cell{}
}

// meanCell is the mean with its standard deviation over seeds.
func meanCell(s stats.Summary, decimals int) Cell { return spread(s.Mean, s.SD, decimals) }

// rangeCells are an interval's two ends.
func rangeCells(i stats.Interval, decimals int) []Cell {
	return []Cell{number(i.Low, decimals), number(i.High, decimals)}
}

// shareCells are a proportion: out of how many, the share, Wilson's interval.
func shareCells(p stats.Proportion) []Cell {
	return append([]Cell{whole(p.N), number(p.Share, 3)}, rangeCells(p.Interval, 3)...)
}
