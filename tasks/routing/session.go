package routing

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/suite"
)

// A session is what the spec of an episode decides: its dialogues and the
// catalogue, which stays the same for all of them.
type session struct {
	source  *source
	options Options
	library skills.Library // every skill that can be shown
	cases   []suite.Case
	all     int            // dialogues of the split of the first
	shown   []skills.Skill // the catalogue, in its order
	place   map[string]int // of a skill in it, from 1

	poisoned string // the skill of the catalogue whose description lies; "" for none
}

// orderSalt keeps the order of the catalogue apart from everything else that
// may be drawn from a seed.
const orderSalt = 0x0cda

func newSession(spec harness.Spec) (*session, error) {
	o, err := decode(spec.Options)
	if err != nil {
		return nil, err
	}
	src, err := openSource(o.Suite)
	if err != nil {
		return nil, err
	}
	s := &session{source: src, options: o, place: map[string]int{}}
	if s.cases, err = src.suite.Deal(o.Split, spec.Seed, spec.Horizon); err != nil {
		return nil, err
	}
	s.all = len(src.suite.Order(s.cases[0].Split))
	f, err := src.sized(size{o.Skills, o.Poison})
	if err != nil {
		return nil, err
	}
	s.library, s.poisoned = f.Library, f.poisoned
	if most := cmp.Or(o.Skills, len(s.library.Skills)); o.Position > most || o.Position < -most {
		return nil, fmt.Errorf("position: want one of the %d of the catalogue, from the top or with - from the end, got %d", most, o.Position)
	}
	if s.shown, err = s.choose(rand.New(rand.NewPCG(spec.Seed, orderSalt))); err != nil {
		return nil, err
	}
	for i, one := range s.shown {
		s.place[one.Name] = i + 1
	}
	for _, c := range s.cases {
		if n := len(strings.Join(s.missing(c), ", ")); n > maxFact {
			return nil, fmt.Errorf("suite: case %s: want absent skills whose names have at most %d characters in all, got %d", c.ID, maxFact, n)
		}
	}
	for _, name := range o.Favourites {
		if _, ok := s.library.Find(name); !ok {
			return nil, fmt.Errorf("favourites: want skills of %s, got %s", s.library.Name, excerpt(name))
		}
	}
	return s, nil
}

// choose draws the catalogue. A skill that no dialogue of the session has is not
// in it; one that only some lack is, and those dialogues say so.
func (s *session) choose(draw *rand.Rand) ([]skills.Skill, error) {
	pool := slices.DeleteFunc(slices.Clone(s.library.Skills), func(one skills.Skill) bool {
		return !slices.ContainsFunc(s.cases, func(c suite.Case) bool { return !slices.Contains(c.Absent, one.Name) })
	})
	draw.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	right := s.right()
	if n := s.options.Skills; n > 0 && n < len(pool) {
		kept := maps.Clone(right)
		if s.poisoned != "" {
			kept[s.poisoned] = true
		}
		if len(kept) > n {
			return nil, fmt.Errorf("skills: want at least %d, which the dialogues of this session need, got %d", len(kept), n)
		}
		slices.SortStableFunc(pool, func(a, b skills.Skill) int { return foremost(kept[a.Name], kept[b.Name]) })
		pool = pool[:n]
		draw.Shuffle(n, func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	}
	return s.moved(pool, right), nil
}

// right are the skills that the dialogues of the session are about.
func (s *session) right() map[string]bool {
	names := map[string]bool{}
	for _, c := range s.cases {
		for _, t := range c.Turns {
			for _, name := range []string{t.Expect.Skill, t.Expect.Other} {
				if name != "" && t.Expect.Do != record.Decline {
					names[name] = true
				}
			}
		}
	}
	return names
}

// moved puts the right skills where Position says, one after another in the
// order drawn, and leaves the others in theirs.
func (s *session) moved(pool []skills.Skill, right map[string]bool) []skills.Skill {
	if s.options.Position == 0 {
		return pool
	}
	var ours, others []skills.Skill
	for _, one := range pool {
		if right[one.Name] {
			ours = append(ours, one)
		} else {
			others = append(others, one)
		}
	}
	at := s.options.Position - 1
	if s.options.Position < 0 {
		at = len(pool) + s.options.Position - len(ours) + 1
	}
	return slices.Insert(others, min(max(at, 0), len(others)), ours...)
}

// foremost orders what is wanted before what is not.
func foremost(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// has reports whether a skill can be chosen in a dialogue.
func (s *session) has(c suite.Case, name string) bool {
	return s.place[name] > 0 && !slices.Contains(c.Absent, name)
}

// offered lists the skills that can be chosen in a dialogue, in the order of the
// catalogue.
func (s *session) offered(c suite.Case) []skills.Skill {
	return slices.DeleteFunc(slices.Clone(s.shown), func(one skills.Skill) bool { return !s.has(c, one.Name) })
}

// missing lists the skills of the catalogue that a dialogue lacks, by name.
func (s *session) missing(c suite.Case) []string {
	var names []string
	for _, name := range c.Absent {
		if s.place[name] > 0 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
