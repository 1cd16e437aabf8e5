package execution

import (
	"math/rand/v2"

	"skillbench/tasks/execution/engine"
)

// A card is one job of the deck that scripts are dealt from: a request, its
// fault, and the events that follow.
type card struct {
	goal    string
	fault   engine.Fault
	follows []follow
}

// A follow is a later event about a job.
type follow struct {
	kind   string
	goal   string // of a new request about the same order; "" for an event about the old one
	after  int    // least number of events since the one before
	within int    // greatest, as far as no other event has to come first; 0: any
}

// Follows of cards.
var (
	due     = follow{kind: kindDue, after: 1}
	again   = follow{kind: kindAgain, after: 1}
	changed = follow{kind: kindChanged, after: 1}
	refund  = follow{kind: kindRequest, goal: goalRefund, after: 2}
	trace   = follow{kind: kindRequest, goal: goalTrace, after: 2}
	stop    = follow{kind: kindStop, after: 1, within: 3}
	goOn    = follow{kind: kindGo, after: 2}
	revive  = follow{kind: kindGo, after: 4} // the worker has died by then
)

// deck holds each fault once, and each goal once without one. Whatever depends on
// the id that a result gives follows only where every result gives it, whichever
// mechanism is off.
func deck() []card {
	fault := func(kind engine.Kind, skill string, n int) engine.Fault {
		return engine.Fault{Kind: kind, Skill: skill, N: n}
	}
	return []card{
		{goalCharge, engine.Fault{}, []follow{refund}},
		{goalCharge, fault(engine.TimeoutBefore, goalCharge, 0), []follow{due, refund}},
		{goalCharge, fault(engine.TimeoutAfter, goalCharge, 0), []follow{refund}},
		{goalCharge, fault(engine.Again, "", 0), []follow{again, refund}},
		{goalCharge, fault(engine.Changed, "", 0), []follow{changed, refund}},
		{goalCharge, fault(engine.Unavailable, goalCharge, 2), []follow{refund}},
		{goalCharge, fault(engine.Unavailable, goalCharge, 5), []follow{due, refund}},
		{goalCharge, fault(engine.Declined, goalCharge, 0), []follow{due}},
		{goalCharge, fault(engine.FalseOK, goalCharge, 0), []follow{due}},
		{goalReserve, fault(engine.Race, "", 0), []follow{due}},
		{goalReserve, fault(engine.ABA, "", 0), []follow{due}},
		{goalLabel, engine.Fault{}, []follow{trace}},
		{goalLabel, fault(engine.TimeoutAfter, goalLabel, 0), []follow{trace}},
		{goalLabel, fault(engine.NoCarrier, goalLabel, 0), []follow{due}},
		{goalNotify, fault(engine.Malformed, "", 0), []follow{due}},
		{goalNotify, fault(engine.Poison, "", 0), nil},
		{goalNotify, fault(engine.Stray, "", 0), nil},
		{goalNotify, fault(engine.Oversize, "", 0), nil},
		{goalNotify, fault(engine.StaleIndex, "", 0), nil},
		{goalShip, engine.Fault{}, []follow{due, trace}},
		{goalShip, fault(engine.SwitchedOff, goalLabel, 0), []follow{due}},
		{goalShip, fault(engine.PlanUnknown, "", 0), []follow{due}},
		{goalShip, fault(engine.PlanMissing, "", 0), []follow{due}},
		{goalShip, fault(engine.PlanCycle, "", 0), nil},
		{goalShip, fault(engine.PlanStray, "", 0), nil},
		{goalShip, fault(engine.PlanGarbled, "", 0), nil},
		{goalSell, engine.Fault{}, []follow{refund}},
		{goalSell, fault(engine.PlanTwice, "", 0), []follow{refund}},
		{goalReport, engine.Fault{}, []follow{due}},
		{goalReport, fault(engine.CancelInFlight, "", 0), []follow{stop, goOn}},
		{goalReport, fault(engine.Crash, "", 1), []follow{revive, due}},
		{goalReport, fault(engine.Dropped, "", 0), []follow{due}},
		{goalReport, fault(engine.Reordered, "", 0), []follow{due}},
	}
}

// maxJobs bounds the jobs in work at once.
const maxJobs = 6

// write draws the T base events of an episode. They depend on seed and horizon
// and on nothing else: not on the mechanisms, nor on what the agent does. Jobs
// are dealt from a shuffled deck, which is shuffled anew when it is used up.
func write(seed uint64, horizon int) []event {
	d := dealer{source: rand.New(rand.NewPCG(seed, uint64(horizon)<<16))}
	for len(d.events) < horizon {
		d.step()
	}
	return d.events
}

// A dealer draws a script.
type dealer struct {
	source *rand.Rand
	events []event
	deck   []card
	jobs   []job
	last   int // number of the newest request
}

// A job is a card under way.
type job struct {
	demand
	follows  []follow
	from, by int // events between which the next follow is to come; by 0: any
}

// step makes the next event: the follow that cannot wait, else a new job or a
// follow that may come now.
func (d *dealer) step() {
	now := len(d.events)
	var ready []int
	urgent := -1
	for i, j := range d.jobs {
		if j.from <= now {
			ready = append(ready, i)
			if j.by > 0 && j.by <= now && (urgent < 0 || j.by < d.jobs[urgent].by) {
				urgent = i
			}
		}
	}
	switch {
	case urgent >= 0:
		d.follow(urgent)
	case len(ready) == 0 || len(d.jobs) < maxJobs && d.source.IntN(3) == 0:
		d.deal()
	default:
		d.follow(ready[d.source.IntN(len(ready))])
	}
}

// deal begins the job of the next card.
func (d *dealer) deal() {
	if len(d.deck) == 0 {
		d.deck = deck()
		d.source.Shuffle(len(d.deck), func(i, j int) { d.deck[i], d.deck[j] = d.deck[j], d.deck[i] })
	}
	c := d.deck[0]
	d.deck = d.deck[1:]
	n := d.number()
	m := demand{id: requestName(n), goal: c.goal, subject: numbered("order_", n+d.source.IntN(7))}
	switch {
	case c.goal == goalReport:
		m.subject = numbered("week_", n)
	case takesAmount(c.goal):
		m.amount = 5 * (100 + d.source.IntN(1900))
	case c.fault.Kind == engine.NoCarrier:
		m.carrier = "drone"
	case takesCarrier(c.goal):
		m.carrier = carriers[d.source.IntN(2)]
	}
	d.events = append(d.events, event{kindRequest, m, c.fault})
	d.queue(job{demand: m, follows: c.follows})
}

// number of a new request. Numbers have gaps, so that none can be guessed from
// another, and orders, which lie within the gaps, are their own.
func (d *dealer) number() int {
	d.last += 8 + d.source.IntN(5)
	return d.last
}

// queue sets when the next follow of a job may come; a job without one is over.
func (d *dealer) queue(j job) {
	if len(j.follows) == 0 {
		return
	}
	now := len(d.events) - 1
	j.from, j.by = now+j.follows[0].after, 0
	if w := j.follows[0].within; w > 0 {
		j.by = now + w
	}
	d.jobs = append(d.jobs, j)
}

// follow plays the next event of a job.
func (d *dealer) follow(i int) {
	j := d.jobs[i]
	d.jobs = append(d.jobs[:i:i], d.jobs[i+1:]...)
	f := j.follows[0]
	j.follows = j.follows[1:]
	m := j.demand
	switch {
	case f.goal != "":
		m = demand{id: requestName(d.number()), goal: f.goal, subject: j.subject}
		j.demand = m
	case f.kind == kindChanged:
		m.amount += 5 * (1 + d.source.IntN(90))
	}
	d.events = append(d.events, event{kind: f.kind, demand: m})
	d.queue(j)
}
