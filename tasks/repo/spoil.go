package repo

import (
	"maps"
	"math/rand/v2"
	"slices"

	"skillbench/harness/model/sim"
	"skillbench/harness/state"
)

// neverBranch is the first number of branches that no script or drift makes.
const neverBranch = 800_000

// Refused commits to a branch that does not exist, or merges a pull request
// whose CI is pending or failed.
func (language) Refused(e sim.Event, beliefs sim.Beliefs, r *rand.Rand) (sim.Answer, bool) {
	s := speaker{event: e, beliefs: beliefs, view: viewOf(beliefs)}
	then := sim.Beliefs{}
	for _, f := range s.announced() {
		s.view.take(f)
		then[f.key] = f.value
	}
	c, because := commit(branchName(neverBranch+r.IntN(1000)), fileName(r.IntN(4))), "The change goes to its branch."
	for _, pr := range slices.SortedFunc(maps.Keys(s.view.repo.pulls), state.Compare) {
		if ci := s.view.repo.pulls[pr].ci; (ci == pending || ci == failed) && r.IntN(2) == 0 {
			c, because = merge(pr), "It is merged at once."
			break
		}
	}
	for _, f := range s.view.after(c, "") {
		then[f.key] = f.value
	}
	return sim.Answer{Because: because, Action: c.String(), Then: then}, true
}
