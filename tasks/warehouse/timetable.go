package warehouse

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	probeSalt    = 0x70726f6265 // keeps the source of probes apart from the script's
	probeTries   = 1000         // timetables drawn before the horizon is said to be too short
	lowestCode   = 100
	highestCode  = 999
	probeReserve = 200 // most items of probes that a warehouse has room for
)

// planProbes draws when probes tell and ask, of which items, by which codes.
// The items are ones that the script never names: stocked on the lowest shelves
// before the first step (deferred), or arriving (invalidation).
func (w *world) planProbes() error {
	options := w.opts.Probe
	if options == nil {
		return nil
	}
	if w.spec.Drift != "" {
		return fmt.Errorf("probe: want no drift beside it, got %s", w.spec.Drift)
	}
	if n := len(options.delays()); n > probeReserve || w.script.peak+n > Shelves {
		return fmt.Errorf("probe: want at most %d delays, and %d items stored at once beside the script's %d: lower warm_start", probeReserve, n, w.script.peak)
	}
	t := timetable{source: rand.New(rand.NewPCG(w.spec.Seed^probeSalt, uint64(w.spec.Horizon)))}
	if w.probes = t.draw(options, w.spec.Horizon); w.probes == nil {
		return fmt.Errorf("probe: found no room for %s after %v steps in %d base events: raise the horizon", options.Kind, options.delays(), w.spec.Horizon)
	}
	codes := t.source.Perm(highestCode - lowestCode + 1)
	for i, p := range w.probes {
		p.item = w.newItem()
		if p.kind == deferred {
			p.code = fmt.Sprintf("code_%d", lowestCode+codes[i])
			w.stock(p.item)
		} else {
			p.aim = Shelves/2 + t.source.IntN(Shelves/2)
		}
	}
	return w.prove()
}

// prove checks that no step before the one which a probe asks at can depend on
// its fact: nothing in the script names the item, and no two probes meet.
func (w *world) prove() error {
	for _, e := range w.script.events {
		for _, p := range w.probes {
			if e.item == p.item {
				return fmt.Errorf("probe: the script names %s before it is asked for", p.item)
			}
		}
	}
	for i, p := range w.probes {
		for _, other := range w.probes[:i] {
			if p.item == other.item || p.kind == deferred && p.code == other.code || p.meets(other) {
				return fmt.Errorf("probe: those after %d and %d steps are not apart", p.delay, other.delay)
			}
		}
	}
	return nil
}

// meets reports whether two probes want the same step. Each takes the steps of
// its own events, of its notice, and those it scores.
func (p *probe) meets(other *probe) bool {
	return slices.ContainsFunc(p.taken(), func(step int) bool { return slices.Contains(other.taken(), step) })
}

func (p *probe) taken() []int {
	steps := []int{p.at}
	for step := p.at + 1; step <= p.order(); step++ {
		if p.scores(step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// A timetable places probes.
type timetable struct{ source *rand.Rand }

// draw places one probe for each delay, the longest first, and returns them in
// the order of the delays; nil where there is no room.
func (t timetable) draw(options *Probe, horizon int) []*probe {
	delays := slices.Clone(options.delays())
	slices.SortFunc(delays, func(a, b int) int { return b - a })
	for range probeTries {
		var placed []*probe
		for _, delay := range delays {
			p := t.place(placed, probe{kind: options.Kind, delay: delay, repeat: options.Condition == repeated}, horizon)
			if p == nil {
				break
			}
			placed = append(placed, p)
		}
		if len(placed) == len(delays) {
			slices.Reverse(placed)
			return placed
		}
	}
	return nil
}

// place draws a step for a probe at which it meets no other. An episode has the
// base events and each probe's own.
func (t timetable) place(placed []*probe, p probe, horizon int) *probe {
	n := len(p.free())
	last := horizon + n*(len(placed)+1) - 1
	var fit []int
	for p.at = 1; p.order() < last; p.at++ {
		if !slices.ContainsFunc(placed, p.meets) {
			fit = append(fit, p.at)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	p.at = fit[t.source.IntN(len(fit))]
	return &p
}
