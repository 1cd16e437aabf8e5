package patcherr

import (
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// A Comparison sets the error rates per step of two groups side by side, which
// differ in their model or in their strategy and in nothing else, the horizons
// pooled included.
type Comparison struct {
	A, B     *Group
	What     string // any, or a bucket
	Paired   stats.Comparison
	Adjusted stats.Value // Holm's, of the permutation test's p-value, over all comparisons
}

// Compare makes all comparisons there are. Rates are paired by seed: steps of
// one episode are not independent, seeds are.
func Compare(groups []*Group) []Comparison {
	var all []Comparison
	for i, a := range groups {
		for _, b := range groups[i+1:] {
			if !alike(a.Key, b.Key) || !slices.Equal(a.horizons(), b.horizons()) {
				continue
			}
			all = append(all, Comparison{A: a, B: b, What: "any", Paired: stats.Paired(a.bySeed(Any), b.bySeed(Any))})
			for _, bucket := range Buckets() {
				if bucket != Other && !(a.stateful() && b.stateful()) {
					continue
				}
				is := OfBucket(bucket)
				all = append(all, Comparison{A: a, B: b, What: string(bucket), Paired: stats.Paired(a.bySeed(is), b.bySeed(is))})
			}
		}
	}
	ps := make([]stats.Value, len(all))
	for i, c := range all {
		ps[i] = c.Paired.Permutation.P
	}
	for i, p := range stats.Holm(ps) {
		all[i].Adjusted = p
	}
	return all
}

func alike(a, b Key) bool {
	model, agent := a.Model != b.Model || a.Kind != b.Kind, a.Agent != b.Agent
	a.Model, a.Kind, a.Agent = b.Model, b.Kind, b.Agent
	return a == b && model != agent
}

// bySeed is the rate per step of each seed.
func (g *Group) bySeed(is func(string) bool) map[string]float64 {
	hits, steps := map[string]int{}, map[string]int{}
	for _, e := range g.Episodes {
		last := -1
		for _, a := range e.Attempts {
			if is(a.Primary(First)) && a.Step != last {
				last = a.Step
				hits[cluster(e)]++
			}
		}
		steps[cluster(e)] += e.Steps
	}
	rates := map[string]float64{}
	for seed, n := range steps {
		if n > 0 {
			rates[seed] = float64(hits[seed]) / float64(n)
		}
	}
	return rates
}

// A Cost is what errors cost in score: the same cells in a teacher world, where
// every step begins from a true Σ, and in a closed one, where errors stay.
type Cost struct {
	Teacher, Closed *Group
	Score           stats.Comparison // teacher - closed, paired by horizon and seed
	PerError        stats.Value      // right actions lost in the closed world for each error that was made there
}

// Costs pairs groups that differ only in their world.
func Costs(groups []*Group) []Cost {
	var all []Cost
	for _, t := range groups {
		for _, c := range groups {
			k := t.Key
			if k.World != record.Teacher {
				continue
			}
			if k.World = record.Closed; k == c.Key {
				all = append(all, cost(t, c))
			}
		}
	}
	return all
}

func cost(teacher, closed *Group) Cost {
	c := Cost{Teacher: teacher, Closed: closed, Score: stats.Paired(teacher.scores(), closed.scores())}
	right := map[string]int{}
	for _, e := range teacher.Episodes {
		right[cellKey(e.Cell)] = e.Correct
	}
	lost, errors := 0, 0
	for _, e := range closed.Episodes {
		if r, ok := right[cellKey(e.Cell)]; ok && e.Status.Final() {
			lost += r - e.Correct
			errors += e.errors()
		}
	}
	if errors > 0 {
		c.PerError = stats.Of(float64(lost) / float64(errors))
	}
	return c
}

// errors counts the attempts in which anything was found.
func (e Episode) errors() int {
	n := 0
	for _, a := range e.Attempts {
		if len(a.Findings) > 0 {
			n++
		}
	}
	return n
}

// scores by horizon and seed, repeats averaged.
func (g *Group) scores() map[string]float64 {
	means := map[string]*mean{}
	for _, e := range g.Episodes {
		if s := e.Score(); s.OK {
			k := fmt.Sprint(e.Cell.Horizon, " ", e.Cell.Seed)
			if means[k] == nil {
				means[k] = &mean{}
			}
			means[k].add(s.V)
		}
	}
	out := map[string]float64{}
	for k, m := range means {
		out[k] = m.value().V
	}
	return out
}

func cellKey(c record.Cell) string { return fmt.Sprint(c.Horizon, " ", c.Seed, " ", c.Repeat) }
