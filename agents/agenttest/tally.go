package agenttest

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

//go:embed tally
var files embed.FS

// Tally is the task that strategies are tried on where no other is given: bells
// ring, and each ring is to be counted.
func Tally() (harness.Variant, error) {
	skill, err := harness.LoadSkill(files, "tally", "agenttest/tally")
	return harness.Variant{Name: "tally", Skill: skill, Task: harness.Task{
		Name:    "tally",
		Doc:     "count the rings of three bells",
		Skill:   "tally",
		Options: func() harness.Options { return noOptions{} },
		New: func(s harness.Spec) (harness.World, error) {
			return &tally{left: s.Horizon, draw: rand.New(rand.NewPCG(s.Seed, 0)), counts: map[string]int{}}, nil
		},
		Grammar: grammar,
		Random: func(r *rand.Rand, _ state.Object) string {
			return "Count " + bells[r.IntN(len(bells))]
		},
	}}, err
}

type noOptions struct{}

func (noOptions) Validate() error { return nil }

var bells = []string{"north", "south", "west"}

func grammar(action string) error {
	for _, bell := range bells {
		if action == "Count "+bell {
			return nil
		}
	}
	if action == "Wait" {
		return nil
	}
	return fmt.Errorf("want Count with one of %q, or Wait", bells)
}

// A tally is an episode: how often each bell was counted.
type tally struct {
	step, left int
	draw       *rand.Rand
	counts     map[string]int
	last       string // bell counted last
	rings      string // bell of this step
	result     string
}

// Truth is the counts.
func (w *tally) Truth() state.Object {
	return state.From(map[string]any{"counts": w.counts, "last": w.last})
}

// Observe lets a bell ring.
func (w *tally) Observe() (record.Observation, bool) {
	if w.left == 0 {
		return record.Observation{}, false
	}
	w.left--
	w.rings = bells[w.draw.IntN(len(bells))]
	o := record.Observation{
		Text: w.result + "The " + w.rings + " bell rings.\n",
		Step: w.step, Kind: "ring", Item: w.rings, Oracle: "Count " + w.rings, Load: len(w.counts),
	}
	w.step++
	return o, true
}

// Judge accepts any count; only that of the bell that rang is right.
func (w *tally) Judge(action string) record.Outcome {
	bell, ok := strings.CutPrefix(action, "Count ")
	if !ok {
		return record.Outcome{Valid: action == "Wait", Result: "Nothing was counted."}
	}
	change := state.From(map[string]any{"counts": map[string]any{bell: w.counts[bell] + 1}, "last": bell})
	return record.Outcome{Valid: true, Correct: bell == w.rings, Result: "Counted " + bell + ".", World: &change}
}

// Act counts.
func (w *tally) Act(action string) record.Outcome {
	outcome := w.Judge(action)
	if bell, ok := strings.CutPrefix(action, "Count "); ok {
		w.counts[bell]++
		w.last = bell
	}
	w.result = outcome.Result + "\n"
	return outcome
}
