package routing

import (
	"fmt"
	"math/rand/v2"

	"skillbench/harness"
)

// noise is the block of n background lines of one step: what else goes on in the
// building of the desk. None is a line of a conversation.
func noise(seed uint64, step, n int) string { return harness.Background(remarks, seed, step, n) }

var remarks = []func(*rand.Rand) string{
	func(r *rand.Rand) string {
		return fmt.Sprintf("Printer %d on floor %d is out of paper.", 1+r.IntN(40), 1+r.IntN(6))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("Meeting room %d is free until %d:30.", 100+r.IntN(60), 8+r.IntN(10))
	},
	func(r *rand.Rand) string { return fmt.Sprintf("Queue %d: %d calls waiting.", 1+r.IntN(9), r.IntN(50)) },
	func(r *rand.Rand) string {
		return fmt.Sprintf("The canteen sold %d plates of soup by %d:15.", 10+r.IntN(200), 11+r.IntN(3))
	},
}
