// Package engine is a runtime of skills on a virtual clock, with a scripted back
// office behind it. It exists to be measured: each mechanism that guards the
// back office or the prompt can be switched off by itself, and the back office
// tells, without a look into the runtime's books, what that let through. Nothing
// in it runs at once, nothing waits and nothing reads a clock.
package engine

import "fmt"

// Mechanisms are what the runtime guards with. What each prevents is a harm of
// package record. The keys are those of an experiment file.
type Mechanisms struct {
	RetryByClass bool    `yaml:"retry_by_class" json:"retry_by_class"` // only transient errors are tried again, after a wait; else every error, at once
	RequestIDs   bool    `yaml:"request_ids" json:"request_ids"`       // a request that is done is not run again; calls carry a key that the back office knows
	VersionCheck Compare `yaml:"version_check" json:"version_check"`   // a write is refused where the slot changed since it was read
	Requires     bool    `yaml:"requires" json:"requires"`             // what a skill requires runs before it
	FixedFlow    bool    `yaml:"fixed_flow" json:"fixed_flow"`         // effects that cost money follow the request's fixed flow, never a model's plan
	PlanCheck    bool    `yaml:"plan_check" json:"plan_check"`         // an unsound plan is replaced by the fixed flow
	EnabledCheck bool    `yaml:"enabled_check" json:"enabled_check"`   // before each call, not only when a request is taken
	IndexCheck   bool    `yaml:"index_check" json:"index_check"`       // a lookup that lags behind the skill's version is made again
	ResultCheck  bool    `yaml:"result_check" json:"result_check"`     // an answer counts by what it says, not by its status code
	WriteGuard   bool    `yaml:"write_guard" json:"write_guard"`       // slots that a skill does not declare are not written
	DataOnly     bool    `yaml:"data_only" json:"data_only"`           // what a result says to run next is not run
	SafeCancel   bool    `yaml:"safe_cancel" json:"safe_cancel"`       // a cancellation waits for the call that is on its way
	Checkpoints  bool    `yaml:"checkpoints" json:"checkpoints"`       // a resumed ticket goes on behind its last finished call
	EventOrder   bool    `yaml:"event_order" json:"event_order"`       // events are taken by their number, lost ones fetched
	Hygiene      bool    `yaml:"hygiene" json:"hygiene"`               // of a result, prompts show the fields of keep, and once those of now
	ResultBound  bool    `yaml:"result_bound" json:"result_bound"`     // long texts of a result are cut
}

// A Compare says what an optimistic check of a slot compares.
type Compare string

const (
	ByVersion Compare = "version"
	ByValue   Compare = "value" // does not see a value that came back
	Unchecked Compare = "none"
)

// All has every mechanism on.
func All() Mechanisms {
	return Mechanisms{
		RetryByClass: true, RequestIDs: true, VersionCheck: ByVersion, Requires: true, FixedFlow: true, PlanCheck: true,
		EnabledCheck: true, IndexCheck: true, ResultCheck: true, WriteGuard: true, DataOnly: true,
		SafeCancel: true, Checkpoints: true, EventOrder: true, Hygiene: true, ResultBound: true,
	}
}

// Validate reports the first impossible value.
func (m Mechanisms) Validate() error {
	switch m.VersionCheck {
	case ByVersion, ByValue, Unchecked:
		return nil
	}
	return fmt.Errorf("version_check: want %s, %s or %s, got %q", ByVersion, ByValue, Unchecked, m.VersionCheck)
}
