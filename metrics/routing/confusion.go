package routing

import (
	"cmp"
	"maps"
	"slices"

	"skillbench/metrics/stats"
)

// A Score is a statistic of the confusion matrix that is no share, with its
// jackknife interval over sessions.
type Score struct {
	Value    stats.Value    `json:"value"`
	Interval stats.Interval `json:"interval"`
	Labels   int            `json:"labels"` // that are wanted at least once
	Messages int            `json:"messages"`
}

// A Confusion is how often one label was wanted and another decided, over first
// decisions. Labels are skills, or (ask), (offer), (clarify), (decline),
// (nothing). An accepted decision counts as wanted.
type Confusion struct {
	Want string `json:"want"`
	Got  string `json:"got"`
	N    int    `json:"n"`
}

// pairs adds up the confusion matrix.
func (t *tally) pairs() map[pair]int {
	all := map[pair]int{}
	for _, l := range t.lots {
		for p, n := range l.pairs {
			all[p] += n
		}
	}
	return all
}

func (t *tally) confusion() []Confusion {
	list := []Confusion{}
	for p, n := range t.pairs() {
		list = append(list, Confusion{p.want, p.got, n})
	}
	slices.SortFunc(list, func(a, b Confusion) int { return cmp.Or(cmp.Compare(a.Want, b.Want), cmp.Compare(a.Got, b.Got)) })
	return list
}

// Confused are the wrong pairs, the most frequent first, at most k.
func Confused(list []Confusion, k int) []Confusion {
	wrong := slices.DeleteFunc(slices.Clone(list), func(c Confusion) bool { return c.Want == c.Got })
	slices.SortStableFunc(wrong, func(a, b Confusion) int { return b.N - a.N })
	return wrong[:min(k, len(wrong))]
}

// margins are the sums of a confusion matrix by label.
type margins struct {
	place             map[string]int
	wanted, got, hits []int
	n                 int
}

func (m *margins) at(label string) int {
	i, ok := m.place[label]
	if !ok {
		i = len(m.wanted)
		m.place[label] = i
		m.wanted, m.got, m.hits = append(m.wanted, 0), append(m.got, 0), append(m.hits, 0)
	}
	return i
}

// add takes pairs, or with sign -1 takes them out.
func (m *margins) add(pairs map[pair]int, name func(string) string, sign int) {
	for p, n := range pairs {
		w, g := m.at(name(p.want)), m.at(name(p.got))
		m.wanted[w] += sign * n
		m.got[g] += sign * n
		if w == g {
			m.hits[w] += sign * n
		}
		m.n += sign * n
	}
}

// macroF1 is the mean F1 over the labels that are wanted at least once; one that
// is never decided has 0.
func (m *margins) macroF1() stats.Value {
	scores, labels := []float64(nil), 0
	for i, n := range m.wanted {
		if n > 0 {
			labels++
			scores = append(scores, 2*float64(m.hits[i])/float64(n+m.got[i]))
		}
	}
	slices.Sort(scores) // labels come in any order, and sums of floats depend on it
	sum := 0.0
	for _, s := range scores {
		sum += s
	}
	return stats.Of(sum / float64(labels))
}

// kappa is Cohen's: agreement beyond what the two margins give by chance. It is
// absent where chance alone gives all.
func (m *margins) kappa() stats.Value {
	agreed, chance := 0, 0
	for i := range m.wanted {
		agreed += m.hits[i]
		chance += m.wanted[i] * m.got[i]
	}
	n := float64(m.n)
	expected := float64(chance) / (n * n)
	return stats.Of((float64(agreed)/n - expected) / (1 - expected))
}

func (m *margins) labels() int {
	n := 0
	for _, w := range m.wanted {
		if w > 0 {
			n++
		}
	}
	return n
}

// score is a statistic of the matrix with its interval. Name says which labels
// count as one.
func (t *tally) score(name func(string) string, of func(*margins) stats.Value) Score {
	clusters := map[string][]map[pair]int{}
	m := &margins{place: map[string]int{}}
	for key, l := range t.lots {
		if len(l.pairs) > 0 {
			clusters[key.cluster] = append(clusters[key.cluster], l.pairs)
			m.add(l.pairs, name, 1)
		}
	}
	order := slices.Sorted(maps.Keys(clusters))
	whole := of(m)
	s := Score{Value: whole, Labels: m.labels(), Messages: m.n}
	s.Interval = stats.Jackknife(whole, len(order), func(i int) stats.Value {
		for _, pairs := range clusters[order[i]] {
			m.add(pairs, name, -1)
			defer m.add(pairs, name, 1)
		}
		return of(m)
	}, 0)
	return s
}

func asIs(label string) string { return label }

// A Skill is what became of one skill.
type Skill struct {
	Skill     string           `json:"skill"`     // or (none), all that calls no skill
	Wanted    int              `json:"wanted"`    // messages
	Decided   int              `json:"decided"`   // first decisions
	Right     int              `json:"right"`     // of both
	Precision stats.Proportion `json:"precision"` // right ÷ decided
	Recall    stats.Proportion `json:"recall"`    // right ÷ wanted
	F1        stats.Value      `json:"f1"`
	Calls     int              `json:"calls"`  // at any attempt, where the skill is right
	Faulty    int              `json:"faulty"` // of these, with a fault in the parameters
}

// skills lists every skill that is wanted or decided, and (none).
func (t *tally) skills() []Skill {
	by := map[string]*Skill{}
	at := func(name string) *Skill {
		if by[name] == nil {
			by[name] = &Skill{Skill: name}
		}
		return by[name]
	}
	for p, n := range t.pairs() {
		w, g := coarse(p.want), coarse(p.got)
		at(w).Wanted += n
		at(g).Decided += n
		at(w).Right += n * one(w == g)
	}
	for _, l := range t.lots {
		for name, p := range l.skills {
			at(name).Calls += p.calls
			at(name).Faulty += p.faulty
		}
	}
	list := []Skill{}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		s := *by[name]
		label := s.Skill
		s.Precision = t.share(every, func(l *lot) hits { return l.counted(func(p pair) bool { return p.got == label }, label) })
		s.Recall = t.share(every, func(l *lot) hits { return l.counted(func(p pair) bool { return p.want == label }, label) })
		s.F1 = stats.Of(2 * float64(s.Right) / float64(s.Wanted+s.Decided))
		list = append(list, s)
	}
	return list
}

// counted are the pairs that are kept, and those of them that hit the label.
func (l *lot) counted(keep func(pair) bool, label string) (h hits) {
	for p, n := range l.pairs {
		if p = (pair{coarse(p.want), coarse(p.got)}); keep(p) {
			h.add(n*one(p.want == label && p.got == label), n)
		}
	}
	return h
}
