package limit

import "fmt"

// Rates are what an endpoint allows, as its model file says. Zero means no
// limit.
type Rates struct {
	RPM         int `yaml:"rpm,omitempty"`         // requests a minute, failed attempts included
	TPM         int `yaml:"tpm,omitempty"`         // tokens a minute, prompt and completion
	Concurrency int `yaml:"concurrency,omitempty"` // most calls in flight
}

// Validate names the first key that is out of range.
func (r Rates) Validate() error {
	for _, k := range []struct {
		name  string
		value int
	}{{"rpm", r.RPM}, {"tpm", r.TPM}, {"concurrency", r.Concurrency}} {
		if k.value < 0 {
			return fmt.Errorf("limits.%s: want 0 (no limit) or more, got %d", k.name, k.value)
		}
	}
	return nil
}
