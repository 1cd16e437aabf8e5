package repo

import (
	"testing"
)

func TestShares(t *testing.T) {
	t.Parallel()
	for _, horizon := range []int{10, 25, 50, 100, 200} {
		var sum Shares
		for seed := range uint64(50) {
			s, err := Share(spec(horizon, seed))
			if err != nil {
				t.Fatal(err)
			}
			if s.Events != horizon {
				t.Errorf("T=%d, seed %d: %d events", horizon, seed, s.Events)
			}
			if 5*s.Waits >= s.Events {
				t.Errorf("T=%d, seed %d: Wait is right for %d events, want fewer than a fifth", horizon, seed, s.Waits)
			}
			if horizon >= 50 && (3*s.Voided < s.Approvals || 3*s.Voided > 2*s.Approvals) {
				t.Errorf("T=%d, seed %d: %d of %d approvals depend on an invalidation, want a third to two thirds", horizon, seed, s.Voided, s.Approvals)
			}
			sum.Waits += s.Waits
			sum.Approvals += s.Approvals
			sum.Voided += s.Voided
			sum.Merges += s.Merges
		}
		t.Logf("T=%d: per episode %.1f approvals (%.2f voided), %.1f merges; Wait right for %.3f of events", horizon,
			float64(sum.Approvals)/50, float64(sum.Voided)/float64(max(1, sum.Approvals)), float64(sum.Merges)/50, float64(sum.Waits)/float64(50*horizon))
	}
}
