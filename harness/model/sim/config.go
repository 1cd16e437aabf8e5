package sim

import "fmt"

// A Config says which simulated model to be.
type Config struct {
	Mechanism string         `yaml:"sim" json:"sim"`                       // perfect, …
	Guess     Guess          `yaml:"guess" json:"guess,omitempty"`         // best_guess (default) | abstain
	Verbosity map[string]int `yaml:"verbosity" json:"verbosity,omitempty"` // characters of a reply, by strategy; "" for all others
}

// Mechanisms lists the simulated models.
func Mechanisms() []string { return []string{"perfect"} }

// Check reports the first impossible value as "key: want …, got …".
func (c Config) Check() error {
	known := false
	for _, m := range Mechanisms() {
		known = known || m == c.Mechanism
	}
	if !known {
		return fmt.Errorf("sim: want one of %q, got %q", Mechanisms(), c.Mechanism)
	}
	if c.Guess != "" && c.Guess != BestGuess && c.Guess != Abstain {
		return fmt.Errorf("guess: want best_guess or abstain, got %q", c.Guess)
	}
	for agent, n := range c.Verbosity {
		if n < 0 || n > 20_000 {
			return fmt.Errorf("verbosity.%s: want 0 to 20000 characters, got %d", agent, n)
		}
	}
	return nil
}
