package routing

import (
	"skillbench/harness/record"
)

// routing is what is written down of a step.
func (w *world) routing(c command, e effect) *record.Routing {
	this, want := w.now(), w.message().Expect
	r := &record.Routing{
		Case: this.ID, Kind: this.Kind, Split: this.Split,
		Turn: w.turn, Attempt: w.tries, Ended: e.ended, Last: w.last(),
		Offered: len(w.shown), Position: w.position(), Ranked: w.ranked, Poison: w.poisoned,
		Want: want.Want(), Forbidden: want.Forbidden,
		Got: c.route, Faults: e.faults, Harm: e.harm,
		Settled: e.ended && e.right,
	}
	if w.dialogue == 0 && w.turn == 0 && w.tries == 0 {
		r.Suite = w.all
	}
	if want.Do == record.Ask {
		r.About = want.Skill
	}
	for _, route := range want.Accept {
		also := want
		also.Route = route
		r.Accept = append(r.Accept, also.Want())
	}
	if r.Got.Do == "" {
		r.Got.Do = record.Nothing
	}
	r.Resolved = r.Settled && r.Last && !w.unsolved
	return r
}

// position is where the right skill stands in what is shown: the catalogue, or
// the candidates.
func (w *world) position() int {
	e := w.message().Expect
	if e.Do != record.Call && e.Do != record.Ask {
		return 0
	}
	if w.options.Arm == RecallK {
		for i, name := range w.ranked {
			if name == e.Skill {
				return i + 1
			}
		}
		return 0
	}
	return w.place[e.Skill]
}
