package harness_test

import (
	"context"
	"strings"
	"testing"

	"skillbench/harness/model"
	"skillbench/harness/record"
)

// recalls asks the record at every step, and waits where that is refused.
var recalls = answers(func(_ context.Context, r model.Request) (record.Reply, error) {
	action := "Recall item"
	if r.Attempt > 0 {
		action = "Wait"
	}
	return record.Reply{Text: "```json\n{\"state_patch\": {}, \"action\": \"" + action + "\"}\n```", Finish: record.Stop}, nil
})

// TestCommandsOfAStrategyNeedAWorldThatWaits holds that where what the model says
// is not what happens, a strategy's own command is no command.
func TestCommandsOfAStrategyNeedAWorldThatWaits(t *testing.T) {
	t.Parallel()
	for world, recalled := range map[string]bool{"closed": true, "teacher": false} {
		p, c := one(t, kit(), "hybrid", 3, "worlds=["+world+"]")
		dir := t.TempDir()
		play(t, episode(t, p, c, instead(recalls)), dir)
		refused, verdicts := 0, 0
		for _, e := range events(t, dir) {
			if e.Transition != nil && !e.Transition.Accepted() {
				refused++
				if !strings.Contains(e.Transition.Violations[0].Hint, "Recall") {
					t.Errorf("%s: refused for %v", world, e.Transition.Violations)
				}
			}
			if e.Act != nil && e.Act.Verdict != nil {
				verdicts++
			}
		}
		if recalled != (verdicts > 0) || recalled != (refused == 0) {
			t.Errorf("%s world: %d verdicts, %d refusals", world, verdicts, refused)
		}
	}
}

// TestARecallNeverReachesTheWorld also where an event has waited too often.
func TestARecallNeverReachesTheWorld(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "hybrid", 2)
	dir := t.TempDir()
	if end := play(t, episode(t, p, c, instead(recalls)), dir); end.Status != record.Done {
		t.Fatal(end)
	}
	base := 0
	for _, e := range events(t, dir) {
		if e.Act == nil || e.Act.Outcome.Free {
			continue
		}
		base++
		if e.Act.Outcome.Valid || e.Act.Verdict != nil || !strings.Contains(e.Act.Outcome.Result, "no valid action") {
			t.Errorf("the event that waited too often: %+v, %+v", e.Act.Outcome, e.Act.Verdict)
		}
	}
	if base != 2 {
		t.Errorf("%d base events, want 2", base)
	}
}
