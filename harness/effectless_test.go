package harness

import (
	"strings"
	"testing"

	"skillbench/harness/state"
)

// TestEffectless: a key that a strategy lacks is refused with what it lacks, one
// that it has is not.
func TestEffectless(t *testing.T) {
	t.Parallel()
	all := Settings{Merge: state.Deep, Memory: Rewrite, Recent: 3, Fold: 3, Keep: 2, Compact: 100, Informer: NGrams}
	for _, k := range keyed {
		for _, key := range k.keys {
			given := func(name string) bool { return name == key }
			if err := all.effectless("all", given); err != nil {
				t.Errorf("%s: %v, want none", key, err)
			}
			err := Settings{}.effectless("bare", given)
			if want := key + ": the key does nothing here, bare " + k.lacks + "; leave it out"; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s: %v, want %q", key, err, want)
			}
		}
	}
	if err := (Settings{}).effectless("bare", func(key string) bool { return key == "retry" || key == "budget" }); err != nil {
		t.Errorf("retry and budget: %v, want none", err)
	}
}
