package engine

// A Fault is what goes wrong with one request, as the script has it.
type Fault struct {
	Kind  Kind
	Skill string // whose calls it strikes; "" is every skill of the request
	N     int    // how often, or at which part
}

// A Kind of fault.
type Kind string

const (
	NoFault        Kind = ""
	TimeoutBefore  Kind = "timeout_before"   // the first call is lost on its way
	TimeoutAfter   Kind = "timeout_after"    // the answer to the first call is lost, its effect is there
	Unavailable    Kind = "unavailable"      // N calls are answered 503
	Declined       Kind = "declined"         // refused for good
	NoCarrier      Kind = "no_carrier"       // refused with what to write instead
	Malformed      Kind = "malformed"        // the first call is answered 200 with a page that says nothing of it, and does nothing
	FalseOK        Kind = "false_ok"         // refused for good, with status code 200
	StaleIndex     Kind = "stale_index"      // the lookup gives an old version of the skill
	SwitchedOff    Kind = "switched_off"     // the skill is switched off once the request has its first effect
	Race           Kind = "race"             // somebody else writes the slot between read and write
	ABA            Kind = "aba"              // somebody else writes the slot twice, and its value is what it was
	Crash          Kind = "crash"            // the worker dies between the effect of part N and its checkpoint
	Stray          Kind = "stray_write"      // the skill writes a slot that it does not declare
	Oversize       Kind = "oversize"         // a field of the result is very long
	Poison         Kind = "poison"           // the result says to run another skill
	Dropped        Kind = "dropped_events"   // the second sign of progress and the end are lost
	Reordered      Kind = "reordered_events" // each sign of progress comes after the event behind it
	PlanUnknown    Kind = "plan_unknown"     // the plan names a skill that is not there
	PlanMissing    Kind = "plan_missing"     // … lacks a parameter
	PlanCycle      Kind = "plan_cycle"       // … goes in a circle
	PlanStray      Kind = "plan_stray"       // … writes a slot that the request has nothing to do with
	PlanGarbled    Kind = "plan_garbled"     // … is cut
	PlanTwice      Kind = "plan_twice"       // … takes money twice
	Again          Kind = "delivered_twice"  // the request comes again
	Changed        Kind = "id_reused"        // the request comes again with another amount
	CancelInFlight Kind = "cancel_in_flight" // somebody has it stopped while a call is on its way
)
