// Package harness runs episodes: it plans the cells of an experiment, owns
// every model call and the state Σ, and writes down what happened. Strategies
// only say what a prompt is and what a reply means; tasks only say what the
// world shows and what an action does.
package harness

import (
	"encoding/json"
	"io/fs"
	"math/rand/v2"

	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A Task is an environment. Register one by adding its value to the list in
// cmd/skillbench; see README for a complete example.
type Task struct {
	Name string
	Doc  string // one line for `skillbench list`

	// Skill names the built-in skill folder: SKILL.md, state.schema.json and
	// state.initial.json.
	Skill string

	// Files holds skills/<Skill>/ of a task that brings its own; nil means
	// those that skillbench ships.
	Files fs.FS

	// Options returns a pointer to the task's own difficulty keys with their
	// defaults. The experiment file is decoded into it strictly; its JSON form
	// is part of the cell's identity.
	Options func() Options

	// Drifts names the drift scenarios that the task knows.
	Drifts []string

	// New begins an episode. Everything random in it comes from spec.Seed, so
	// that equal specs give equal base events.
	New func(spec Spec) (World, error)

	// Grammar reports why an action is not a command of the task, whatever the
	// world looks like; nil means it is one.
	Grammar func(action string) error

	// Effects says what an action looks at and what it changes, as far as its
	// own words tell. Nil, or no effects, means that nothing is known, and a
	// runtime then leaves the action alone.
	Effects func(action string) []Effect

	// Random returns a random command, given what is true now: a floor for the
	// scores of strategies. It draws from r alone.
	Random func(r *rand.Rand, truth state.Object) string

	// RandomIn is Random of an episode, for a task whose commands depend on its
	// spec; nil where Random is enough.
	RandomIn func(spec Spec) (func(r *rand.Rand, truth state.Object) string, error)

	// Language is what the simulated models know of the task.
	Language sim.Language
}

// Options are a task's own keys of an experiment file.
type Options interface {
	// Validate reports the first impossible value as "key: want …, got …".
	Validate() error
}

// A Digester is Options that name files. What the files hold is then part of a
// cell's identity.
type Digester interface {
	// Digest is a hash of their contents.
	Digest() (string, error)
}

// A Spec decides an episode's script and nothing else does.
type Spec struct {
	Horizon  int             // base events T
	Seed     uint64          // of the script
	Noise    int             // background lines per step
	Drift    string          // scenario, "" for none
	Lag      int             // steps between a drift and its alert
	Patience int             // announcements of an open event before it is given up
	Options  json.RawMessage // the task's own keys, complete
}

// A World is one episode's environment: the script, and the world that follows
// this agent's actions. The loop calls Observe, then Judge or Act, in turn.
type World interface {
	// Truth is what a perfect Σ would hold now, in the terms of the task's
	// own state schema.
	Truth() state.Object

	// Observe begins the next step. It returns false when the episode is over.
	Observe() (record.Observation, bool)

	// Judge says what would become of an action at this step, and changes
	// nothing. The action is one that Grammar accepts, or record.None.
	Judge(action string) record.Outcome

	// Act does the action and ends the step. The outcome is Judge's.
	Act(action string) record.Outcome
}

// A Briefer is a World with a catalogue of what the agent can do, which follows
// the skill's instructions in every prompt of the episode. It may depend on the
// spec, and stays as it is from the first step to the last.
type Briefer interface {
	// Catalogue ends in a newline, and holds no label of a prompt.
	Catalogue() string
}

// An Effect is one thing that an action looks at or changes.
type Effect struct {
	Kind EffectKind
	On   string // the resource; a/b lies in a, and "" is everything
	From int    // first line that is read; 0 for all of it
	To   int    // last line
	Text string // what is searched for
}

// An EffectKind says what an action does with a resource.
type EffectKind string

const (
	Reads    EffectKind = "reads"
	Searches EffectKind = "searches"
	Checks   EffectKind = "checks"  // looks at what may change without any action
	Changes  EffectKind = "changes" // if the world accepts it
)

// An Answerer is a World whose present event can wait while something else than
// the world answers the model.
type Answerer interface {
	// Answer ends the step as a free one, without an action: the text opens the
	// next observation, which announces the same event again. It returns false,
	// and does nothing, where the event has waited often enough.
	Answer(text string) (record.Outcome, bool)
}

// A Grammarian is a World whose commands depend on its options. Its grammar
// then counts instead of the task's.
type Grammarian interface {
	// Grammar is Task.Grammar under the options of this episode.
	Grammar(action string) error
}
