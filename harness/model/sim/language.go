// Package sim holds the simulated models. They read the prompt text they are
// given, what a language model would get, and nothing else; randomness comes
// from a seed and the hash of that text, for Clumsy also from cell and step.
// They show what a context allows and what a mechanism does, never how a real
// model behaves.
package sim

import "math/rand/v2"

// A Language is what simulated models know of a task: how its sentences are
// read and which action an event asks for. It knows the task's words, not its
// rules file. Labels of prompt sections are fixed (see package agents), so
// connecting sentences may be reworded freely.
type Language interface {
	// Read finds what the sections of a prompt say, in order of appearance,
	// without judging what is true. The event is the one that the latest
	// observation announces.
	Read(sections []Section) Reading

	// Answer says what the latest event asks for, given what is believed. It
	// sees of the reading only the event.
	Answer(event Event, beliefs Beliefs, guess Guess) Answer

	// Render shows beliefs as a state of the task's own schema.
	Render(Beliefs) map[string]any

	// Summarize states beliefs in the task's own sentences, such that Read
	// finds them again; a value of "" is stated as being nowhere. The order is
	// fixed by the keys.
	Summarize(Beliefs) string
}

// A Spoiler is a Language that can name an action the world refuses. Without
// it, Clumsy cannot record what an action did not do.
type Spoiler interface {
	// Refused is an answer to the event whose action is a command of the task
	// and which the world refuses, given that the beliefs are true and no event
	// of the past is unanswered. Then holds what the action would have changed,
	// and what the event itself announced. False where there is none. It draws
	// from r alone.
	Refused(event Event, beliefs Beliefs, r *rand.Rand) (Answer, bool)
}

// A Keeper is a Language with facts that only some schemas of its task have a
// place for, such as free notes.
type Keeper interface {
	// Keep shows these facts by the name of the state's member that holds them.
	// Only members that the state in the prompt has are written.
	Keep(Beliefs) map[string]any
}

// A Looker is a Language of a task with free commands that only look. It plays
// the habit of models to look before they act, whether they looked before or not.
type Looker interface {
	// Look returns what to look at next, given the sections of the prompt and
	// what is believed; false where the event has been looked into, or where
	// nothing is offered.
	Look(sections []Section, event Event, beliefs Beliefs) (action string, ok bool)
}

// A Chooser is a Language of a task whose action is picked from a catalogue that
// stands in the prompt. Keyword plays it and no other mechanism does, because no
// reader of a task's words knows what a customer means.
type Chooser interface {
	// Choose picks an action by the words that the latest observation shares with
	// the entries of the catalogue in the sections, and with those that
	// observations show; it knows no entry that the prompt does not hold. Bias is
	// 0 to 1: the last entry weighs 1-bias times what the first one weighs, those
	// between in proportion.
	Choose(sections []Section, event Event, beliefs Beliefs, bias float64) Answer
}

// A Reading is what a prompt says.
type Reading struct {
	Mentions  []Mention // in order of appearance
	Event     Event
	Exclusive bool // no two keys can have the same value, unless it is ""
}

// A Section is a part of a prompt, found by its label. Past observations and
// past replies are sections of their own, in order.
type Section struct {
	Part Part
	Text string
	At   int // byte offset of Text in the prompt
}

// A Part is the section of the prompt that a mention stands in.
type Part string

const (
	InCatalogue   Part = "catalogue"   // what can be chosen from
	InState       Part = "state"       // Σ as JSON
	InSummary     Part = "summary"     // in the words of an earlier Summarize
	InHistory     Part = "history"     // one past observation
	InReply       Part = "reply"       // one past reply
	InObservation Part = "observation" // the latest observation, always last
)

// A Stance says what a sentence does with its key and value.
type Stance string

const (
	Says   Stance = "says"   // states that the key has the value; "" means it is nowhere
	Tries  Stance = "tries"  // an action of the past meant to make it so; true unless an error followed
	Denies Stance = "denies" // an error line: the key does not have the value

	// Announces: an event of the task's own course changed the key to the value,
	// so there is nothing to doubt. A sentence that only contradicts what was held,
	// such as an alert to a silent change, Says.
	Announces Stance = "announces"
)

// A Mention is one statement about one key: item_12 is on shelf_42.
type Mention struct {
	Key, Value string
	Part       Part
	Stance     Stance
	At         int // byte offset in the text
}

// An Event is what the latest observation asks for. A task chooses the words.
type Event struct {
	Kind string            // "" where the text holds none that can be read
	Args map[string]string // its parts, by the task's own names
	At   int               // byte offset in the text
}

// Beliefs are what a simulated model holds true: a value for each key.
// A key that is absent is unknown; a value of "" is known to be nowhere.
type Beliefs map[string]string

// A Guess says what to do when a needed fact is unknown.
type Guess string

const (
	BestGuess Guess = "best_guess" // act on the likeliest value
	Abstain   Guess = "abstain"    // say Wait
)

// An Answer is what a simulated model decided.
type Answer struct {
	Because string  // one sentence in the task's words; it must not hold a statement that Read would take up
	Action  string  // a command, or Wait
	Then    Beliefs // what changes when the action succeeds, and what the event itself announced
	Lacks   string  // the key whose value was needed and unknown; "" when nothing was missing
}
