package report

import "skillbench/harness/record"

// What became of one announcement of a drift's open event.
type answer int

const (
	answerRight    answer = iota // right, or recovered before
	answerObsolete               // acted on the fact that no longer holds
	answerOther                  // waited, missed or did something else
	answerOver                   // watching ended without recovery
	answers
)

// answerNames are their names in pictures, where each has its colour.
var answerNames = []string{"recovered", "acted on the obsolete fact", "waited or erred otherwise", "no longer watched"}

// A drift is what became of one silent change.
type drift struct {
	name       string
	announced  int
	trail      []answer // by announcement, until recovery
	recovered  bool
	obsolete   bool // an answer before recovery rested on the obsolete fact
	impossible bool // no announcement had a right answer
	relapses   int  // later answers that rested on the obsolete fact
}

// drifts are those of one episode, in order of their alerts.
type drifts []*drift

func (d *drifts) of(name string) *drift {
	for _, one := range *d {
		if one.name == name {
			return one
		}
	}
	*d = append(*d, &drift{name: name, impossible: true})
	return (*d)[len(*d)-1]
}

// step takes one step. Steps to recovery are the announcements before the
// first right answer.
func (d *drifts) step(a record.Act) {
	o := a.Observation
	if o.Drift == "" {
		return
	}
	if o.Announced == 0 {
		for _, one := range *d {
			if one.name == o.Drift && one.recovered && a.Outcome.Used == "obsolete" {
				one.relapses++
			}
		}
		return
	}
	one := d.of(o.Drift)
	if one.recovered || a.Outcome.Free {
		return
	}
	one.announced = max(one.announced, o.Announced)
	one.impossible = one.impossible && o.Impossible
	switch {
	case a.Outcome.Correct && !o.Impossible:
		one.recovered = true
		one.trail = append(one.trail, answerRight)
	case a.Outcome.Used == "obsolete":
		one.obsolete = true
		one.trail = append(one.trail, answerObsolete)
	default:
		one.trail = append(one.trail, answerOther)
	}
}

// steps to recovery, or watched without it.
func (d drift) steps() int {
	if d.recovered {
		return d.announced - 1
	}
	return d.announced
}

// at is what became of announcement i, from 0.
func (d drift) at(i int) answer {
	switch {
	case i < len(d.trail):
		return d.trail[i]
	case d.recovered:
		return answerRight
	}
	return answerOver
}
