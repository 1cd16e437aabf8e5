package tasktest

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"skillbench/harness/record"
)

// optionsHold: the defaults are possible, and are the same after a trip through
// JSON, which names cells, and under the same keys in YAML, which people write.
func (b bench) optionsHold() error {
	defaults := b.task.Options()
	if err := defaults.Validate(); err != nil {
		return fmt.Errorf("the default options are refused: %w", err)
	}
	read := b.task.Options()
	if err := json.Unmarshal(b.options, read); err != nil {
		return fmt.Errorf("options do not read their own JSON %s: %w", b.options, err)
	}
	again, err := json.Marshal(read)
	if err != nil || string(again) != string(b.options) {
		return fmt.Errorf("options are %s, and after a trip through JSON %s (%v)", b.options, again, err)
	}
	written, err := yaml.Marshal(defaults)
	if err != nil {
		return fmt.Errorf("options do not write YAML: %w", err)
	}
	var inYAML, inJSON map[string]any
	if err := yaml.Unmarshal(written, &inYAML); err != nil {
		return fmt.Errorf("options are no mapping in YAML: %w", err)
	}
	if err := json.Unmarshal(b.options, &inJSON); err != nil {
		return fmt.Errorf("options are no object in JSON: %w", err)
	}
	y, j := slices.Sorted(maps.Keys(inYAML)), slices.Sorted(maps.Keys(inJSON))
	if !slices.Equal(y, j) {
		return fmt.Errorf("options have the keys %q in YAML and %q in JSON: give each field both tags, and no omitempty", y, j)
	}
	return nil
}

// hostile are texts that models have given for an action, and worse.
func hostile(oracle string) []string {
	return []string{
		"", " ", record.None, oracle + "\n", "\n" + oracle, oracle + "\x00", oracle + "\u202e", oracle + " " + oracle,
		"Action: " + oracle, "`" + oracle + "`", "{}", "null", "%s%n%!d", "../../etc/passwd", "\xff\xfe", "Ｗait",
		strings.Repeat("x", 1<<16), strings.Repeat(oracle+" ", 1000), oracle + strings.Repeat("9", 80), // longer than a name can be
	}
}

// grammarHolds: Grammar accepts what the oracle and Random play, and Wait, and
// refuses what is no command without falling over it. Random draws from its
// source alone.
func (b bench) grammarHolds() error {
	if err := b.task.Grammar("Wait"); err != nil {
		return fmt.Errorf("grammar refuses Wait, which floors and cautious models play: %w", err)
	}
	for _, spec := range b.specs() {
		w, err := b.task.New(spec)
		if err != nil {
			return fmt.Errorf("%s: New: %w", of(spec, oracle), err)
		}
		grammar := b.grammar(w)
		for n := uint64(0); ; n++ {
			o, ok := w.Observe()
			if !ok {
				break
			}
			if err := grammar(o.Oracle); err != nil {
				return fmt.Errorf("%s: step %d: grammar refuses the oracle's %q: %w", of(spec, oracle), o.Step, o.Oracle, err)
			}
			random := b.task.Random(rand.New(rand.NewPCG(n, 0)), w.Truth())
			if err := grammar(random); err != nil {
				return fmt.Errorf("%s: step %d: grammar refuses %q of Random: %w", of(spec, oracle), o.Step, random, err)
			}
			if again := b.task.Random(rand.New(rand.NewPCG(n, 0)), w.Truth()); again != random {
				return fmt.Errorf("%s: step %d: Random plays %q and then, from the same source, %q", of(spec, oracle), o.Step, random, again)
			}
			for _, text := range hostile(o.Oracle) {
				if grammar(text) == nil {
					return fmt.Errorf("%s: step %d: grammar accepts %.100q", of(spec, oracle), o.Step, text)
				}
			}
			w.Act(o.Oracle)
		}
	}
	return nil
}
