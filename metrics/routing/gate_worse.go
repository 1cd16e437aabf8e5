package routing

import (
	"fmt"
	"slices"
	"strings"

	"skillbench/metrics/stats"
)

// A gated measure must not get worse.
type gatedMeasure struct {
	name     string
	of       func(Case) int // what it counts in a case; nil where that tells nothing without what it is a share of
	messages bool           // a case that does not have its messages does not have this
	lost     bool           // dialogues that were not reached count as having none
}

var gated = []gatedMeasure{
	{Accuracy, func(c Case) int { return c.sum(func(m Message) int { return m.Right }) }, true, true},
	{CalledWhenWanted, func(c Case) int { return c.sum(func(m Message) int { return m.Called }) }, true, false},
	{WrongTool, func(c Case) int { return c.WrongCalls }, true, false},
	{ParamFaults, nil, false, false},
	{FirstContact, func(c Case) int { return c.Resolved }, false, true},
	{FalseTriggers, func(c Case) int { return c.FalseTriggers }, true, false},
}

func (c Case) sum(of func(Message) int) int {
	n := 0
	for _, m := range c.Messages {
		n += of(m)
	}
	return n
}

// measures holds a group to what it was.
func (f *Finding) measures(old, now Group) {
	for _, m := range gated {
		v := m.judge(old, now)
		if v.says == "" {
			continue
		}
		line := fmt.Sprintf("%s: %s was %s, is %s: %s", old.Key.String(), m.name, of(old.Rates[m.name]), of(now.Rates[m.name]), v.says)
		if v.fails {
			f.Failures = append(f.Failures, line)
		} else {
			f.Chance = append(f.Chance, line)
		}
	}
}

// A verdict on one measure. Says is "" where it did not get worse.
type verdict struct {
	fails bool
	says  string
}

func (m gatedMeasure) judge(old, now Group) verdict {
	var v verdict
	if s := m.shift(old, now); s.n > 0 {
		if v = s.verdict("dialogues"); v.fails || now.Lost == 0 {
			return v
		}
	}
	if w := apart(m.name, old, now); w.fails || v.says == "" {
		return w
	}
	return v
}

// apart takes the two shares as those of two samples.
func apart(name string, old, now Group) verdict {
	d, i := stats.Newcombe(now.Rates[name], old.Rates[name])
	sign := 1.0
	if better(name) == Lower {
		sign = -1
	}
	switch {
	case !d.OK || sign*d.V >= 0:
		return verdict{}
	case !i.OK():
		return verdict{false, "too few sessions to tell it from chance"}
	case i.High.V < 0 || i.Low.V > 0:
		return verdict{true, fmt.Sprintf("difference %+.3f, 95 %% from %+.3f to %+.3f", d.V, i.Low.V, i.High.V)}
	}
	return verdict{false, fmt.Sprintf("within chance (difference %+.3f, 95 %% from %+.3f to %+.3f)", d.V, i.Low.V, i.High.V)}
}

// A shift is how many of the same n things got worse, and how many better.
type shift struct{ n, worse, better int }

func (s *shift) add(change float64) {
	s.n++
	s.worse += one(change < 0)
	s.better += one(change > 0)
}

func (s shift) p() stats.Value { return stats.McNemarExact(s.worse, s.better) }

// verdict is that of the exact test.
func (s shift) verdict(things string) verdict {
	p := s.p()
	switch {
	case s.worse <= s.better:
		return verdict{}
	case p.V < gateAlpha:
		return verdict{true, fmt.Sprintf("of the same %s %d got worse and %d better, McNemar p = %.4g", things, s.worse, s.better, p.V)}
	}
	return verdict{false, fmt.Sprintf("within chance (of the same %s %d got worse and %d better, McNemar p = %.2g); %s", things, s.worse, s.better, p.V, s.least())}
}

// least says which loss would have been found.
func (s shift) least() string {
	for n := s.worse; n <= s.n-s.better; n++ {
		if stats.McNemarExact(n, s.better).V < gateAlpha {
			return fmt.Sprintf("a loss of %d or more would have been found", n)
		}
	}
	return fmt.Sprintf("of %d none would have been found, whatever got worse", s.n)
}

// shift compares the cases of two groups.
func (m gatedMeasure) shift(old, now Group) (s shift) {
	if m.of == nil {
		return s
	}
	sign := 1.0
	if better(m.name) == Lower {
		sign = -1
	}
	for _, p := range both(old, now) {
		if m.messages && (p.old.Messages == nil || p.now.Messages == nil) || p.unreached && !m.lost {
			continue
		}
		s.add(sign * (mean(m.of(p.now), p.now.Plays) - mean(m.of(p.old), p.old.Plays)))
	}
	return s
}

func mean(k, n int) float64 { return float64(k) / float64(n) }

// A twice is one case in two groups.
type twice struct {
	old, now  Case
	unreached bool // by one of them, which then has nothing of it
}

// both lists the cases that two groups were dealt. Those that one of them was dealt
// and did not reach count as nothing right; which they are is known where it lost as
// many as it lacks.
func both(old, now Group) []twice {
	var list []twice
	by := map[string]Case{}
	for _, c := range now.Cases {
		by[c.Case] = c
	}
	for _, c := range old.Cases {
		if d, ok := by[c.Case]; ok {
			list = append(list, twice{c, d, false})
		}
	}
	if lacks := lacking(now, old); len(lacks) <= now.Lost {
		for _, c := range lacks {
			list = append(list, twice{c, c.nothing(), true})
		}
	}
	if lacks := lacking(old, now); len(lacks) <= old.Lost {
		for _, c := range lacks {
			list = append(list, twice{c.nothing(), c, true})
		}
	}
	return list
}

// lacking are the cases of b that a does not have.
func lacking(a, b Group) []Case {
	has := map[string]bool{}
	for _, c := range a.Cases {
		has[c.Case] = true
	}
	return slices.DeleteFunc(slices.Clone(b.Cases), func(c Case) bool { return has[c.Case] })
}

// nothing is the case as one who did not reach it has it.
func (c Case) nothing() Case {
	out := Case{Case: c.Case, Wanted: c.Wanted, Plays: 1}
	for _, m := range c.Messages {
		out.Messages = append(out.Messages, Message{Wanted: m.Wanted})
	}
	return out
}

func of(p stats.Proportion) string { return fmt.Sprintf("%d of %d", p.K, p.N) }

func better(name string) Direction {
	i := slices.IndexFunc(rates, func(m Measure) bool { return m.Name == name })
	return rates[i].Better
}

// called is the skill that a message wants called, "" where it wants something
// else.
func (m Message) called() string {
	skill, ok := strings.CutPrefix(m.Wanted, callOf)
	if !ok {
		return ""
	}
	return skill
}
