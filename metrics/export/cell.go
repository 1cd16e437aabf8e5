package export

import "skillbench/metrics"

// A Cell is a row of cells: the columns of cells.csv behind the version of the
// schema. A value that is not known is absent.
type Cell struct {
	Schema           int64    `json:"schema" parquet:"schema"`
	Cell             string   `json:"cell" parquet:"cell"`
	Task             string   `json:"task" parquet:"task,dict"`
	Agent            string   `json:"agent" parquet:"agent,dict"`
	Model            string   `json:"model" parquet:"model,dict"`
	ModelKind        string   `json:"model_kind" parquet:"model_kind,dict"` // simulated, real, none
	Horizon          int64    `json:"horizon" parquet:"horizon"`
	Seed             uint64   `json:"seed" parquet:"seed"`
	Repeat           int64    `json:"repeat" parquet:"repeat"`
	Noise            int64    `json:"noise" parquet:"noise"`
	Drift            string   `json:"drift" parquet:"drift,dict"`
	Steps            int64    `json:"steps" parquet:"steps"`                 // free ones included
	Actionable       int64    `json:"actionable" parquet:"actionable"`       // base events
	Correct          *int64   `json:"correct" parquet:"correct,optional"`    // absent without a result
	Valid            *int64   `json:"valid" parquet:"valid,optional"`        // absent without a result
	Score            *float64 `json:"score" parquet:"score,optional"`        // correct ÷ actionable
	Belief           *float64 `json:"belief" parquet:"belief,optional"`      // mean share of the state's facts that hold
	Calls            int64    `json:"calls" parquet:"calls"`                 // all
	Retries          int64    `json:"retries" parquet:"retries"`             // of these
	PromptTokens     int64    `json:"prompt_tokens" parquet:"prompt_tokens"` // of all calls, counted locally
	CompletionTokens int64    `json:"completion_tokens" parquet:"completion_tokens"`
	TotalTokens      int64    `json:"total_tokens" parquet:"total_tokens"`
	PromptTokensMean *float64 `json:"prompt_tokens_mean" parquet:"prompt_tokens_mean,optional"` // of first attempts
	PromptTokensMax  *int64   `json:"prompt_tokens_max" parquet:"prompt_tokens_max,optional"`
	PromptCharsMean  *float64 `json:"prompt_chars_mean" parquet:"prompt_chars_mean,optional"` // code points
	PromptCharsMax   *int64   `json:"prompt_chars_max" parquet:"prompt_chars_max,optional"`
	StateCharsMax    *int64   `json:"state_chars_max" parquet:"state_chars_max,optional"`
	Drifts           int64    `json:"drifts" parquet:"drifts"`
	Recovered        *int64   `json:"recovered" parquet:"recovered,optional"`
	RecoverySteps    *float64 `json:"recovery_steps" parquet:"recovery_steps,optional"`
	Status           string   `json:"status" parquet:"status,dict"`
	World            string   `json:"world" parquet:"world,dict"`
}

func cellOf(r metrics.Row) Cell {
	c := r.Cell
	return Cell{
		Schema: Version, Cell: c.ID, Task: c.Task, Agent: c.Agent, Model: c.Model, ModelKind: c.ModelKind,
		Horizon: int64(c.Horizon), Seed: c.Seed, Repeat: int64(c.Repeat), Noise: int64(c.Noise), Drift: c.Drift,
		Steps: int64(r.Steps), Actionable: int64(r.Actionable), Correct: whole(r.Correct), Valid: whole(r.Valid),
		Score: number(r.Score()), Belief: number(r.Belief), Calls: int64(r.Calls), Retries: int64(r.Retries),
		PromptTokens: int64(r.PromptTokens), CompletionTokens: int64(r.CompletionTokens), TotalTokens: int64(r.PromptTokens + r.CompletionTokens),
		PromptTokensMean: number(r.PromptTokensMean), PromptTokensMax: whole(r.PromptTokensMax),
		PromptCharsMean: number(r.PromptCharsMean), PromptCharsMax: whole(r.PromptCharsMax), StateCharsMax: whole(r.StateCharsMax),
		Drifts: int64(r.Recovery.Drifts), Recovered: whole(r.Recovery.Recovered), RecoverySteps: number(r.Recovery.Steps),
		Status: string(r.Status), World: string(c.World),
	}
}
