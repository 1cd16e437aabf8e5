package prompt

// The labels of prompt sections, as the paper names them (appendix A). They
// are fixed: strategies write them, simulated models and checks find them.
// Everything between them may be replaced by templates.
const (
	LabelInstructions = "## Instructions\n"
	LabelCatalogue    = "## Skill Catalogue\n"
	LabelState        = "## Current State\n"         // stateful
	LabelSkillState   = "## Skill Execution State\n" // skillstate
	LabelSummary      = "## Summarized History\n"
	LabelHistory      = "## History\n"
	LabelRecent       = "## Recent History\n"
	LabelLedger       = "## Execution Ledger\n"
	LabelLatest       = "## Latest Observation\n"
	LabelFeedback     = "## Feedback\n"
	LabelContract     = "## Reply\n"

	// Inside a history.
	LabelObservation = "Observation:\n"
	LabelReply       = "Reasoning & Action:\n"

	// Inside an observation: what follows tells nothing of the task.
	LabelBackground = "--- BACKGROUND TELEMETRY ---\n"

	// Begins each line of an observation that comes back from the record.
	LabelRecalled = "Recalled: "
)

// Labels are those that stand on lines of their own, at which prompts are taken
// apart. No other text may hold such a line.
func Labels() []string {
	return []string{
		LabelInstructions, LabelCatalogue, LabelState, LabelSkillState, LabelSummary, LabelHistory, LabelRecent, LabelLedger,
		LabelLatest, LabelFeedback, LabelContract, LabelObservation, LabelReply,
	}
}
