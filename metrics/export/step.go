package export

import (
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/metrics"
)

// A Step is a row of steps: one finished step of one episode.
type Step struct {
	Schema     int64  `json:"schema" parquet:"schema"`
	Cell       string `json:"cell" parquet:"cell,dict"`
	Task       string `json:"task" parquet:"task,dict"`
	Agent      string `json:"agent" parquet:"agent,dict"`
	Model      string `json:"model" parquet:"model,dict"`
	Horizon    int64  `json:"horizon" parquet:"horizon"`
	Seed       uint64 `json:"seed" parquet:"seed"`
	Repeat     int64  `json:"repeat" parquet:"repeat"`
	Noise      int64  `json:"noise" parquet:"noise"`
	Drift      string `json:"drift" parquet:"drift,dict"` // scenario of the episode
	World      string `json:"world" parquet:"world,dict"`
	Step       int64  `json:"step" parquet:"step"`                            // from 0
	Event      string `json:"event" parquet:"event,dict"`                     // in the task's words
	Item       string `json:"item" parquet:"item"`                            // what the event is about
	Age        *int64 `json:"age" parquet:"age,optional"`                     // steps since the fact that is needed was last observed
	Load       int64  `json:"load" parquet:"load"`                            // facts that hold
	Free       bool   `json:"free" parquet:"free"`                            // not counted in the score
	Impossible bool   `json:"impossible" parquet:"impossible"`                // an earlier miss left no right action
	Alert      string `json:"alert" parquet:"alert,dict"`                     // the drift that this step alerts to or waits for
	Action     string `json:"action" parquet:"action"`                        // "none" where no attempt was accepted
	Oracle     string `json:"oracle" parquet:"oracle"`                        // a right one
	Valid      bool   `json:"valid" parquet:"valid"`                          // the world accepted it
	Correct    bool   `json:"correct" parquet:"correct"`                      // it was right
	Result     string `json:"result" parquet:"result"`                        // what the world said
	Attempts   int64  `json:"attempts" parquet:"attempts"`                    // 0 for players without a model
	Refused    string `json:"refused" parquet:"refused,dict"`                 // class of the first refusal, "" for none
	Prompt     *int64 `json:"prompt_tokens" parquet:"prompt_tokens,optional"` // of the first attempt
	Chars      *int64 `json:"prompt_chars" parquet:"prompt_chars,optional"`   // of the first attempt, code points
	State      *int64 `json:"state_chars" parquet:"state_chars,optional"`     // in that prompt
	History    *int64 `json:"history_chars" parquet:"history_chars,optional"` // in that prompt
	Spent      int64  `json:"total_tokens" parquet:"total_tokens"`            // of all calls of the step, those for summaries and scores included
	Sigma      string `json:"state_hash" parquet:"state_hash"`                // of the state as the reply left it, "" without one
}

func stepOf(c record.Cell, s metrics.Step) Step {
	o := s.Act.Observation
	row := Step{
		Schema: Version, Cell: c.ID, Task: c.Task, Agent: c.Agent, Model: c.Model, Horizon: int64(c.Horizon), Seed: c.Seed,
		Repeat: int64(c.Repeat), Noise: int64(c.Noise), Drift: c.Drift, World: string(c.World),
		Step: int64(o.Step), Event: o.Kind, Item: o.Item, Load: int64(o.Load), Free: o.Free || s.Act.Outcome.Free, Impossible: o.Impossible, Alert: o.Drift,
		Action: s.Act.Action, Oracle: o.Oracle, Valid: s.Act.Outcome.Valid, Correct: s.Act.Outcome.Correct, Result: s.Act.Outcome.Result,
		Attempts: int64(len(s.Attempts)), Sigma: s.Act.State,
	}
	if o.Age != nil {
		row.Age = count(*o.Age)
	}
	for _, sent := range s.Beside() {
		row.Spent += int64(sent.Call.Tokens + sent.Call.Completion)
	}
	for i, a := range s.Attempts {
		row.Spent += int64(a.Call.Tokens + a.Call.Completion)
		if !a.Transition.Accepted() && row.Refused == "" {
			row.Refused = a.Transition.Violations[0].Class
		}
		if i == 0 {
			row.Prompt, row.Chars = count(a.Call.Tokens), count(a.Call.Chars)
			row.State, row.History = count(a.Parts[prompt.State]), count(a.Parts[prompt.History])
		}
	}
	return row
}

func count(n int) *int64 {
	wide := int64(n)
	return &wide
}
