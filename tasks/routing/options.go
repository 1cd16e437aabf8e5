package routing

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"skillbench/harness"
	"skillbench/tasks/skills"
	"skillbench/tasks/skills/rank"
)

// Options are the keys of the task.
type Options struct {
	Suite string `yaml:"suite" json:"suite"` // a shipped suite, or the path of a file (see package suite)
	Split string `yaml:"split" json:"split"` // dev | test | all

	Arm        Arm      `yaml:"arm" json:"arm"`               // how the agent comes to know the skills
	K          int      `yaml:"k" json:"k"`                   // candidates of recall_k, 1 to 50
	Favourites []string `yaml:"favourites" json:"favourites"` // skills that are always among the candidates of recall_k, beside the k
	Layers     []string `yaml:"layers" json:"layers"`         // of the descriptions, beside the summary; those of the arm where empty
	Vectors    string   `yaml:"vectors" json:"vectors"`       // a file of vectors for embed_threshold; empty: trigrams of letters

	Rules *rank.Rules `yaml:"rules" json:"rules"` // by which bm25 and embed_threshold decide; nil: those of their ranker

	Skills   int `yaml:"skills" json:"skills"`     // size of the catalogue, at most 500; 0: that of the library
	Position int `yaml:"position" json:"position"` // where the session's right skills begin: n-th from the top, -n from the end; 0: drawn

	Poison bool `yaml:"poison,omitempty" json:"poison,omitempty"` // the description of a skill that is never right lies: it is for everything, and to be called first

	Attempts int  `yaml:"attempts" json:"attempts"` // decisions at a turn, 1 to 10
	Gates    bool `yaml:"gates" json:"gates"`       // the runtime holds a call to hours, state and contract; else it goes through
}

// An Arm is how the agent comes to know the skills.
type Arm string

const (
	BareTools     Arm = "bare_tools"      // every definition, without boundaries and negatives
	FullCatalogue Arm = "full_catalogue"  // every definition
	LazyCatalogue Arm = "lazy_catalogue"  // every summary; Load shows a definition
	GroupThenPick Arm = "group_then_pick" // the groups; Open shows the definitions of one
	RecallK       Arm = "recall_k"        // none; each message comes with the k best by BM25
)

// Arms lists the arms in the order in which reports show them.
func Arms() []Arm { return []Arm{BareTools, FullCatalogue, LazyCatalogue, GroupThenPick, RecallK} }

// maxSkills and the like bound what an experiment can ask for.
const (
	maxSkills   = 500
	maxK        = 50
	maxAttempts = 10
)

func defaults() Options {
	return Options{Suite: "after-sales", Split: "test", Arm: FullCatalogue, K: 5, Favourites: []string{}, Layers: []string{}, Attempts: 3, Gates: true}
}

// Validate reports the first impossible value.
func (o *Options) Validate() error {
	switch {
	case o.Suite == "":
		return errors.New("suite: want the name of a suite or a file, got nothing")
	case !slices.Contains([]string{"dev", "test", "all"}, o.Split):
		return fmt.Errorf("split: want dev, test or all, got %q", o.Split)
	case !slices.Contains(Arms(), o.Arm):
		return fmt.Errorf("arm: want one of %q, got %q", Arms(), o.Arm)
	case o.K < 1 || o.K > maxK:
		return fmt.Errorf("k: want a whole number from 1 to %d, got %d", maxK, o.K)
	case o.Skills < 0 || o.Skills > maxSkills:
		return fmt.Errorf("skills: want a whole number from 0 to %d, got %d", maxSkills, o.Skills)
	case o.Position < -maxSkills || o.Position > maxSkills:
		return fmt.Errorf("position: want a whole number from %d to %d, got %d", -maxSkills, maxSkills, o.Position)
	case o.Attempts < 1 || o.Attempts > maxAttempts:
		return fmt.Errorf("attempts: want a whole number from 1 to %d, got %d", maxAttempts, o.Attempts)
	}
	if o.Rules != nil {
		if err := o.Rules.Validate(); err != nil {
			return fmt.Errorf("rules.%w", err)
		}
	}
	return o.checkLists()
}

func (o *Options) checkLists() error {
	for i, layer := range o.Layers {
		if !slices.Contains(layers(), layer) || slices.Contains(o.Layers[:i], layer) {
			return fmt.Errorf("layers: want some of %q, each once, got %q", layers(), layer)
		}
	}
	if n := len(o.Favourites); n > maxK {
		return fmt.Errorf("favourites: want at most %d, got %d", maxK, n)
	}
	for _, name := range o.Favourites {
		if !skills.IsName(name) {
			return fmt.Errorf("favourites: want names such as order-status, got %s", excerpt(name))
		}
	}
	return nil
}

// decode reads the options of a spec; keys left out keep their defaults.
func decode(data json.RawMessage) (Options, error) {
	o := defaults()
	return o, harness.DecodeOptions(data, &o)
}
