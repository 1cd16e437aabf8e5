package record

import "strings"

// A Cell is one episode of an experiment: one value for everything that the
// experiment varies. Its ID is derived from its content and from everything
// else that decides its result, so equal IDs mean equal episodes.
type Cell struct {
	ID        string `json:"id"`
	Task      string `json:"task"`  // label of the task in the experiment
	Agent     string `json:"agent"` // label of the strategy in the experiment
	Model     string `json:"model"`
	ModelKind string `json:"model_kind"` // simulated, real, none (floors)
	World     World  `json:"world"`
	Horizon   int    `json:"horizon"`
	Seed      uint64 `json:"seed"`
	Repeat    int    `json:"repeat"`
	Noise     int    `json:"noise"`
	Drift     string `json:"drift,omitempty"`
}

// Kinds of model. Their results never share a column.
const (
	Simulated = "simulated"
	Real      = "real"
	NoModel   = "none"
)

// A World says what follows an action: the world that this agent made
// (closed), or the oracle's, with Σ and history replaced too (teacher), so that
// each step is judged alone from a true context.
type World string

const (
	Closed  World = "closed"
	Teacher World = "teacher"
)

// A Status says how an episode ended.
type Status string

const (
	Done             Status = "done"
	ContextOverflow  Status = "context_overflow"  // a result: later steps count as missed
	BudgetInfeasible Status = "budget_infeasible" // a result: later steps count as missed
	Interrupted      Status = "interrupted"       // not finished: the run was stopped here and can go on
	// Others are "limit:<name>" and "failed:<class>": no result, can be run again.
)

// Final reports whether an episode with this status is a result.
func (s Status) Final() bool {
	return s == Done || s == ContextOverflow || s == BudgetInfeasible
}

// Failed reports whether an episode with this status was given up.
func (s Status) Failed() bool {
	return strings.HasPrefix(string(s), "limit:") || strings.HasPrefix(string(s), "failed:")
}
