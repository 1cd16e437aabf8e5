package trial

import (
	"context"
	"errors"
	"fmt"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/journal"
	"skillbench/harness/record"
)

// Played is an episode that was played to its end, and what is known of it.
type Played struct {
	Dir   string // its journal
	Facts check.Facts
	Calls []check.CallID // calls made live, in order
	Sent  []string       // the text of each of their prompts
}

// Play plays an episode into dir. First says with which of the disturbances it
// begins, from 0 to Disturbances - 1.
func (t *Trial) Play(ctx context.Context, dir string, first int) (Played, error) {
	s := t.stage(first)
	end, err := t.run(ctx, dir, s)
	if err != nil {
		return Played{}, err
	}
	if s.endless {
		return Played{}, fmt.Errorf("task %s: an episode of %d base events was not over after %d steps", t.variant.Name, t.horizon, maxSteps*t.horizon)
	}
	if end.Status == record.BudgetInfeasible {
		return Played{}, fmt.Errorf("agent %s on %s: %w", t.column.Name, t.variant.Name, harness.ErrBudget)
	}
	if end.Status != record.Done {
		return Played{}, fmt.Errorf("agent %s on %s: the episode ended as %s %s; want one that is played to its end", t.column.Name, t.variant.Name, end.Status, end.Why)
	}
	return Played{Dir: dir, Facts: s.facts, Calls: s.calls, Sent: s.sent}, nil
}

// run plays a stage's episode, from the journal in dir where there is one.
func (t *Trial) run(ctx context.Context, dir string, s *stage) (end journal.End, err error) {
	log, err := journal.OpenLog(dir)
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	e := harness.Episode{
		Cell: t.cell(), Task: s.task(), Spec: t.spec(), Skill: t.variant.Skill, Settings: t.column.Settings,
		Templates: t.templates, Model: s, Encoding: t.encoding, New: t.column.Strategy.New,
	}
	return e.Run(ctx, log)
}
