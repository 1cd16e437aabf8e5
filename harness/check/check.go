// Package check holds the invariants that a user can hold any strategy to, as
// functions over what an episode wrote down. Each answers with evidence. What a
// journal alone does not tell comes from whoever drove the episode: see Facts
// and package trial.
package check

// Names of the invariants (SPEC of the checks: paper sections 3 and 5).
const (
	NoHistoryLeak        = "no_history_leak"        // of the past only Σ is in a prompt
	InvalidPatchRollback = "invalid_patch_rollback" // a refused reply changes nothing
	ResumeRoundTrip      = "resume_round_trip"      // a killed and resumed run ends as an undisturbed one
	BoundedPromptGrowth  = "bounded_prompt_growth"  // a prompt without Σ, O and feedback has a constant size
)

// Names lists the invariants in the order in which reports show them.
func Names() []string {
	return []string{NoHistoryLeak, InvalidPatchRollback, ResumeRoundTrip, BoundedPromptGrowth}
}

// Facts are what the driver of an episode knows of it and the journal does not
// say. Where a fact is absent, what rests on it is not judged.
type Facts struct {
	Canaries     []Canary
	Observations map[int]string // O_t by step
	Acted        map[int]string // the action that reached the world, by step
	Bad          []Bad          // replies that had to be refused
	MaxChars     int            // declared bound of |Σ| in code points of its compact form; 0: none
}

// A Bad reply is one that was given to be refused.
type Bad struct {
	Step, Attempt int
	Class         string // the primary class it earns (package transition)
}
