package warehouse

import "math/bits"

// Shelves is the size of the warehouse: shelf_0 to shelf_499.
const Shelves = 500

// noShelf stands where a command or an item has no shelf.
const noShelf = -1

// A floor is the shelves and what is on them. The lowest empty shelf is found
// in a bitmap, so that no step's cost grows with the stock.
type floor struct {
	held  [Shelves]string // item by shelf, "" for empty
	where map[string]int  // shelf by item
	taken [(Shelves + 63) / 64]uint64
}

func newFloor() floor { return floor{where: map[string]int{}} }

// put stores an item on an empty shelf.
func (f *floor) put(item string, shelf int) {
	f.held[shelf] = item
	f.where[item] = shelf
	f.taken[shelf/64] |= 1 << (shelf % 64)
}

// clear empties a shelf.
func (f *floor) clear(shelf int) {
	delete(f.where, f.held[shelf])
	f.held[shelf] = ""
	f.taken[shelf/64] &^= 1 << (shelf % 64)
}

func (f *floor) empty(shelf int) bool { return f.held[shelf] == "" }

// at returns where an item is, or noShelf.
func (f *floor) at(item string) int {
	if shelf, ok := f.where[item]; ok {
		return shelf
	}
	return noShelf
}

// lowest returns the lowest-numbered empty shelf, or noShelf.
func (f *floor) lowest() int { return f.lowestBut(noShelf) }

// lowestBut is lowest as it would be if one more shelf were taken.
func (f *floor) lowestBut(shelf int) int {
	for i, word := range f.taken {
		if shelf >= 0 && shelf/64 == i {
			word |= 1 << (shelf % 64)
		}
		if n := i*64 + bits.TrailingZeros64(^word); ^word != 0 && n < Shelves {
			return n
		}
	}
	return noShelf
}

// nextEmpty returns the first empty shelf from one on, counting round, or
// noShelf.
func (f *floor) nextEmpty(from int) int {
	for i := range Shelves {
		if shelf := (from + i) % Shelves; f.empty(shelf) {
			return shelf
		}
	}
	return noShelf
}

// load is the number of occupied shelves.
func (f *floor) load() int { return len(f.where) }
