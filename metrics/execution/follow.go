package execution

import (
	"fmt"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
)

// A Follower tallies one episode. It follows the splices of its prompts: each text
// is searched once, when it first comes, and what stays from prompt to prompt
// costs nothing.
type Follower struct {
	reader  *journal.Reader
	tally   Tally
	planted map[string]*value
	ends    ends
	coming  record.Planted   // by the last step; the next prompt may be the first to show it
	found   map[int][]*value // by the number of a text; those without any are not kept
	looked  map[int]bool
	lanes   map[string]*lane
}

// A value is one that stands in one field of one result.
type value struct {
	class record.Harm // what it does where it must not be
	seen  bool
	step  int // of the first prompt that showed it
	leaks bool
}

// lane is the texts in the prompts of one lane, by section.
type lane struct {
	sections [][]int
	watched  map[int]int // texts with values that must not stay, and how often they stand there
}

// Follow begins an episode.
func Follow(r *journal.Reader) *Follower {
	return &Follower{reader: r, planted: map[string]*value{}, ends: ends{}, found: map[int][]*value{}, looked: map[int]bool{}, lanes: map[string]*lane{}}
}

// Step takes the next finished step.
func (f *Follower) Step(s metrics.Step) error {
	if s.Summary != nil {
		if err := f.call(s.Summary.Call); err != nil {
			return err
		}
	}
	for _, a := range s.Attempts {
		if err := f.call(a.Call); err != nil {
			return err
		}
	}
	outcome := s.Act.Outcome
	if s.Act.Oracle != nil {
		outcome = *s.Act.Oracle // what really happened, in a teacher world
	}
	if x := outcome.Execution; x != nil {
		f.tally.take(*x)
		f.coming = x.Planted
	}
	return nil
}

// Done returns the tally of the episode; false where no runtime ran skills.
func (f *Follower) Done() (Tally, bool) {
	if f.tally.Steps == 0 {
		return Tally{}, false
	}
	leaks := map[record.Harm]record.Count{}
	count := func(harm record.Harm, bad bool) {
		n := 0
		if bad {
			n = 1
		}
		leaks[harm] = leaks[harm].Plus(record.Count{N: n, Of: 1})
	}
	for _, v := range f.planted {
		if v.class != Lost {
			count(v.class, v.leaks)
		}
		if v.class != DropShown {
			count(Lost, !v.seen)
		}
	}
	return f.tally.Plus(Tally{Harms: leaks}), true
}

// plant makes known what the last step's results hold, once a prompt follows.
func (f *Follower) plant() {
	for class, list := range map[record.Harm][]string{Lost: f.coming.Keep, NowStays: f.coming.Now, DropShown: f.coming.Drop} {
		for _, text := range list {
			if f.planted[text] == nil && text != "" {
				f.planted[text] = &value{class: class}
				f.ends.add(text, f.planted[text])
			}
		}
	}
	f.coming = record.Planted{}
}

// call takes the next prompt of its lane.
func (f *Follower) call(c journal.Call) error {
	f.plant()
	l := f.lanes[c.Lane()]
	if l == nil {
		l = &lane{watched: map[int]int{}}
		f.lanes[c.Lane()] = l
	}
	for len(l.sections) > len(c.Splice) {
		l.leave(l.sections[len(l.sections)-1])
		l.sections = l.sections[:len(l.sections)-1]
	}
	for i, e := range c.Splice {
		if i == len(l.sections) {
			l.sections = append(l.sections, nil)
		}
		old := l.sections[i]
		if !e.Fits(len(old)) {
			return fmt.Errorf("prompt of step %d: a splice that does not fit", c.Step)
		}
		l.leave(old[:e.Skip])
		l.leave(old[e.Skip+e.Keep:])
		section := old[e.Skip : e.Skip+e.Keep]
		for _, ref := range e.Add {
			section = append(section, ref.Text)
			values, err := f.values(ref.Text)
			if err != nil {
				return err
			}
			if see(values, c.Step) {
				l.watched[ref.Text]++
			}
		}
		l.sections[i] = section
	}
	for text := range l.watched {
		if !see(f.found[text], c.Step) {
			delete(l.watched, text)
		}
	}
	return nil
}

// leave takes texts out of a prompt.
func (l *lane) leave(section []int) {
	for _, text := range section {
		if l.watched[text] > 1 {
			l.watched[text]--
		} else {
			delete(l.watched, text)
		}
	}
}

// see notes values that the prompt of a step shows, and reports whether any of
// them can still do harm by staying.
func see(values []*value, step int) (watch bool) {
	for _, v := range values {
		if !v.seen {
			v.seen, v.step = true, step
		}
		v.leaks = v.leaks || v.class == DropShown || v.class == NowStays && step != v.step
		watch = watch || v.class == NowStays && !v.leaks
	}
	return watch
}

// values are those that a text holds. A value is planted before any text can hold
// it, so each text is searched once.
func (f *Follower) values(number int) ([]*value, error) {
	if f.looked[number] {
		return f.found[number], nil
	}
	f.looked[number] = true
	text, err := f.reader.Text(number)
	if err != nil {
		return nil, err
	}
	f.ends.each(text, func(v *value) { f.found[number] = append(f.found[number], v) })
	return f.found[number], nil
}

// ends finds texts inside of others, wherever they stand: a prompt may be pruned
// to where nothing parts them from what is beside them. They are kept by length and
// last bytes.
type ends map[int]map[string][]ended

type ended struct {
	text  string
	value *value
}

// last is how many bytes are looked up.
const last = 8

func (e ends) add(text string, v *value) {
	n := min(last, len(text))
	if e[n] == nil {
		e[n] = map[string][]ended{}
	}
	key := text[len(text)-n:]
	e[n][key] = append(e[n][key], ended{text, v})
}

// each calls f with the value of every text that stands in another, as often as it
// does.
func (e ends) each(in string, f func(*value)) {
	for n, keys := range e {
		for end := n; end <= len(in); end++ {
			for _, one := range keys[in[end-n:end]] {
				if strings.HasSuffix(in[:end], one.text) {
					f(one.value)
				}
			}
		}
	}
}
