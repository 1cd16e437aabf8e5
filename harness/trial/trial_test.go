package trial

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/state"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	kit := harness.Kit{Files: configs.FS}
	for name, test := range map[string]struct {
		strategy harness.Strategy
		horizon  int
		says     string
	}{
		"player":        {harness.Strategy{Player: true}, 10, "calls no model"},
		"short horizon": {harness.Strategy{}, MinHorizon - 1, "horizon: want at least 4, got 3"},
	} {
		_, err := New(kit, harness.Column{Name: "mine", Strategy: test.strategy}, harness.Variant{}, test.horizon)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: want an error that says %q, got %v", name, test.says, err)
		}
	}
}

func TestAt(t *testing.T) {
	t.Parallel()
	for pointer, want := range map[string]string{
		"/a":         `{"a":1}`,
		"/a/b":       `{"a":{"b":1}}`,
		"/a~1b/~01/": `{"a/b":{"~1":{"":1}}}`,
	} {
		if got := at(pointer, 1).Compact(); got != want {
			t.Errorf("%s: got %s, want %s", pointer, got, want)
		}
	}
}

// Every leaf can be found again by the pointer that Leaves gives it.
func TestAtLeaves(t *testing.T) {
	t.Parallel()
	o := state.From(map[string]any{"a/b": map[string]any{"~": "x", "": map[string]any{"~1": "y"}}, "c": "z"})
	built := state.Object{}
	for pointer, text := range o.Leaves() {
		built = state.Deep.Apply(built, at(pointer, strings.Trim(text, `"`)))
	}
	if diff := cmp.Diff(o.Compact(), built.Compact()); diff != "" {
		t.Error(diff)
	}
}

// However short the episodes are, together they try every disturbance.
func TestStartsCoverAll(t *testing.T) {
	t.Parallel()
	for horizon := MinHorizon; horizon < 60; horizon++ {
		trial := &Trial{horizon: horizon, classes: []string{"a", "b", "c", "d", "e", "f", "g"}}
		seen := map[disturbance]int{}
		for _, first := range trial.starts() {
			s := trial.stage(first)
			for step := range horizon {
				if d, ok := s.disturbed(step); ok {
					seen[d]++
				}
			}
		}
		if len(seen) != trial.Disturbances() {
			t.Errorf("horizon %d: %d of %d disturbances are tried", horizon, len(seen), trial.Disturbances())
		}
	}
}
