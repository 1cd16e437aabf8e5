// Package skills is a library of skills: what each says of itself, the contract
// of its parameters, and what of it a prompt shows. A skill here is something an
// agent can call; the skill text P of a task (harness.Skill) is another thing.
package skills

// A Skill is one definition: skill.yaml in a folder of its own, beside the
// SKILL.md of the Agent Skills format, whose name and description must agree
// with it.
type Skill struct {
	Name    string `yaml:"name" json:"name"`       // 1 to 64 of a-z, 0-9 and -
	Version string `yaml:"version" json:"version"` // must change when anything below does
	Group   string `yaml:"group" json:"group,omitempty"`

	// The layers of its description.
	Summary  string     `yaml:"summary" json:"summary"`             // one line, always in the catalogue
	Triggers []string   `yaml:"trigger" json:"trigger,omitempty"`   // when to use it
	Boundary string     `yaml:"boundary" json:"boundary,omitempty"` // where it ends and which neighbour begins
	NotWhen  []Negative `yaml:"not_when" json:"not_when,omitempty"` // when not to use it
	Promise  string     `yaml:"promise" json:"promise,omitempty"`   // what one gets

	Params map[string]Param `yaml:"params" json:"params,omitempty"`
	Output Output           `yaml:"output" json:"output,omitzero"`

	Effect     Effect           `yaml:"effect" json:"effect"`
	Money      bool             `yaml:"money" json:"money,omitempty"` // its effect costs money: it runs by a fixed flow only
	Idempotent bool             `yaml:"idempotent" json:"idempotent,omitempty"`
	Requires   []string         `yaml:"requires" json:"requires,omitempty"` // skills that run first
	Reads      []string         `yaml:"reads" json:"reads,omitempty"`       // slots
	Writes     []string         `yaml:"writes" json:"writes,omitempty"`     // slots
	Errors     map[string]Class `yaml:"errors" json:"errors,omitempty"`     // its own, by name

	Enabled *bool  `yaml:"enabled" json:"enabled,omitempty"` // nil: yes
	Hours   string `yaml:"hours" json:"hours,omitempty"`     // "09:00-18:00"; "": always. May run over midnight

	Body string `yaml:"-" json:"-"` // of SKILL.md
}

// A Negative is a case in which a skill is not to be used. One of the two is
// set. A topic is text for a prompt; a state is evaluated on the state of the
// dialogue, never on text.
type Negative struct {
	Topic string `yaml:"topic" json:"topic,omitempty"`
	State string `yaml:"state" json:"state,omitempty"` // an expression over the state's members: paid == false
	Then  string `yaml:"then" json:"then,omitempty"`   // for a state: ask:<param>, or decline (default)
	Use   string `yaml:"use" json:"use,omitempty"`     // the skill to use instead, where there is one

	held *condition // of State; nil in a Negative that New has not seen
}

// A Param is one parameter of a contract.
type Param struct {
	Type     string   `yaml:"type" json:"type"` // string, integer, number, boolean
	Required bool     `yaml:"required" json:"required,omitempty"`
	Source   Source   `yaml:"source" json:"source"`
	About    string   `yaml:"about" json:"about,omitempty"`     // one line
	Pattern  string   `yaml:"pattern" json:"pattern,omitempty"` // RE2, of a whole string
	Enum     []string `yaml:"enum" json:"enum,omitempty"`
	Default  any      `yaml:"default" json:"default,omitempty"`
}

// A Source says where the value of a parameter comes from.
type Source string

const (
	FromUser    Source = "user"    // the customer says it
	FromContext Source = "context" // the state of the dialogue has it, the customer is never asked
	Fixed       Source = "fixed"   // the default, always; a model does not fill it in
)

// An Output says what becomes of the fields of a result: those of Keep may stay
// in later prompts, those of Now stand in one prompt only, those of Drop in none.
// A dot leads into an object. A field that is not listed is dropped.
type Output struct {
	Keep []string `yaml:"keep" json:"keep,omitempty"`
	Now  []string `yaml:"now" json:"now,omitempty"`
	Drop []string `yaml:"drop" json:"drop,omitempty"`
}

// An Effect says whether a skill changes anything outside.
type Effect string

const (
	NoEffect Effect = "none"
	Write    Effect = "write"
)

// A Class of error decides what follows it.
type Class string

const (
	Deterministic Class = "deterministic" // it would fail again: stop
	Transient     Class = "transient"     // it may pass: wait and try again
	Semantic      Class = "semantic"      // the call was wrong: make another one, or ask a human
)
