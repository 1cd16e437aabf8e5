package patcherr

// A Finding is one error with its evidence. Values are compact JSON, "" where
// there is none.
type Finding struct {
	Step    int    `json:"step"`
	Attempt int    `json:"attempt"`
	Class   string `json:"class"`
	Path    string `json:"path,omitempty"`   // JSON pointer into Σ; "" for the reply as a whole
	Before  string `json:"before,omitempty"` // in Σ_t
	After   string `json:"after,omitempty"`  // in Σ_{t+1}; for refused attempts, in what it would have been
	Truth   string `json:"truth,omitempty"`  // in this agent's world after the step; for refused attempts, before it
	Hint    string `json:"hint,omitempty"`   // why the reply was refused
	Resend  bool   `json:"resend,omitempty"` // the patch repeated unchanged facts
}

// An Attempt is one reply and what is wrong with it.
type Attempt struct {
	Step     int
	Attempt  int
	Accepted bool
	Findings []Finding // in order of precedence, then of paths
	Resend   bool      // the patch repeated unchanged facts
	Lost     bool      // the patch was right and not taken, because its action was rejected
	True     bool      // Σ_t was right, as far as anyone had been told
	Judged   bool      // Σ could be judged against a world
	Tokens   int       // of prompt and reply
	Injected string    // what a simulated model says it did wrong; never used to classify
}

// Primary is the attempt's class under an order.
func (a Attempt) Primary(o Order) string { return o.Primary(a.Findings) }
