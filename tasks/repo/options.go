package repo

import (
	"encoding/json"
	"fmt"
	"skillbench/harness"
)

// Options are the difficulty keys of the task.
type Options struct {
	Files   int     `yaml:"files" json:"files"`     // files of the repository, 4 to 500
	Open    int     `yaml:"open" json:"open"`       // most branches in work at once, 1 to 50
	Overlap float64 `yaml:"overlap" json:"overlap"` // chance that a change goes to a file which another open branch changes, 0 to 1
	Reads   bool    `yaml:"reads" json:"reads"`     // the free commands Read, Search and RunTests exist
}

func defaults() Options { return Options{Files: 12, Open: 6, Overlap: 0.6} }

// Validate reports the first impossible value.
func (o *Options) Validate() error {
	switch {
	case o.Files < 4 || o.Files > 500:
		return fmt.Errorf("files: want a whole number from 4 to 500, got %d", o.Files)
	case o.Open < 1 || o.Open > 50:
		return fmt.Errorf("open: want a whole number from 1 to 50, got %d", o.Open)
	case !(o.Overlap >= 0 && o.Overlap <= 1):
		return fmt.Errorf("overlap: want a number from 0 to 1, got %g", o.Overlap)
	}
	return nil
}

// decode reads the options of a spec; keys left out keep their defaults.
func decode(data json.RawMessage) (Options, error) {
	o := defaults()
	return o, harness.DecodeOptions(data, &o)
}
