// Package check holds the invariants that a user can hold any strategy to, as
// functions over what an episode wrote down. Each answers with evidence.
package check

// Names of the invariants (SPEC of the checks: paper sections 3 and 5).
const (
	NoHistoryLeak        = "no_history_leak"        // of the past only Σ is in a prompt
	InvalidPatchRollback = "invalid_patch_rollback" // a refused reply changes nothing
	ResumeRoundTrip      = "resume_round_trip"      // a killed and resumed run ends as an undisturbed one
	BoundedPromptGrowth  = "bounded_prompt_growth"  // a prompt without Σ, O and feedback has a constant size
)
