package report

import (
	"skillbench/metrics"
)

// Notes that simulated models leave beside their replies (record.Reply.Notes).
const (
	noteLacks      = "lacks"      // the fact that the prompt did not give
	noteUnreadable = "unreadable" // set where the prompt had the fact in a form that could not be read
)

// maxLacks bounds the facts that are kept of one episode.
const maxLacks = 64

// lacking counts base events at which the model said that a fact was missing.
type lacking struct {
	absent, unreadable int
	lucky              int      // of these, answered correctly all the same
	impossible         int      // wrong, because an earlier miss left no right action
	explained          int      // else wrong, and a fact was missing
	unexplained        int      // else wrong, and none was said to be missing
	byAge              [6]faded // by the buckets of ages
	facts              []lack
	summaries          bool // the strategy shows a summary
}

// A lack is one fact that was missing, at its first time.
type lack struct {
	fact       string
	step, age  int // age -1: not known
	times      int
	right      bool
	unreadable bool
}

func (l *lacking) add(s metrics.Step, right bool) {
	if s.Summary != nil {
		l.summaries = true
	}
	fact, unreadable := "", false
	if n := len(s.Attempts); n > 0 {
		notes := s.Attempts[n-1].Call.Notes
		fact, unreadable = notes[noteLacks], notes[noteUnreadable] != ""
	}
	switch {
	case right && fact != "":
		l.lucky++
	case right:
	case s.Act.Observation.Impossible:
		l.impossible++
	case fact != "":
		l.explained++
	default:
		l.unexplained++
	}
	l.fade(s.Act.Observation.Age, fact != "", unreadable)
	switch {
	case fact == "":
		return
	case unreadable:
		l.unreadable++
	default:
		l.absent++
	}
	for i := range l.facts {
		if l.facts[i].fact == fact {
			l.facts[i].times++
			return
		}
	}
	if len(l.facts) < maxLacks {
		age := -1
		if a := s.Act.Observation.Age; a != nil {
			age = *a
		}
		l.facts = append(l.facts, lack{plain(fact), s.Act.Observation.Step, age, 1, right, unreadable})
	}
}

// fade counts an event by the age of the fact that it asks for.
func (l *lacking) fade(age *int, lost, unreadable bool) {
	if age == nil {
		return
	}
	f := &l.byAge[place(max(0, *age), ages)]
	f.events++
	switch {
	case lost && unreadable:
		f.unreadable++
	case lost:
		f.absent++
	}
}
