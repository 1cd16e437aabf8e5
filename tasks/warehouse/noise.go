package warehouse

import (
	"fmt"
	"math/rand/v2"

	"skillbench/harness"
)

// noise is the block of n background lines of one step (paper §5.3). They name
// shelves that something passed or looked at, but state nothing of what a shelf
// holds.
func noise(seed uint64, step, n int) string { return harness.Background(remarks, seed, step, n) }

var (
	zones     = []string{"north aisle", "south aisle", "cold room", "packing area", "loading bay", "mezzanine", "charging area"}
	sightings = []string{"a shadow", "a loose strap", "dust on the lens", "glare", "a person in a vest", "an empty pallet", "nothing unusual"}
	duties    = []string{"idle", "charging", "returning to base", "waiting for clearance", "recalibrating", "patrolling"}
)

func one(source *rand.Rand, words []string) string { return words[source.IntN(len(words))] }

// remarks are robot telemetry, ambient sensors and camera remarks.
var remarks = []func(*rand.Rand) string{
	func(r *rand.Rand) string {
		return fmt.Sprintf("robot_%d: battery %d %%, %s", 1+r.IntN(24), 5+r.IntN(95), one(r, duties))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("robot_%d: passed %s at %d.%d m/s", 1+r.IntN(24), shelfName(r.IntN(Shelves)), r.IntN(2), r.IntN(10))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("robot_%d: wheel motor %d.%d A, heading %d degrees", 1+r.IntN(24), 1+r.IntN(6), r.IntN(10), r.IntN(360))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("sensor_%d: %s %d.%d C, humidity %d %%", 1+r.IntN(60), one(r, zones), 2+r.IntN(26), r.IntN(10), 25+r.IntN(50))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("sensor_%d: vibration %d mg in the %s", 1+r.IntN(60), r.IntN(90), one(r, zones))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("sensor_%d: light level %d lux in the %s", 1+r.IntN(60), 40+r.IntN(700), one(r, zones))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("camera_%d: %s near %s", 1+r.IntN(40), one(r, sightings), shelfName(r.IntN(Shelves)))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("camera_%d: %s in the %s", 1+r.IntN(40), one(r, sightings), one(r, zones))
	},
}
