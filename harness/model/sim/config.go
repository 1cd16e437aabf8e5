package sim

import (
	"fmt"
	"slices"
)

// The mechanisms. With its parameter at 0 each equals the perfect reader.
const (
	Perfect      = "perfect"      // of what is said of a key the last holds
	Anchored     = "anchored"     // older mentions vote too
	Distractible = "distractible" // text that says nothing makes it misread
)

// A Config says which simulated model to be.
type Config struct {
	Mechanism string         `yaml:"sim" json:"sim"`
	Strength  *float64       `yaml:"strength" json:"strength,omitempty"`   // the mechanism's parameter; see Anchored and Distractible; default DefaultStrength
	Guess     Guess          `yaml:"guess" json:"guess,omitempty"`         // best_guess (default) | abstain
	Verbosity map[string]int `yaml:"verbosity" json:"verbosity,omitempty"` // characters of a reply, by strategy; "" for all others
	Restates  bool           `yaml:"restates" json:"restates,omitempty"`   // replies say what is believed, as real ones often do; history shows it again
	Seed      uint64         `yaml:"seed" json:"seed,omitempty"`           // of what is drawn at random
}

// DefaultStrength is each mechanism's parameter where none is given. The values
// are chosen once, for all strategies and tasks, so that the mechanism shows at
// T = 50; they are fitted to no published cell.
func DefaultStrength(mechanism string) float64 {
	switch mechanism {
	case Anchored:
		return 0.9
	case Distractible:
		return 0.005
	}
	return 0
}

// Mechanisms lists the simulated models.
func Mechanisms() []string { return []string{Perfect, Anchored, Distractible} }

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
	return nil
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
