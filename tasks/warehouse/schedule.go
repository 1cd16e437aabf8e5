package warehouse

import (
	"fmt"
	"math/rand/v2"
)

// The drift scenarios (paper §5.4).
const (
	secretMove    = "secret_move"
	secretAudit   = "secret_audit"
	secretBarcode = "secret_barcode"
	canceledOrder = "canceled_order"
)

func scenarios() []string {
	return []string{secretMove, secretAudit, secretBarcode, canceledOrder}
}

const (
	driftCount = 5          // per episode
	driftSalt  = 0x64726966 // keeps the drift's source apart from the script's
)

// plan schedules the drifts of the episode, one in each fifth of the script.
//
// Items that drift are a reserve of five which the script never names, on the
// lowest shelves below any warm start and listed by the opening stock line: so
// base events stay possible and the same. Only canceled_order takes an item of
// the script, the one ordered last before it. The highest reserve shelf drifts
// first: whatever became of the drifts before, an audited shelf is then the
// lowest empty one.
//
// Between drift and alert nobody can know of a shelf that became empty, so the
// base event that falls there is an Order where the script allows it. So is the
// one beside the alert of an audit: an open arrival then finds the audited shelf
// empty, save where its fifth of the script has no Order in place (one in 25).
func (w *world) plan() error {
	if w.spec.Drift == "" {
		return nil
	}
	if err := w.checkDrift(); err != nil {
		return err
	}
	s := schedule{script: w.script.events, lag: w.spec.Lag, kind: w.spec.Drift, used: map[string]bool{},
		source: rand.New(rand.NewPCG(w.spec.Seed^driftSalt, uint64(w.spec.Horizon)))}
	reserve := w.reserve()
	for n := range driftCount {
		d, ok := s.next(n)
		if !ok {
			return fmt.Errorf("drift: want a script with room for %d of %s, this one of %d steps ends after %d: raise the horizon",
				driftCount, w.spec.Drift, len(s.script), n)
		}
		if w.spec.Drift != canceledOrder {
			d.item = reserve[driftCount-1-n]
		}
		if w.spec.Drift == secretBarcode {
			d.label = w.newItem()
		}
		w.drifts = append(w.drifts, d)
	}
	return nil
}

// checkDrift refuses drift keys that cannot be. With lag 0 the alert comes with
// the change itself.
func (w *world) checkDrift() error {
	known := false
	for _, name := range scenarios() {
		known = known || name == w.spec.Drift
	}
	if !known {
		return fmt.Errorf("drift: want one of %v, got %q", scenarios(), w.spec.Drift)
	}
	if w.spec.Lag < 0 {
		return fmt.Errorf("lag: want 0 or more steps, got %d", w.spec.Lag)
	}
	if w.spec.Patience < 1 {
		return fmt.Errorf("patience: want 1 or more announcements, got %d", w.spec.Patience)
	}
	if want := driftCount * (w.spec.Lag + 2); w.spec.Horizon < want {
		return fmt.Errorf("drift: want a horizon of at least %d for %d drifts with lag %d, got %d", want, driftCount, w.spec.Lag, w.spec.Horizon)
	}
	extra := driftCount
	if w.spec.Drift == secretAudit {
		extra += driftCount * w.spec.Patience
	}
	if w.script.peak+extra > Shelves {
		return fmt.Errorf("drift: want at most %d items stored at once beside %d of the drifts, the script has %d: lower warm_start", Shelves-extra, extra, w.script.peak)
	}
	return nil
}

// reserve stocks the items that drift.
func (w *world) reserve() []string {
	items := make([]string, 0, driftCount)
	if w.spec.Drift != canceledOrder {
		for range driftCount {
			items = append(items, w.newItem())
			w.stock(items[len(items)-1])
		}
	}
	return items
}

// newItem names an item that the script does not.
func (w *world) newItem() string {
	w.names++
	return itemName(w.names)
}

// A schedule places drifts one after another.
type schedule struct {
	script []event
	kind   string
	lag    int
	source *rand.Rand
	free   int             // first base index that the next drift may take
	used   map[string]bool // items of canceled orders
}

// next places drift n in the first part of its fifth of the script; where that
// has no place for it, as early after it as there is one that leaves room for
// the other drifts.
func (s *schedule) next(n int) (*drift, bool) {
	start, width := n*len(s.script)/driftCount, len(s.script)/driftCount
	low := max(s.free, start+1)
	high := start + width - s.lag - width/3
	at, ok := s.between(low, high, start+width-s.lag-1, true)
	if !ok {
		at, ok = s.between(low, high, len(s.script)-s.lag-1-(driftCount-1-n)*(s.lag+2), false)
	}
	if !ok {
		return nil, false
	}
	s.free = at + s.lag + 2
	d := &drift{name: fmt.Sprintf("%s#%d", s.kind, n+1), kind: s.kind, at: at, due: at + s.lag, old: noShelf,
		aim: Shelves/2 + s.source.IntN(Shelves/2)}
	if s.kind == canceledOrder {
		d.item = s.lastOrder(at)
		s.used[d.item] = true
	}
	return d, true
}

// between draws a place for a drift among those from low to high that do least
// harm to the base score, or takes the first after high up to a limit.
func (s *schedule) between(low, high, limit int, strict bool) (int, bool) {
	var best []int
	least := 0
	for at := low; at <= limit && (at <= high || len(best) == 0); at++ {
		if !s.suits(at, strict) {
			continue
		}
		harm := s.harm(at)
		if len(best) == 0 || harm < least {
			best, least = best[:0], harm
		}
		if harm == least {
			best = append(best, at)
		}
	}
	if len(best) == 0 {
		return 0, false
	}
	return best[s.source.IntN(len(best))], true
}

// suits reports whether a drift can happen at a base index. A canceled order
// needs an earlier one. The strict form wants the alert of an audit beside an
// Order, lest that base event fills the audited shelf before the open one.
func (s *schedule) suits(at int, strict bool) bool {
	switch s.kind {
	case canceledOrder:
		return s.lastOrder(at) != ""
	case secretAudit:
		return !strict || s.script[at+s.lag].kind == kindOrder
	}
	return true
}

// harm counts the base events between a drift and its alert that ask for the
// lowest empty shelf, which only the alert can tell.
func (s *schedule) harm(at int) int {
	if s.kind != secretMove && s.kind != secretAudit {
		return 0
	}
	n := 0
	for _, e := range s.script[at : at+s.lag] {
		if e.kind != kindOrder {
			n++
		}
	}
	return n
}

// lastOrder is the item ordered last before a base index, unless it was taken.
func (s *schedule) lastOrder(at int) string {
	for i := at - 1; i >= 0; i-- {
		if e := s.script[i]; e.kind == kindOrder {
			if s.used[e.item] {
				return ""
			}
			return e.item
		}
	}
	return ""
}
