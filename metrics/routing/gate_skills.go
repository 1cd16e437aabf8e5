package routing

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"skillbench/metrics/stats"
)

// A wantedSkill is what became of the messages that want one skill called.
type wantedSkill struct {
	name     string
	old, now [2]int // called, of all plays
	shift           // of messages
	adjusted stats.Value
}

// skills holds each skill to how often it was called when it was wanted.
func (f *Finding) skills(old, now Group) {
	var within []string
	for _, s := range corrected(wantedSkills(old, now)) {
		if s.worse <= s.better {
			continue
		}
		if was := fmt.Sprintf("%.80s (%d of %d, now %d of %d)", s.name, s.old[0], s.old[1], s.now[0], s.now[1]); s.adjusted.OK && s.adjusted.V < gateAlpha {
			f.Failures = append(f.Failures, fmt.Sprintf("%s: skill called when wanted: %s: of the same messages %d got worse and %d better, McNemar p = %.4g after Holm's correction", old.Key.String(), was, s.worse, s.better, s.adjusted.V))
		} else {
			within = append(within, was)
		}
	}
	if n := len(within) - mostSkills; n > 0 {
		within = append(within[:mostSkills], fmt.Sprintf("%d more", n))
	}
	if len(within) > 0 {
		f.Chance = append(f.Chance, fmt.Sprintf("%s: skills called when wanted: within chance: %s", old.Key.String(), strings.Join(within, ", ")))
	}
}

// mostSkills is how many skills that lost a little are told by name.
const mostSkills = 5

// wantedSkills compares the messages of two groups by the skill that is wanted, the
// one that lost most first.
func wantedSkills(old, now Group) []*wantedSkill {
	by := map[string]*wantedSkill{}
	for _, p := range both(old, now) {
		if p.unreached {
			continue
		}
		for i := range min(len(p.old.Messages), len(p.now.Messages)) {
			a, b := p.old.Messages[i], p.now.Messages[i]
			name := a.called()
			if name == "" || a.Wanted != b.Wanted {
				continue
			}
			if by[name] == nil {
				by[name] = &wantedSkill{name: name}
			}
			by[name].add(a.Called, p.old.Plays, b.Called, p.now.Plays)
		}
	}
	return slices.SortedFunc(maps.Values(by), func(a, b *wantedSkill) int {
		return cmp.Or((b.worse-b.better)-(a.worse-a.better), cmp.Compare(a.name, b.name))
	})
}

func (s *wantedSkill) add(was, plays, is, again int) {
	s.old[0], s.old[1] = s.old[0]+was, s.old[1]+plays
	s.now[0], s.now[1] = s.now[0]+is, s.now[1]+again
	s.shift.add(mean(is, again) - mean(was, plays))
}

// corrected adjusts p for the number of skills that could fail at all. How many
// messages changed says nothing of whether for the worse, so those of which too few
// did can be left out before (Tarone 1990).
func corrected(list []*wantedSkill) []*wantedSkill {
	k := 1
	for ; k < len(list) && findable(list, k) > k; k++ {
	}
	ps := make([]stats.Value, len(list))
	for i, s := range list {
		if s.couldFail(k) {
			ps[i] = s.p()
		}
	}
	for i, p := range stats.Holm(ps) {
		list[i].adjusted = p
	}
	return list
}

// findable is how many skills could fail among k tests.
func findable(list []*wantedSkill, k int) int {
	n := 0
	for _, s := range list {
		n += one(s.couldFail(k))
	}
	return n
}

func (s *wantedSkill) couldFail(tests int) bool {
	p := stats.McNemarExact(s.worse+s.better, 0)
	return p.OK && p.V*float64(tests) < gateAlpha
}
