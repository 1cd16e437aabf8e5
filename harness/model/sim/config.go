package sim

import (
	"fmt"
	"maps"
	"slices"
)

// The mechanisms. With its parameter at 0 each equals the perfect reader.
const (
	Perfect      = "perfect"      // of what is said of a key the last holds
	Anchored     = "anchored"     // older mentions vote too
	Distractible = "distractible" // text that says nothing makes it misread
	Clumsy       = "clumsy"       // errs in its replies at set rates, and labels what it did
	Keyword      = "keyword"      // picks from the catalogue in the prompt by the words it shares; see Chooser
)

// A Config says which simulated model to be.
type Config struct {
	Mechanism string         `yaml:"sim" json:"sim"`
	Strength  *float64       `yaml:"strength" json:"strength,omitempty"`   // the mechanism's parameter; see Anchored and Distractible; default DefaultStrength
	Guess     Guess          `yaml:"guess" json:"guess,omitempty"`         // best_guess (default) | abstain
	Verbosity map[string]int `yaml:"verbosity" json:"verbosity,omitempty"` // characters of a reply, by strategy; "" for all others
	Restates  bool           `yaml:"restates" json:"restates,omitempty"`   // replies say what is believed, as real ones often do; history shows it again
	Reads     bool           `yaml:"reads" json:"reads,omitempty"`         // before it answers, it looks at what the event is about, where the task offers that; see Looker
	Seed      uint64         `yaml:"seed" json:"seed,omitempty"`           // of what is drawn at random

	// Of Clumsy alone.
	Rates   map[string]float64 `yaml:"rates" json:"rates,omitempty"`       // chance of each class of Faults at a step; default DefaultRates
	Once    bool               `yaml:"once" json:"once,omitempty"`         // one fault per episode at most; rates are then weights
	OnRetry bool               `yaml:"on_retry" json:"on_retry,omitempty"` // errs at later attempts too
}

// DefaultStrength is each mechanism's parameter where none is given. The values
// are round numbers, chosen once for all strategies, tasks, scenarios and noise
// levels, and fitted to no published figure; 0 switches a mechanism off.
//
//   - anchored 0.9: a statement weighs nine tenths of the next one, so that a fact
//     stated ten times gives way at the fifth statement of another.
//   - distractible 0.01: one misreading in a hundred kilobytes of idle text.
//   - keyword 0: the place of an entry in the catalogue does not matter.
func DefaultStrength(mechanism string) float64 {
	switch mechanism {
	case Anchored:
		return 0.9
	case Distractible:
		return 0.01
	}
	return 0
}

// Mechanisms lists the simulated models.
func Mechanisms() []string { return []string{Perfect, Anchored, Distractible, Clumsy, Keyword} }

// Check reports the first impossible value as "key: want …, got …".
func (c Config) Check() error {
	if !slices.Contains(Mechanisms(), c.Mechanism) {
		return fmt.Errorf("sim: want one of %q, got %q", Mechanisms(), c.Mechanism)
	}
	if c.Guess != "" && c.Guess != BestGuess && c.Guess != Abstain {
		return fmt.Errorf("guess: want best_guess or abstain, got %q", c.Guess)
	}
	if s := c.strength(); s < 0 || s > 1 {
		return fmt.Errorf("strength: want 0 to 1, got %g", s)
	}
	for agent, n := range c.Verbosity {
		if n < 0 || n > 20_000 {
			return fmt.Errorf("verbosity.%s: want 0 to 20000 characters, got %d", agent, n)
		}
	}
	return c.checkFaults()
}

func (c Config) checkFaults() error {
	if c.Mechanism != Clumsy {
		if c.Rates != nil || c.Once || c.OnRetry {
			return fmt.Errorf("rates, once, on_retry: they are keys of sim: clumsy, got sim: %s", c.Mechanism)
		}
		return nil
	}
	sum := 0.0
	for _, class := range slices.Sorted(maps.Keys(c.Rates)) {
		rate := c.Rates[class]
		if !slices.Contains(Faults(), class) {
			return fmt.Errorf("rates: want classes out of %q, got %q", Faults(), class)
		}
		if !(rate >= 0 && rate <= 1) {
			return fmt.Errorf("rates.%s: want 0 to 1, got %g", class, rate)
		}
		sum += rate
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("rates: want a sum of 1 at most, got %g", sum)
	}
	return nil
}

// Complete returns the config with the strength that a mechanism has by default
// written out, so that a record of it holds what it was.
func (c Config) Complete() Config {
	if s := DefaultStrength(c.Mechanism); c.Strength == nil && s != 0 {
		c.Strength = &s
	}
	return c
}

func (c Config) strength() float64 {
	if c.Strength == nil {
		return DefaultStrength(c.Mechanism)
	}
	return *c.Strength
}

func (c Config) anchor() float64 {
	if c.Mechanism == Anchored {
		return c.strength()
	}
	return 0
}
