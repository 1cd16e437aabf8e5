package repo

import (
	"fmt"
	"math/rand/v2"

	"skillbench/harness"
)

// noise is the block of n background lines of one step. They tell of other
// servers and other repositories, and none is a line that this repository sends.
func noise(seed uint64, step, n int) string { return harness.Background(remarks, seed, step, n) }

var (
	servers = []string{"db", "cache", "edge", "mail", "build", "proxy", "logs"}
	daemons = []string{"systemd", "kernel", "sshd", "cron", "postfix", "nginx", "chronyd"}
	topics  = []string{"docs", "typo", "deps", "i18n", "theme", "spike", "bench"}
	others  = []string{"website", "handbook", "design-kit", "infra", "playground"}
	people  = []string{"amira", "bo", "chen", "dita", "emeka", "freya"}
)

func one(source *rand.Rand, words []string) string { return words[source.IntN(len(words))] }

func host(r *rand.Rand) string { return fmt.Sprintf("%s-%02d", one(r, servers), 1+r.IntN(20)) }

// remarks are the syslog of other servers and pushes to unrelated branches.
var remarks = []func(*rand.Rand) string{
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s %s[%d]: session opened for user %s", host(r), one(r, daemons), 300+r.IntN(30000), one(r, people))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s %s[%d]: load average %d.%02d", host(r), one(r, daemons), 300+r.IntN(30000), r.IntN(8), r.IntN(100))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s %s[%d]: disk /var %d %% used", host(r), one(r, daemons), 300+r.IntN(30000), 20+r.IntN(75))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s %s[%d]: job %d finished in %d ms", host(r), one(r, daemons), 300+r.IntN(30000), r.IntN(9000), 5+r.IntN(4000))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s: %s pushed %d commits to %s/%d", one(r, others), one(r, people), 1+r.IntN(9), one(r, topics), 1+r.IntN(400))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s: %s opened %s/%d for review", one(r, others), one(r, people), one(r, topics), 1+r.IntN(400))
	},
	func(r *rand.Rand) string {
		return fmt.Sprintf("%s: nightly checks of %s/%d took %d s", one(r, others), one(r, topics), 1+r.IntN(400), 20+r.IntN(900))
	},
}
