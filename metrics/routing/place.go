package routing

import (
	"maps"
	"slices"

	"skillbench/metrics/stats"
)

// A Point of a curve: the share of right first decisions where the catalogue, or
// the place of the right skill in it, is From to To.
type Point struct {
	From int `json:"from"`
	To   int `json:"to"`
	stats.Proportion
}

// places are the ranges in which absolute places are shown.
var places = [][2]int{{1, 1}, {2, 3}, {4, 5}, {6, 10}, {11, 15}, {16, 20}, {21, 30}, {31, 50}, {51, 100}, {101, 200}, {201, 500}}

// byPlace is accuracy by the absolute place of the right skill.
func (t *tally) byPlace() []Point {
	points := []Point{}
	for _, r := range places {
		p := t.share(every, func(l *lot) (h hits) {
			for at, one := range l.places {
				if at >= r[0] && at <= r[1] {
					h.add(one.k, one.n)
				}
			}
			return h
		})
		if p.N > 0 {
			points = append(points, Point{r[0], r[1], p})
		}
	}
	return points
}

// bySize is accuracy by the number of skills offered.
func (t *tally) bySize() []Point {
	sizes := map[int]bool{}
	for _, l := range t.lots {
		for n := range l.offered {
			sizes[n] = true
		}
	}
	points := []Point{}
	for _, size := range slices.Sorted(maps.Keys(sizes)) {
		points = append(points, Point{size, size, t.share(every, func(l *lot) hits { return l.offered[size] })})
	}
	return points
}

// byFifth is accuracy by the fifth of the catalogue in which the right skill
// stands.
func (t *tally) byFifth() []Point {
	points := []Point{}
	for i := range fifths {
		points = append(points, Point{i + 1, i + 1, t.share(every, func(l *lot) hits { return l.fifths[i] })})
	}
	return points
}

// A Verdict says whether the place of the right skill matters.
type Verdict string

const (
	Flagged    Verdict = "flagged"
	NotFlagged Verdict = "not flagged"
	TooFew     Verdict = "too few"
	NotDrawn   Verdict = "not drawn" // the place is that of a ranking, which finds what is easy first
)

// A Bias is the test of whether right skills are found less, or more, often
// where they stand later in the catalogue. It is flagged where the interval of
// the difference between the last fifth and the first leaves out 0 and the p of
// the trend is below 0.01.
type Bias struct {
	Verdict    Verdict        `json:"verdict"`
	Messages   int            `json:"messages"`   // whose right skill is in the catalogue
	Difference stats.Value    `json:"difference"` // last fifth - first
	Interval   stats.Interval `json:"interval"`   // Newcombe's, from intervals over sessions
	Trend      stats.Trend    `json:"trend"`      // per length of the catalogue, sessions as units
}

// Below fewest messages in the first or the last fifth, and where no data as
// many can reach a p below alpha, there are too few to tell.
const (
	fewest = 10
	alpha  = 0.01
)

func (t *tally) bias() Bias {
	var levels []stats.Level
	for key, l := range t.lots {
		for i, h := range l.fifths {
			levels = append(levels, stats.Level{Cluster: key.cluster, At: (float64(i) + 0.5) / fifths, K: h.k, N: h.n})
		}
	}
	points := t.byFifth()
	first, last := points[0].Proportion, points[fifths-1].Proportion
	b := Bias{Trend: stats.TrendClustered(levels), Verdict: NotFlagged}
	b.Messages = b.Trend.N
	b.Difference, b.Interval = stats.Newcombe(last, first)
	test := b.Trend.Test
	switch total := t.total(); {
	case total[inRank] > 0:
		b.Verdict = NotDrawn
	case first.N < fewest || last.N < fewest || b.Trend.Clusters < 2 || !b.Interval.OK(), test.P.OK && test.Smallest.V >= alpha:
		b.Verdict = TooFew
	case test.P.OK && test.P.V < alpha && (b.Interval.Low.V > 0 || b.Interval.High.V < 0):
		b.Verdict = Flagged
	}
	return b
}

// Recall is the share of messages whose right skill is among the first K that a
// recall brought up.
type Recall struct {
	K int `json:"k"`
	stats.Proportion
}

// depths are the numbers of candidates at which recall is shown.
var depths = []int{1, 2, 3, 5, 10, 20, 50}

// recall has the depths up to the first at which nothing more is found.
func (t *tally) recall() []Recall {
	deepest, some := 0, false
	for _, l := range t.lots {
		for rank := range l.ranks {
			deepest, some = max(deepest, rank), true
		}
	}
	list := []Recall{}
	for i, k := range depths {
		if !some || i > 0 && depths[i-1] >= deepest {
			break
		}
		list = append(list, Recall{k, t.share(every, func(l *lot) (h hits) {
			for rank, n := range l.ranks {
				h.add(n*one(rank > 0 && rank <= k), n)
			}
			return h
		})})
	}
	return list
}
