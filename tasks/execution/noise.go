package execution

import (
	"fmt"
	"math/rand/v2"
)

var (
	tills  = []string{"north", "south", "harbour", "station", "mall"}
	topics = []string{"catalog", "banner", "search", "checkout", "newsletter"}
	people = []string{"amira", "bo", "chen", "dita", "emeka", "freya"}
)

func one(r *rand.Rand, words []string) string { return words[r.IntN(len(words))] }

// remarks are what other desks and other shops say: nothing of this runtime.
var remarks = []func(*rand.Rand) string{
	func(r *rand.Rand) string {
		return fmt.Sprintf("till %s-%d: %d sales since noon", one(r, tills), 1+r.IntN(9), r.IntN(400))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("web %s: %d visitors, %d ms to first byte", one(r, topics), r.IntN(9000), 20+r.IntN(300))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s left a note for the %s desk", one(r, people), one(r, tills))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("cold store %d: %d.%d degrees", 1+r.IntN(6), 2+r.IntN(5), r.IntN(10))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("van %d: %d stops left, %s drives", 1+r.IntN(40), r.IntN(30), one(r, people))
	},
}
