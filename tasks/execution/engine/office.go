package engine

import (
	"maps"
	"slices"

	"skillbench/harness/record"
	"skillbench/tasks/skills"
)

// An Office is the back office: slots, effects, and faults by script. What it
// says of effects is the truth, and it counts harms by that and by what was
// asked for, never by what the runtime believes.
type Office struct {
	seed     uint64
	library  *Library
	requests map[string]Request
	slots    map[string]Slot   // by slot and subject
	answers  map[string]stored // by the key of a call
	effects  []Effect
	times    map[spot]int             // how often a call took effect
	tries    map[spot]int             // how often it came
	refused  map[spot]refusal         // the last answer to it, where that was an error
	read     map[spot]map[string]Slot // what it read last
	done     map[string]bool          // subject and skill
	off      map[string]string        // the skill that is switched off for a request
	indexed  map[string]bool          // requests whose lookup was made again
	misled   map[spot]bool            // answered without effect, under a code that means success
	unnoted  map[string]map[spot]bool // effects by ticket that the runtime has not taken up
	harmed   map[string]bool          // requests under which a skill that is switched off had an effect
	crashed  map[spot]bool
	spoilt   map[string]bool // requests whose plan has arrived spoiled
	harms    map[record.Harm]record.Count
}

// A Slot is a value that skills read and write. The version counts writes.
type Slot struct {
	Value   string
	Version int
}

// An Effect is one thing that was done.
type Effect struct {
	Request, Skill, Subject string
	Part                    int
	Params                  string // JSON, keys in order
}

// A Commit asks for the effect of a call.
type Commit struct {
	Request string
	Ticket  string // that the effect is for; the office asks nothing of it
	Call    Call
	Version string            // of the skill
	Key     string            // the same for every try at one call; "" has the office know no repeat
	Writes  map[string]string // by slot
	Expect  map[string]Slot   // what the slots must still be; nil: whatever they are
	By      Compare           // how
	Resumed bool              // after a resumption
}

// A Reply is the answer to a commit.
type Reply struct {
	Code    int // of HTTP; 0: none came
	Body    string
	Planted record.Planted
}

// Status codes.
const (
	codeLost        = 0
	codeOK          = 200
	codeConflict    = 409
	codeRefused     = 422
	codeUnavailable = 503
)

type stored struct {
	params string
	reply  Reply
}

type refusal struct {
	class  skills.Class
	params string
}

// NewOffice opens a back office.
func NewOffice(seed uint64, l *Library) *Office {
	return &Office{seed: seed, library: l, requests: map[string]Request{}, slots: map[string]Slot{}, answers: map[string]stored{},
		times: map[spot]int{}, tries: map[spot]int{}, refused: map[spot]refusal{}, read: map[spot]map[string]Slot{}, done: map[string]bool{},
		off: map[string]string{}, indexed: map[string]bool{}, misled: map[spot]bool{}, unnoted: map[string]map[spot]bool{}, harmed: map[string]bool{}, crashed: map[spot]bool{}, spoilt: map[string]bool{},
		harms: map[record.Harm]record.Count{}}
}

// Clone is an office that goes its own way.
func (o *Office) Clone() *Office {
	c := *o
	c.requests, c.slots, c.answers, c.effects = maps.Clone(o.requests), maps.Clone(o.slots), maps.Clone(o.answers), slices.Clip(o.effects)
	c.times, c.tries, c.refused, c.read, c.done = maps.Clone(o.times), maps.Clone(o.tries), maps.Clone(o.refused), maps.Clone(o.read), maps.Clone(o.done)
	c.off, c.indexed, c.misled, c.crashed, c.spoilt = maps.Clone(o.off), maps.Clone(o.indexed), maps.Clone(o.misled), maps.Clone(o.crashed), maps.Clone(o.spoilt)
	c.harms, c.harmed, c.unnoted = maps.Clone(o.harms), maps.Clone(o.harmed), map[string]map[spot]bool{}
	for ticket, spots := range o.unnoted {
		c.unnoted[ticket] = maps.Clone(spots)
	}
	return &c
}

// Effects are all that was done, in order.
func (o *Office) Effects() []Effect { return slices.Clip(o.effects) }

// Harms are the counts so far.
func (o *Office) Harms() map[record.Harm]record.Count { return maps.Clone(o.harms) }

// Slot is what a slot of a subject holds now.
func (o *Office) Slot(slot, subject string) Slot { return o.slots[slot+"/"+subject] }

// ask makes known what somebody asks for. A request that comes again is still
// the first one.
func (o *Office) ask(r Request) {
	if _, known := o.requests[r.ID]; !known {
		o.requests[r.ID] = r
	}
}

// fault is the one that strikes calls of a skill under a request.
func (o *Office) fault(request, skill string) Fault {
	if f := o.requests[request].Fault; f.Skill == "" || f.Skill == skill {
		return f
	}
	return Fault{}
}

// index is the version of a skill by the routing index.
func (o *Office) index(request, skill string) string {
	if o.fault(request, skill).Kind != StaleIndex || o.indexed[request] {
		return o.library.version(skill)
	}
	o.count(record.Outdated, 0, 1)
	return "0." + o.library.version(skill)
}

// reindex brings the index up to date for a request.
func (o *Office) reindex(request string) { o.indexed[request] = true }

// enabled reports whether a skill is switched on for a request now.
func (o *Office) enabled(request, skill string) bool { return o.off[request] != skill }

// lookup reads slots for a call.
func (o *Office) lookup(at spot, subject string, names []string) map[string]Slot {
	found := map[string]Slot{}
	for _, name := range names {
		found[name] = o.Slot(name, subject)
	}
	o.read[at] = found
	return found
}

// crash reports whether the worker of a ticket dies behind this call, once.
func (o *Office) crash(ticket string, at spot) bool {
	f := o.fault(at.request, at.skill)
	if f.Kind != Crash || f.N != at.part || o.crashed[at] {
		return false
	}
	o.crashed[at] = true
	delete(o.unnoted, ticket)
	return true
}
