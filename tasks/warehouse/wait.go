package warehouse

import "skillbench/harness/record"

// A wait is the steps that events waited while something else than the world
// answered. The world's own clock stands still in them, so that they shift
// neither drift nor probes, and facts do not age.
type wait struct {
	event int // of the present event
	all   int
}

// maxWaits bounds the steps for which an event waits.
const maxWaits = 5

// shown is the number of the present step for everybody else.
func (w *world) shown() int { return w.step + w.wait.all }

// Answer ends the step without an action; the text takes the place of a result.
func (w *world) Answer(text string) (record.Outcome, bool) {
	if w.wait.event == maxWaits {
		return record.Outcome{}, false
	}
	w.wait.event++
	w.wait.all++
	w.result = text
	return record.Outcome{Valid: true, Free: true, Result: text}, true
}

// again announces the present event once more.
func (w *world) again() record.Observation {
	o := record.Observation{Step: w.shown()}
	if w.now.free && w.now.drift != nil {
		o.Announced = w.now.drift.announced
	}
	w.describe(&o)
	return o
}
