package warehouse

import (
	"fmt"
	"skillbench/harness"
)

// Where Store and Move may put an item.
const (
	LowestEmpty = "lowest_empty" // only on the lowest-numbered empty shelf: one action is right
	AnyEmpty    = "any_empty"    // on any empty shelf; goes with the skill warehouse-any
)

// maxWeight bounds an event's weight.
const maxWeight = 1000

// Options are the difficulty keys of the task. The published generator asks
// little memory: the median age of the needed fact is a few steps.
type Options struct {
	Placement string  `json:"placement" yaml:"placement"`   // lowest_empty (default) or any_empty
	WarmStart int     `json:"warm_start" yaml:"warm_start"` // items stored before the first step, 0 (default) to 499
	Weights   Weights `json:"weights" yaml:"weights"`
	MinAge    int     `json:"min_age" yaml:"min_age"` // an Order or Maintenance asks for no fact observed fewer steps ago; default 0
	Probe     *Probe  `json:"probe,omitempty" yaml:"probe,omitempty"`
}

// Skill names the folder whose rules and state schema go with the options.
func (o *Options) Skill() string {
	switch {
	case o.Probe != nil && o.Probe.Kind == deferred:
		return o.Probe.skill()
	case o.Placement == AnyEmpty:
		return "warehouse-any"
	}
	return "warehouse"
}

// Weights say how often a kind of event is drawn where it is possible, 1 to
// 1000 each, default 1.
type Weights struct {
	Receive     int `json:"receive" yaml:"receive"`
	Order       int `json:"order" yaml:"order"`
	Maintenance int `json:"maintenance" yaml:"maintenance"`
}

func defaults() *Options {
	return &Options{Placement: LowestEmpty, Weights: Weights{Receive: 1, Order: 1, Maintenance: 1}}
}

// Validate reports the first impossible value.
func (o *Options) Validate() error {
	if o.Placement != LowestEmpty && o.Placement != AnyEmpty {
		return fmt.Errorf("placement: want %s or %s, got %q", LowestEmpty, AnyEmpty, o.Placement)
	}
	if o.WarmStart < 0 || o.WarmStart >= Shelves {
		return fmt.Errorf("warm_start: want 0 to %d items, got %d", Shelves-1, o.WarmStart)
	}
	if o.MinAge < 0 {
		return fmt.Errorf("min_age: want 0 or more steps, got %d", o.MinAge)
	}
	if o.Probe != nil {
		if o.Placement != LowestEmpty {
			return fmt.Errorf("probe: want placement %s, got %s", LowestEmpty, o.Placement)
		}
		if err := o.Probe.validate(); err != nil {
			return err
		}
	}
	return o.Weights.validate()
}

func (w Weights) validate() error {
	for _, weight := range []struct {
		key   string
		value int
	}{{"receive", w.Receive}, {"order", w.Order}, {"maintenance", w.Maintenance}} {
		if weight.value < 1 || weight.value > maxWeight {
			return fmt.Errorf("weights.%s: want 1 to %d, got %d", weight.key, maxWeight, weight.value)
		}
	}
	return nil
}

// decode reads options over the defaults; no text means the defaults.
func decode(data []byte) (*Options, error) {
	o := defaults()
	return o, harness.DecodeOptions(data, o)
}
