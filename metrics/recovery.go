package metrics

import (
	"skillbench/harness/record"
	"skillbench/metrics/stats"
)

// recovery follows the open events of an episode's drifts (see Observation).
type recovery struct {
	order []string
	done  map[string]int // steps to recovery, by drift
	seen  map[string]bool

	possible bool // some announcement had a right answer
}

// add takes one step. A drift is recovered by the first right action at an
// announcement of its open event; the steps are the announcements before it.
func (r *recovery) add(a record.Act) {
	o := a.Observation
	if o.Drift == "" || o.Announced == 0 {
		return
	}
	if r.seen == nil {
		r.seen, r.done = map[string]bool{}, map[string]int{}
	}
	if !r.seen[o.Drift] {
		r.seen[o.Drift] = true
		r.order = append(r.order, o.Drift)
	}
	r.possible = r.possible || !o.Impossible
	if _, ok := r.done[o.Drift]; !ok && a.Outcome.Correct && !o.Impossible {
		r.done[o.Drift] = o.Announced - 1
	}
}

func (r *recovery) result() Recovery {
	out := Recovery{Drifts: len(r.order)}
	if !r.possible {
		return out
	}
	out.Recovered = stats.Of(float64(len(r.done)))
	total := 0
	for _, steps := range r.done {
		total += steps
	}
	if len(r.done) > 0 {
		out.Steps = stats.Of(float64(total) / float64(len(r.done)))
	}
	return out
}
