package routing

import "skillbench/harness/record"

// A tally is what the dialogues of one cell, or of many, came to. It grows with
// what differs (cases or sessions, kinds, skills), not with steps. Adding tallies
// gives the same in any order.
type tally struct {
	lots  map[lotKey]*lot
	cases map[string]*played
	suite int // dialogues of the split, those that were not played included; 0 where nobody said
}

// A lotKey says whose lot it is. The cluster is what depends on each other: a
// session, which shares its catalogue and its context, or, where a session is one
// dialogue, the case.
type lotKey struct{ cluster, kind string }

// A lot is the part of one cluster and one kind of case.
type lot struct {
	counts
	pairs   map[pair]int       // first decisions
	skills  map[string]*params // calls of right skills
	fifths  [fifths]hits       // by the place of the right skill, relative
	places  map[int]hits       // by its place, from 1
	offered map[int]hits       // by the size of the catalogue
	ranks   map[int]int        // places of the right skill in what a recall brought up; 0: it did not
}

// A pair is what was wanted and what was decided, as labels.
type pair struct{ want, got string }

// params are calls of a right skill, and those with a fault in the parameters.
type params struct{ calls, faulty int }

// fifths of a catalogue.
const fifths = 5

// played is what became of one case, over all times it was played.
type played struct {
	print                   string // of what its first turn wants
	plays, routed, resolved int
	wrong, triggered        int            // calls of a wrong skill; first decisions that call where no skill is right
	messages                map[int]*heard // by turn
}

func newTally() *tally {
	return &tally{lots: map[lotKey]*lot{}, cases: map[string]*played{}}
}

func newLot() *lot {
	return &lot{pairs: map[pair]int{}, skills: map[string]*params{}, places: map[int]hits{}, offered: map[int]hits{}, ranks: map[int]int{}}
}

func (t *tally) lot(cluster, kind string) *lot {
	key := lotKey{cluster, kind}
	if t.lots[key] == nil {
		t.lots[key] = newLot()
	}
	return t.lots[key]
}

func (t *tally) played(name, print string) *played {
	if t.cases[name] == nil {
		t.cases[name] = &played{print: print, messages: map[int]*heard{}}
	}
	p := t.cases[name]
	p.print = min(p.print, print) // equal, unless somebody mixed suites: then the same whatever came first
	return p
}

func (t *tally) add(o *tally) {
	t.suite = max(t.suite, o.suite)
	for key, l := range o.lots {
		t.lot(key.cluster, key.kind).add(l)
	}
	for name, p := range o.cases {
		t.played(name, p.print).add(p)
	}
}

func (l *lot) add(o *lot) {
	l.counts.add(&o.counts)
	for p, n := range o.pairs {
		l.pairs[p] += n
	}
	for name, p := range o.skills {
		l.skill(name).add(p.calls, p.faulty)
	}
	for i, h := range o.fifths {
		l.fifths[i].add(h.k, h.n)
	}
	merge(l.places, o.places)
	merge(l.offered, o.offered)
	for rank, n := range o.ranks {
		l.ranks[rank] += n
	}
}

func merge(to, from map[int]hits) {
	for at, h := range from {
		own := to[at]
		own.add(h.k, h.n)
		to[at] = own
	}
}

func (l *lot) skill(name string) *params {
	if l.skills[name] == nil {
		l.skills[name] = &params{}
	}
	return l.skills[name]
}

func (p *params) add(calls, faulty int) { p.calls, p.faulty = p.calls+calls, p.faulty+faulty }

// first takes the first decision of a turn.
func (l *lot) first(r *record.Routing) {
	fit, ok := accepted(r)
	l.counts[right] += one(ok)
	l.pairs[pair{label(fit), label(r.Got)}]++
	if r.Want.Do == record.Call {
		l.counts[callable]++
		l.counts[called] += one(ok && r.Got.Do == record.Call)
	}
	if len(rightSkills(r)) == 0 {
		l.counts[skilless]++
		l.counts[triggered] += one(r.Got.Do == record.Call)
	}
	if r.Kind == outOfScope {
		l.counts[outside]++
		l.counts[outsideRight] += one(ok)
	}
	l.counts[backWanted] += one(asksBack(r.Want))
	l.counts[backFound] += one(asksBack(r.Want) && asksBack(r.Got))
	l.counts[backMade] += one(asksBack(r.Got))
	l.counts[backRight] += one(asksBack(r.Got) && mayAskBack(r))
	l.where(r, ok)
	l.rank(r)
}

// outOfScope is the kind of cases that no skill is for.
const outOfScope = "out_of_scope"

// where notes the size of the catalogue and the place of the right skill in it,
// or among the candidates of a recall, which are all that is shown.
func (l *lot) where(r *record.Routing, ok bool) {
	if r.Offered >= 1 {
		note(l.offered, r.Offered, ok)
	}
	shown := r.Offered
	if r.Ranked != nil {
		shown = len(r.Ranked)
	}
	if r.Position >= 1 && r.Position <= shown {
		note(l.places, r.Position, ok)
		l.fifths[(r.Position-1)*fifths/shown].hit(ok)
		l.counts[inRank] += one(r.Ranked != nil)
	}
}

func note(to map[int]hits, at int, ok bool) {
	h := to[at]
	h.hit(ok)
	to[at] = h
}

// rank notes where a recall brought the first right skill up.
func (l *lot) rank(r *record.Routing) {
	skills := rightSkills(r)
	if r.Ranked == nil || len(skills) == 0 || r.Want.Do == record.Offer {
		return
	}
	for i, name := range r.Ranked {
		for _, s := range skills {
			if s == name {
				l.ranks[i+1]++
				return
			}
		}
	}
	l.ranks[0]++
}
