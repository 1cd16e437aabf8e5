package record

// Routing is what one step of a routed dialogue came to: which skill was wanted
// and which was chosen. A dialogue has one or more turns, each a message of the
// customer; a turn has one or more steps, the last of which ends it.
type Routing struct {
	Case  string `json:"case"` // of the suite
	Kind  string `json:"kind"` // direct, near_miss, out_of_scope, …
	Split string `json:"split"`

	Suite int `json:"suite,omitempty"` // at the first message of an episode: dialogues of its split, all sessions together; 0 where nobody says

	Turn    int  `json:"turn"`              // of the dialogue, from 0
	Attempt int  `json:"attempt,omitempty"` // decisions at this turn before this one: calls, questions, refusals
	Ended   bool `json:"ended,omitempty"`   // this step ends the turn
	Last    bool `json:"last,omitempty"`    // the turn is the dialogue's last

	Offered  int      `json:"offered"`            // skills in the catalogue
	Position int      `json:"position,omitempty"` // of the right skill in it, from 1; 0 where no skill is right, or the right one is not in it
	Ranked   []string `json:"ranked,omitzero"`    // what a recall brought up, best first; nil where there was none

	Poison string `json:"poison,omitempty"` // the skill of the catalogue whose description lies; "" where none does

	Want      Route    `json:"want"`
	About     string   `json:"about,omitempty"`  // the skill that a wanted question is about: calling it is too early, and no wrong skill
	Accept    []Route  `json:"accept,omitempty"` // right as well
	Forbidden []string `json:"forbidden,omitempty"`

	Got      Route    `json:"got"`
	Faults   []string `json:"faults,omitempty"`   // of the parameters: missing:<name>, invalid:<name>, wrong:<name>, unknown:<name>
	Harm     bool     `json:"harm,omitempty"`     // it changed what nobody asked to change
	Settled  bool     `json:"settled,omitempty"`  // at the end of a turn: its concern was met, if not at the first attempt
	Resolved bool     `json:"resolved,omitempty"` // at the end of a dialogue: every turn of it was settled, without harm
}

// A Route is one decision about a message.
type Route struct {
	Do    Deed   `yaml:"do" json:"do"`
	Skill string `yaml:"skill" json:"skill,omitempty"` // that is called or loaded; the group that is opened
	Other string `yaml:"other" json:"other,omitempty"` // the second of an offer
	Param string `yaml:"param" json:"param,omitempty"` // that is asked for
}

// A Deed is the kind of a route.
type Deed string

const (
	Call    Deed = "call"    // run a skill
	Ask     Deed = "ask"     // for a parameter that is missing
	Offer   Deed = "offer"   // let the customer choose between two skills
	Clarify Deed = "clarify" // ask what is meant
	Decline Deed = "decline" // no skill does it, or none is open now
	LoadOne Deed = "load"    // see the full definition of a skill; decides nothing
	Open    Deed = "open"    // see the skills of a group; decides nothing
	Nothing Deed = "nothing" // the step was missed, or waited
)

// Decides reports whether the deed is a decision, as looking is not.
func (d Deed) Decides() bool { return d != LoadOne && d != Open }
