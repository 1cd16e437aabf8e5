package stats

import (
	"math"
	"slices"
)

// curve is a Kaplan-Meier curve (Kaplan and Meier 1958): one drop per distinct
// time, by time, ending with the longest.
type curve []drop

type drop struct {
	steps  int
	risk   int // durations not over before steps
	events int
	share  float64 // of durations longer than steps
}

func kaplanMeier(durations []Duration) curve {
	events, ends := map[int]int{}, map[int]int{}
	var times []int
	for _, d := range durations {
		if ends[d.Steps] == 0 {
			times = append(times, d.Steps)
		}
		ends[d.Steps]++
		if !d.Censored {
			events[d.Steps]++
		}
	}
	slices.Sort(times)
	var c curve
	risk, share := len(durations), 1.0
	for _, t := range times {
		share *= float64(risk-events[t]) / float64(risk)
		c = append(c, drop{steps: t, risk: risk, events: events[t], share: share})
		risk -= ends[t]
	}
	return c
}

// area returns the area under the curve up to tau and its standard error by
// Greenwood's formula. Both are absent if the curve is unknown before tau.
func (c curve) area(tau int) (area, se Value) {
	last := c[len(c)-1]
	if last.share > 0 && last.steps < tau {
		return Value{}, Value{}
	}
	end, right, variance := tau, 0.0, 0.0
	for i := len(c) - 1; i >= 0; i-- {
		d := c[i]
		if d.steps >= tau {
			continue
		}
		right += d.share * float64(end-d.steps)
		end = d.steps
		if d.events < d.risk {
			variance += right * right * float64(d.events) / (float64(d.risk) * float64(d.risk-d.events))
		}
	}
	return Of(right + float64(end)), Of(math.Sqrt(variance))
}

func (c curve) events() int {
	n := 0
	for _, d := range c {
		n += d.events
	}
	return n
}

// alive returns the drops at which an event came.
func (c curve) alive() []Alive {
	var points []Alive
	for _, d := range c {
		if d.events > 0 {
			points = append(points, Alive{Steps: d.steps, Share: d.share})
		}
	}
	return points
}
