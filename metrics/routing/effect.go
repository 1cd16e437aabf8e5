package routing

import (
	"skillbench/metrics/stats"
)

// An Effect is what the gates of the runtime do to one measure: the same agent and
// cases with them and without.
type Effect struct {
	Measure    string           `json:"measure"`
	With       Key              `json:"with"`
	Without    Key              `json:"without"`
	Held       stats.Proportion `json:"with_gates"`
	Open       stats.Proportion `json:"without_gates"`
	Difference stats.Value      `json:"difference"` // with - without
	Interval   stats.Interval   `json:"interval"`   // Newcombe's, as of independent samples
}

// guardedBy are the measures that gates are for, and those that they may cost.
var guardedBy = []string{Harmed, "forbidden_calls", "calls_held", FirstContact}

// overGates is the option of a task that puts its gates on.
const overGates = "gates"

// gates compares groups whose tasks differ in their gates only.
func (r *Result) gates() []Effect {
	list := []Effect{}
	for _, on := range r.Groups {
		for _, off := range r.Groups {
			a, b := r.Tasks[on.Task], r.Tasks[off.Task]
			if !optionsOf(a).Gates || optionsOf(b).Gates || on.Agent != off.Agent || on.Kind != off.Kind || !on.alike(off.Key) ||
				without(a, overGates) != without(b, overGates) {
				continue
			}
			for _, name := range guardedBy {
				e := Effect{Measure: name, With: on.Key, Without: off.Key, Held: on.Rates[name], Open: off.Rates[name]}
				e.Difference, e.Interval = stats.Newcombe(e.Held, e.Open)
				list = append(list, e)
			}
		}
	}
	return list
}
