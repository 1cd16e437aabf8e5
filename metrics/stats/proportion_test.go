package stats

import (
	"math"
	"testing"
)

func TestWilson(t *testing.T) {
	t.Parallel()
	p := Wilson(8, 10, 0)
	near(t, "share", p.Share, 0.8, 0)
	near(t, "low 8/10", p.Interval.Low, 0.4901625, 1e-7)
	near(t, "high 8/10", p.Interval.High, 0.9433178, 1e-7)
	warned(t, p.Warnings)
	// Newcombe 1998, table I: 81/263 and 0/20.
	p = Wilson(81, 263, 0)
	near(t, "low 81/263", p.Interval.Low, 0.2553, 5e-5)
	near(t, "high 81/263", p.Interval.High, 0.3662, 5e-5)
	p = Wilson(0, 20, 0)
	near(t, "low 0/20", p.Interval.Low, 0, 0)
	near(t, "high 0/20", p.Interval.High, 0.1611, 5e-5)
}

func TestWilsonAbsent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, n       int
		confidence float64
		share      bool
		want       string
	}{
		{0, 0, 0, false, "no trials"},
		{3, 2, 0, false, "3 of 2: want 0 ≤ k ≤ n"},
		{-1, 2, 0, false, "-1 of 2: want 0 ≤ k ≤ n"},
		{1, 2, -0.95, true, "confidence -0.95: want a number between 0 and 1: no interval"},
	} {
		p := Wilson(c.k, c.n, c.confidence)
		if p.Share.OK != c.share || p.Interval.OK() {
			t.Errorf("%d of %d: got %+v", c.k, c.n, p)
		}
		warned(t, p.Warnings, c.want)
	}
}

// Each cluster all right or all wrong: n steps are worth as many trials as
// there are clusters, but for the m/(m-1) of a variance estimate.
func TestWilsonClusteredExtreme(t *testing.T) {
	t.Parallel()
	counts := []Count{{"a", 10, 10}, {"b", 0, 10}, {"c", 10, 10}, {"d", 0, 10}, {"e", 10, 10}, {"f", 0, 10}}
	p := WilsonClustered(counts, 0)
	near(t, "effective n", p.Effective, 5, 1e-9)
	// For a share of one half, half the width is t/2/√(n+t²); t(5) is 2.570582.
	half := 2.570582 / 2 / math.Sqrt(5+2.570582*2.570582)
	near(t, "low", p.Interval.Low, 0.5-half, 1e-6)
	near(t, "high", p.Interval.High, 0.5+half, 1e-6)
	warned(t, p.Warnings)
}

func TestWilsonClusteredFallsBack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		counts []Count
		k, n   int
		want   string
	}{
		{"one seed", []Count{{"a", 4, 5}, {"a", 4, 5}, {"b", 0, 0}}, 8, 10, "1 seed: the interval takes trials as independent"},
		{"all right", []Count{{"a", 5, 5}, {"b", 5, 5}}, 10, 10, "all outcomes equal: the interval takes trials as independent"},
		{"bad count", []Count{{"a", 4, 5}, {"b", 6, 5}}, 4, 5, "1 count outside 0 ≤ k ≤ n: left out"},
		{"none", nil, 0, 0, "no trials"},
	} {
		p := WilsonClustered(c.counts, 0)
		if want := Wilson(c.k, c.n, 0); p.Interval != want.Interval || p.K != c.k || p.N != c.n {
			t.Errorf("%s: got %+v, want that of Wilson, %+v", c.name, p, want)
		}
		warned(t, p.Warnings, c.want)
	}
}

// Clusters more alike than chance do not narrow the interval.
func TestWilsonClusteredNeverGains(t *testing.T) {
	t.Parallel()
	p := WilsonClustered([]Count{{"a", 5, 10}, {"b", 5, 10}, {"c", 5, 10}}, 0)
	near(t, "effective n", p.Effective, 30, 0)
	warned(t, p.Warnings, "3 seeds: the interval is wide")
}
