package routing

import (
	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// A Pair compares two groups on the cases that both were dealt, by McNemar's exact
// test; one that a group lost is not right. Cases are taken as independent, which those of one session are only
// nearly. A case that was played more than once counts as right where most of its
// plays were.
type Pair struct {
	A       Key     `json:"a"`
	B       Key     `json:"b"`
	Outcome Outcome `json:"outcome"`
	stats.PairedBinary
	Adjusted stats.Value `json:"adjusted"` // p after Holm's correction, over all pairs of one outcome and family
	Family   Family      `json:"family"`
}

// An Outcome of a case.
type Outcome string

const (
	Right    Outcome = "right"    // every first decision was
	Resolved Outcome = "resolved" // by first contact
)

// A Family of pairs is what Holm's correction runs over, for one model.
type Family string

const (
	Arms   Family = "arms"   // one agent under two tasks
	Floors Family = "floors" // an agent with a model, and one without, in one task
)

// outcomes of a group's cases.
func (g Group) outcomes(o Outcome) map[string]bool {
	out := map[string]bool{}
	for _, c := range g.Cases {
		hits := c.Right
		if o == Resolved {
			hits = c.Resolved
		}
		out[c.Case] = 2*hits > c.Plays
	}
	return out
}

// beside are the outcomes of a group's cases, for a comparison with another one.
// Those of the other that it dealt and did not reach count as not right: a group
// that gives up early is not judged by what was easy to get to. Which those are is
// known where it lost as many as it lacks.
func (g Group) beside(other Group, o Outcome) map[string]bool {
	out := g.outcomes(o)
	var lacks []string
	for _, c := range other.Cases {
		if _, ok := out[c.Case]; !ok {
			lacks = append(lacks, c.Case)
		}
	}
	if len(lacks) <= g.Lost {
		for _, name := range lacks {
			out[name] = false
		}
	}
	return out
}

// mcnemar compares two groups case by case.
func mcnemar(a, b Group, o Outcome) stats.PairedBinary {
	return stats.McNemar(a.beside(b, o), b.beside(a, o))
}

// alike reports whether two keys differ in task and agent at most, the model of
// a player being anybody's.
func (k Key) alike(o Key) bool {
	k.Task, k.Agent = o.Task, o.Agent
	if k.Kind == record.NoModel || o.Kind == record.NoModel {
		k.Model, k.Kind = o.Model, o.Kind
	}
	return k == o
}

// trivial reports whether all cases came out the same, as for an oracle: no test
// is needed.
func (g Group) trivial() bool {
	p := g.Rates[DialoguesRight]
	return p.K == 0 || p.K == p.N
}

// family says how two groups are to be compared, "" where they are not.
func family(a, b Group) Family {
	switch {
	case !a.alike(b.Key) || a.Kind == record.NoModel:
		return ""
	case b.Kind == record.NoModel && a.Task == b.Task && !b.trivial():
		return Floors
	case b.Kind != record.NoModel && a.Agent == b.Agent && a.Task != b.Task:
		return Arms
	}
	return ""
}

// pairs lists all comparisons, those of a family together.
func (r *Result) pairs() []Pair {
	list := []Pair{}
	for i, a := range r.Groups {
		for j, b := range r.Groups {
			f := family(a, b)
			if f == "" || f == Arms && i > j {
				continue
			}
			for _, o := range []Outcome{Right, Resolved} {
				p := Pair{A: a.Key, B: b.Key, Outcome: o, Family: f, PairedBinary: mcnemar(a, b, o)}
				if p.Both+p.OnlyA+p.OnlyB+p.Neither > 0 {
					list = append(list, p)
				}
			}
		}
	}
	adjust(list)
	return list
}

// adjust corrects the p-values of each family for their number.
func adjust(list []Pair) {
	type whole struct {
		of      Key
		outcome Outcome
		family  Family
	}
	places := map[whole][]int{}
	for i, p := range list {
		k := p.A
		k.Task, k.Agent = "", ""
		w := whole{k, p.Outcome, p.Family}
		places[w] = append(places[w], i)
	}
	for _, at := range places {
		ps := make([]stats.Value, len(at))
		for n, i := range at {
			ps[n] = list[i].P
		}
		for n, p := range stats.Holm(ps) {
			list[at[n]].Adjusted = p
		}
	}
}
