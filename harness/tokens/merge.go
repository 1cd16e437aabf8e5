package tokens

import "math"

// noRank marks a pair of parts that is no token.
const noRank = math.MaxUint32

// mergeCount returns the number of tokens that byte pair encoding makes of one
// piece: join the two neighbours whose union has the lowest rank, the leftmost
// of equals, until no union is a token. A heap finds the next pair, so n bytes
// take O(n log n) time and about 20n bytes of memory.
func mergeCount(text string, ranks map[string]int) int {
	m := newMerger(text, ranks)
	for len(m.queue) > 0 {
		rank, start := m.queue.pop()
		// An entry is stale when its part was joined to the left or its pair
		// has grown since. A rank names one byte string, so equal ranks at
		// one start are the same pair.
		if m.rank[start] == rank {
			m.join(start)
		}
	}
	return m.parts
}

// A merger holds the parts of a piece as a list linked by their first bytes.
type merger struct {
	text  string
	ranks map[string]int
	parts int
	next  []uint32 // start of the part after the one that starts here
	prev  []uint32 // start of the part before
	rank  []uint32 // rank of this part joined with the next, or noRank
	queue rankQueue
}

func newMerger(text string, ranks map[string]int) *merger {
	n := len(text)
	m := &merger{
		text: text, ranks: ranks, parts: n,
		next: make([]uint32, n), prev: make([]uint32, n), rank: make([]uint32, n),
		queue: make(rankQueue, 0, n),
	}
	for i := range uint32(n) {
		m.next[i], m.prev[i] = i+1, i-1 // prev of 0 is never read
	}
	for i := range uint32(n) {
		m.update(i)
	}
	return m
}

// join makes one part of the part at start and the next.
func (m *merger) join(start uint32) {
	gone := m.next[start]
	after := m.next[gone]
	m.next[start] = after
	m.rank[gone] = noRank
	m.parts--
	if after < uint32(len(m.text)) {
		m.prev[after] = start
	}
	m.update(start)
	if start > 0 {
		m.update(m.prev[start])
	}
}

// update finds the rank of the pair at start anew and queues it.
func (m *merger) update(start uint32) {
	m.rank[start] = noRank
	middle := m.next[start]
	if middle == uint32(len(m.text)) {
		return
	}
	if rank, ok := m.ranks[m.text[start:m.next[middle]]]; ok {
		m.rank[start] = uint32(rank)
		m.queue.push(uint32(rank), start)
	}
}

// A rankQueue is a binary heap of pairs, lowest rank first, then leftmost. An
// entry has the rank in its high half and the start in its low half.
type rankQueue []uint64

func (q *rankQueue) push(rank, start uint32) {
	h := append(*q, uint64(rank)<<32|uint64(start))
	*q = h
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up] <= h[i] {
			return
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *rankQueue) pop() (rank, start uint32) {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	*q = h
	for i := 0; ; {
		down := 2*i + 1
		if down >= last {
			break
		}
		if right := down + 1; right < last && h[right] < h[down] {
			down = right
		}
		if h[i] <= h[down] {
			break
		}
		h[i], h[down] = h[down], h[i]
		i = down
	}
	return uint32(top >> 32), uint32(top)
}
