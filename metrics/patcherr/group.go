package patcherr

import (
	"fmt"
	"slices"

	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// A Key is what the episodes of one group have in common. Horizons, seeds and
// repeats are pooled.
type Key struct {
	Task, Agent, Model, Kind string
	World                    record.World
	Drift                    string
	Noise                    int
}

func keyOf(c record.Cell) Key {
	return Key{c.Task, c.Agent, c.Model, c.ModelKind, c.World, c.Drift, c.Noise}
}

// A Group is the episodes of one key: one line of the comparison.
type Group struct {
	Key
	Label    string // what tells it from the other groups
	Episodes []Episode
}

// Groups sorts episodes into groups, in the order in which keys first appear.
// Episodes that no model played are left out.
func Groups(episodes []Episode) []*Group {
	var groups []*Group
	byKey := map[Key]*Group{}
	for _, e := range episodes {
		if e.Cell.ModelKind == record.NoModel {
			continue
		}
		k := keyOf(e.Cell)
		g := byKey[k]
		if g == nil {
			g = &Group{Key: k}
			byKey[k], groups = g, append(groups, g)
		}
		g.Episodes = append(g.Episodes, e)
	}
	label(groups)
	return groups
}

// label names the model, and of the rest what differs between groups.
func label(groups []*Group) {
	parts := []func(Key) string{
		func(k Key) string { return k.Agent },
		func(k Key) string { return k.Task },
		func(k Key) string { return string(k.World) },
		func(k Key) string { return k.Drift },
		func(k Key) string { return fmt.Sprintf("noise %d", k.Noise) },
	}
	for _, g := range groups {
		g.Label = g.Model
		for _, part := range parts {
			differs := false
			for _, other := range groups {
				differs = differs || part(other.Key) != part(g.Key)
			}
			if text := part(g.Key); differs && text != "" {
				g.Label += " · " + text
			}
		}
	}
}

// stateful reports whether the group's strategy has a Σ.
func (g *Group) stateful() bool {
	return slices.ContainsFunc(g.Episodes, func(e Episode) bool { return e.Stateful })
}

// horizons are those pooled, rising.
func (g *Group) horizons() []int {
	var all []int
	for _, e := range g.Episodes {
		if i, found := slices.BinarySearch(all, e.Cell.Horizon); !found {
			all = slices.Insert(all, i, e.Cell.Horizon)
		}
	}
	return all
}

// A Rate is how often something was found, under three denominators.
type Rate struct {
	Attempts stats.Proportion // of all attempts
	Steps    stats.Proportion // of steps, with it in any attempt
	Episodes stats.Proportion // of episodes, with it at any step
	Onsets   int              // findings, primary or not
}

// Rate counts the attempts whose primary class is one of those wanted.
// Intervals of attempts and steps are clustered by seed.
func (g *Group) Rate(o Order, is func(class string) bool) Rate {
	var r Rate
	var attempts, steps []stats.Count
	with := 0
	for _, e := range g.Episodes {
		a, s := stats.Count{Cluster: cluster(e), N: len(e.Attempts)}, stats.Count{Cluster: cluster(e), N: e.Steps}
		last := -1
		for _, one := range e.Attempts {
			for _, f := range one.Findings {
				if is(f.Class) {
					r.Onsets++
				}
			}
			if !is(one.Primary(o)) {
				continue
			}
			a.K++
			if one.Step != last {
				s.K++
			}
			last = one.Step
		}
		if a.K > 0 {
			with++
		}
		attempts, steps = append(attempts, a), append(steps, s)
	}
	r.Attempts, r.Steps = stats.WilsonClustered(attempts, 0), stats.WilsonClustered(steps, 0)
	r.Episodes = stats.Wilson(with, len(g.Episodes), 0)
	return r
}

func cluster(e Episode) string { return fmt.Sprint(e.Cell.Seed) }

// Share is a bucket's part of the attempts that fall into the paper's three,
// with an interval clustered by seed.
func (g *Group) Share(o Order, b Bucket) stats.Proportion {
	var counts []stats.Count
	for _, e := range g.Episodes {
		c := stats.Count{Cluster: cluster(e)}
		for _, a := range e.Attempts {
			switch found := BucketOf(a.Primary(o)); found {
			case "", Other:
			case b:
				c.K++
				c.N++
			default:
				c.N++
			}
		}
		counts = append(counts, c)
	}
	return stats.WilsonClustered(counts, 0)
}

// Any wants every class but None.
func Any(class string) bool { return class != None }

// OfClass wants one class.
func OfClass(class string) func(string) bool { return func(c string) bool { return c == class } }

// OfBucket wants the classes of a bucket.
func OfBucket(b Bucket) func(string) bool { return func(c string) bool { return BucketOf(c) == b } }

// Totals add up what the episodes of a group say beside rates.
type Totals struct {
	Episodes, Steps, Attempts int
	Missed                    int
	Retries, RetryTokens      int
	Tokens                    int         // of all attempts
	Resends                   int         // attempts
	Lost                      int         // right patches not taken because of their action
	Diverged                  int         // steps that left Σ wrong
	Lucky                     int         // right actions at such steps
	EverDiverged              int         // episodes
	FirstDiverged             stats.Value // mean step, over these
	WrongAtEnd                stats.Value // mean facts, over episodes with a Σ
	Score                     stats.Value // mean over episodes with a result
}

// Totals adds them up.
func (g *Group) Totals() Totals {
	t := Totals{Episodes: len(g.Episodes)}
	var first, wrong, score mean
	for _, e := range g.Episodes {
		t.Steps, t.Attempts, t.Missed = t.Steps+e.Steps, t.Attempts+len(e.Attempts), t.Missed+e.Missed
		n, tokens := e.Retries()
		t.Retries, t.RetryTokens = t.Retries+n, t.RetryTokens+tokens
		t.Lost, t.Diverged, t.Lucky = t.Lost+e.Lost(), t.Diverged+e.Diverged, t.Lucky+e.Lucky
		for _, a := range e.Attempts {
			t.Tokens += a.Tokens
			if a.Resend {
				t.Resends++
			}
		}
		if e.FirstDiverged >= 0 {
			t.EverDiverged++
			first.add(float64(e.FirstDiverged))
		}
		if e.Stateful {
			wrong.add(float64(e.WrongAtEnd))
		}
		if s := e.Score(); s.OK {
			score.add(s.V)
		}
	}
	t.FirstDiverged, t.WrongAtEnd, t.Score = first.value(), wrong.value(), score.value()
	return t
}

type mean struct {
	sum float64
	n   int
}

func (m *mean) add(v float64) { m.sum, m.n = m.sum+v, m.n+1 }

func (m mean) value() stats.Value {
	if m.n == 0 {
		return stats.Value{}
	}
	return stats.Of(m.sum / float64(m.n))
}
