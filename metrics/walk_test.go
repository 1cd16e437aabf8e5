package metrics_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/metrics"
)

// drawExperiment draws a cell in which anything may happen.
func drawExperiment(rt *rapid.T) string {
	agent := rapid.SampledFrom([]string{"react", "{base: memory, recent: 1, fold: 2}", "{base: memory, memory: append, recent: 2, fold: 1}", "stateful", "skillstate",
		"{base: skillstate, commit: after_accept}", "{base: skillstate, merge: shallow, validate: false}", "{base: skillstate, merge: replace, retry: 0}",
		"{base: skillstate, wire: tool}", "{base: skillstate, order: [instructions, state, history, observation]}", "oracle", "random"}).Draw(rt, "agent")
	drift := rapid.SampledFrom([]string{"none", "none", "none", "none", "none", "none", "none", "none", "secret_move", "secret_audit", "secret_barcode", "canceled_order"}).Draw(rt, "drift")
	horizon := rapid.IntRange(1, 16).Draw(rt, "horizon")
	if drift != "none" {
		horizon = 60
	}
	return fmt.Sprintf("agents: [%s]\ndrifts: [%s]\nhorizons: %d\nworlds: [%s]\nseeds: [%d]\nnoise: %d\npatience: 3\n", agent, drift, horizon,
		rapid.SampledFrom([]string{"closed", "teacher"}).Draw(rt, "world"), rapid.IntRange(0, 99).Draw(rt, "seed"), rapid.SampledFrom([]int{0, 2}).Draw(rt, "noise"))
}

func TestWalkFollowsWorldAndStateAndEveryCharacter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		s := newStage(t, drawExperiment(rt))
		c := s.plan.Cells[0]
		r, truths := s.play(t, c, newErring())
		n := 0
		e, err := metrics.Walk(r, func(step metrics.Step) error {
			now := truths[n]
			same(rt, n, "world before", step.World.Before, now.before)
			after := now.after
			if c.World == record.Teacher {
				after = now.would
			}
			same(rt, n, "world after", step.World.After, after)
			if (step.Act.State != "") != (step.Before.Hash() != "" && stateful(c.Agent, s)) {
				rt.Fatalf("step %d: state %q", n, step.Act.State)
			}
			if step.Act.State != "" && step.After.Hash() != step.Act.State {
				rt.Fatalf("step %d: Σ is %s, its hash is recorded as %s", n, step.After.Compact(), step.Act.State)
			}
			for _, a := range step.Attempts {
				checkParts(rt, a.Sent)
			}
			if step.Summary != nil {
				checkParts(rt, *step.Summary)
			}
			n++
			return nil
		})
		if err != nil {
			rt.Fatal(err)
		}
		if n != len(truths) || e.End == nil || e.End.Status != record.Done || len(e.Loose) > 0 {
			rt.Fatalf("walked %d steps of %d to %+v, %d calls loose", n, len(truths), e.End, len(e.Loose))
		}
	})
}

func stateful(agent string, s *stage) bool {
	for _, c := range s.plan.Columns {
		if c.Name == agent {
			return c.Settings.Stateful()
		}
	}
	return false
}

func same(rt *rapid.T, step int, what string, got, want state.Object) {
	if got.Hash() != want.Hash() {
		rt.Fatalf("step %d: %s is %s, want %s", step, what, got.Compact(), want.Compact())
	}
}

// checkParts holds that the kinds of a prompt make up all of it.
func checkParts(rt *rapid.T, s metrics.Sent) {
	total := 0
	for kind, n := range s.Parts {
		if n <= 0 {
			rt.Fatalf("step %d: %d characters of %s", s.Call.Step, n, kind)
		}
		total += n
	}
	if total != s.Call.Chars {
		rt.Fatalf("step %d: %v make %d characters, the prompt has %d", s.Call.Step, s.Parts, total, s.Call.Chars)
	}
	if s.Call.Attempt > 0 != (s.Parts[prompt.Feedback] > 0) {
		rt.Fatalf("step %d attempt %d: %d characters of feedback", s.Call.Step, s.Call.Attempt, s.Parts[prompt.Feedback])
	}
}
