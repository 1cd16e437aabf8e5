package harness

import "fmt"

// keyed says which keys of an experiment file a strategy has, judged by its
// defaults, and what it lacks where it has not.
var keyed = []struct {
	keys  []string
	has   func(Settings) bool
	lacks string
}{
	{[]string{"merge", "told", "validate", "commit", "render", "state_max_chars", "wire"}, Settings.Stateful, "keeps no state"},
	{[]string{"memory"}, func(s Settings) bool { return s.Memory != "" }, "keeps no summary that could be appended to"},
	{[]string{"recent"}, func(s Settings) bool { return s.Recent > 0 }, "has no turns that stay beside a summary"},
	{[]string{"fold"}, func(s Settings) bool { return s.Fold > 0 }, "folds no turns into a summary"},
	{[]string{"keep"}, func(s Settings) bool { return s.Keep > 0 }, "masks no observations"},
	{[]string{"compact"}, func(s Settings) bool { return s.Compact > 0 }, "rewrites no history at a threshold"},
	{[]string{"informer"}, func(s Settings) bool { return s.Informer != "" }, "prunes nothing by what tokens tell"},
}

// effectless reports the first key that is given and that a strategy with these
// defaults does nothing with.
func (s Settings) effectless(strategy string, given func(key string) bool) error {
	for _, k := range keyed {
		for _, key := range k.keys {
			if given(key) && !k.has(s) {
				return fmt.Errorf("%s: the key does nothing here, %s %s; leave it out", key, strategy, k.lacks)
			}
		}
	}
	return nil
}
