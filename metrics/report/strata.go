package report

import "skillbench/harness/record"

// A bucket is a range of whole numbers; high -1 has no end.
type bucket struct {
	low, high int
	name      string
}

// ages are steps since the fact that an event asks for was last observed.
var ages = []bucket{
	{-1, -1, "no fact needed"}, {0, 1, "0–1"}, {2, 4, "2–4"}, {5, 9, "5–9"}, {10, 19, "10–19"}, {20, -1, "20+"},
}

// loads are facts that hold in the agent's world.
var loads = []bucket{
	{0, 1, "0–1"}, {2, 3, "2–3"}, {4, 7, "4–7"}, {8, 15, "8–15"}, {16, 31, "16–31"}, {32, -1, "32+"},
}

// quarters of an episode, by base event.
var quarters = []bucket{{0, 0, "first"}, {1, 1, "second"}, {2, 2, "third"}, {3, 3, "last"}}

// place is the index of the bucket that holds v; no bucket of names holds less
// than 0.
func place(v int, buckets []bucket) int {
	for i, b := range buckets {
		if v >= 0 && v >= b.low && b.low >= 0 && (v <= b.high || b.high < 0) {
			return i
		}
	}
	return 0
}

// hits are right answers out of all.
type hits struct{ k, n int }

func (h *hits) add(right bool) {
	h.n++
	if right {
		h.k++
	}
}

// strata count the base events of one episode in three ways.
type strata struct {
	age, load [6]hits
	quarter   [4]hits
}

func (s *strata) add(o record.Observation, index, horizon int, right bool) {
	age := 0
	if o.Age != nil {
		age = place(max(0, *o.Age), ages)
	}
	s.age[age].add(right)
	s.load[place(max(0, o.Load), loads)].add(right)
	s.quarter[min(3, index*4/max(1, horizon))].add(right)
}
