package repo

import (
	"testing"
)

// Five drifts strike under oracle play at T=50, and the base score is whole.
func TestDriftsStrikeAndLeaveTheScriptWhole(t *testing.T) {
	t.Parallel()
	for _, scenario := range Task().Drifts {
		for seed := range uint64(50) {
			s := spec(50, seed)
			s.Drift = scenario
			acts := run(t, s, oracle)
			struck := 0
			for _, a := range acts {
				if a.Observation.Silent != nil {
					struck++
				}
			}
			if struck != 5 {
				t.Errorf("%s, seed %d: %d drifts, want 5", scenario, seed, struck)
			}
			if correct, events := score(acts); correct != 50 || events != 50 {
				t.Errorf("%s, seed %d: %d of %d right", scenario, seed, correct, events)
			}
		}
	}
}
