package patcherr

import (
	"errors"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/metrics"
	"skillbench/metrics/stats"
)

// An Episode is what Judge found in one episode. Σ is wrong where it differs
// from the world and from what the world was last told to be: a silent change
// makes no fact wrong before its alert.
type Episode struct {
	Cell     record.Cell
	Status   record.Status
	Stateful bool // the strategy has a Σ
	Attempts []Attempt
	Steps    int // at which a model was asked
	Missed   int // of these, without an accepted attempt
	Correct  int // right actions at base events

	FirstDiverged int // step that first left Σ wrong; -1 for none
	Diverged      int // steps that left Σ wrong
	WrongAtEnd    int // facts that are wrong or missing in Σ after the last step
	Lucky         int // right actions at steps that left Σ wrong
}

func (e *Episode) diverge(s metrics.Step, wrong int) {
	e.WrongAtEnd = wrong
	if wrong == 0 {
		return
	}
	if e.Diverged++; e.FirstDiverged < 0 {
		e.FirstDiverged = s.Act.Observation.Step
	}
	if s.Act.Outcome.Correct {
		e.Lucky++
	}
}

// Retries counts the attempts after the first at their steps, and their tokens.
func (e Episode) Retries() (n, tokens int) {
	for _, a := range e.Attempts {
		if a.Attempt > 0 {
			n, tokens = n+1, tokens+a.Tokens
		}
	}
	return n, tokens
}

// Lost counts the right patches that were not taken because of their action.
func (e Episode) Lost() int {
	n := 0
	for _, a := range e.Attempts {
		if a.Lost {
			n++
		}
	}
	return n
}

// Score is right actions ÷ base events, absent where the episode has no result.
func (e Episode) Score() stats.Value {
	if !e.Status.Final() || e.Cell.Horizon == 0 {
		return stats.Value{}
	}
	return stats.Of(float64(e.Correct) / float64(e.Cell.Horizon))
}

// Read classifies a recorded episode. It calls no model.
func Read(r *journal.Reader) (Episode, error) {
	start, err := startOf(r)
	if err != nil {
		return Episode{}, err
	}
	j := NewJudge(start)
	e, err := metrics.Walk(r, j.Step)
	if err != nil {
		return Episode{}, err
	}
	return j.Episode(e.End), nil
}

// Episode is what was found, once the last step has been taken.
func (j *Judge) Episode(end *journal.End) Episode {
	e := j.episode
	e.Status = journal.StatusOf(end)
	return e
}

var errEnough = errors.New("the first event is read")

func startOf(r *journal.Reader) (start journal.Start, err error) {
	err = r.Each(func(e journal.Event) error {
		if e.Start != nil {
			start = *e.Start
		}
		return errEnough
	})
	if err != nil && !errors.Is(err, errEnough) {
		return start, err
	}
	return start, nil
}
