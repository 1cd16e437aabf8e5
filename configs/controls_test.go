package configs_test

import (
	"strings"
	"testing"

	"skillbench/harness/record"
)

// actsOf are the finished steps of the cells of one strategy.
func actsOf(t *testing.T, dir string, cells []record.Cell, task, agent string) []record.Act {
	t.Helper()
	var all []record.Act
	for _, c := range cells {
		if c.Agent == agent && c.Task == task {
			all = append(all, acts(t, dir, c)...)
		}
	}
	return all
}

// TestLedgerSparesReadsAndNoChecks also holds that what is spared changes no
// answer.
func TestLedgerSparesReadsAndNoChecks(t *testing.T) {
	t.Parallel()
	dir, cells := run(t, "ledger.yaml", "horizons=[25]", "seeds=2")
	plain, governed := actsOf(t, dir, cells, "repo", "react"), actsOf(t, dir, cells, "repo", "ledger")
	if len(plain) != len(governed) {
		t.Fatalf("%d steps, with a ledger %d", len(plain), len(governed))
	}
	spared, nudged := 0, 0
	for n, a := range governed {
		if a.Action != plain[n].Action || a.Outcome.Correct != plain[n].Outcome.Correct {
			t.Errorf("step %d: %s, with a ledger %s", n, plain[n].Action, a.Action)
		}
		if a.Verdict == nil {
			continue
		}
		switch a.Verdict.Ruling {
		case record.Reuse:
			spared++
			if a.Verdict.Skipped.Result != plain[n].Outcome.Result {
				t.Errorf("step %d: what was spared is not what the read would have shown", n)
			}
			if strings.HasPrefix(a.Action, "RunTests") {
				t.Errorf("step %d: %s was not run", n, a.Action)
			}
		case record.Nudge:
			nudged++
			if a.Outcome.Result != plain[n].Outcome.Result {
				t.Errorf("step %d: a check with a remark gave %q, without %q", n, a.Outcome.Result, plain[n].Outcome.Result)
			}
		}
	}
	if spared < 20 || nudged < 1 {
		t.Errorf("%d reads spared, %d remarks: too few to mean anything", spared, nudged)
	}
}

// TestRecallBuysDeferredFacts where the state has no place for them, and is not
// used where it has.
func TestRecallBuysDeferredFacts(t *testing.T) {
	t.Parallel()
	dir, cells := run(t, "hybrid.yaml", "seeds=1")
	for task, want := range map[string]struct{ alone, recalls bool }{"no place": {false, true}, "named field": {true, false}} {
		for agent, right := range map[string]bool{"react": true, "skillstate": want.alone, "hybrid": true} {
			probes, recalls := 0, 0
			for _, a := range actsOf(t, dir, cells, task, agent) {
				if a.Verdict != nil {
					recalls++
				} else if a.Observation.Probe != "" {
					probes++
					if a.Outcome.Correct != right {
						t.Errorf("%s, %s: the order after %d steps: correct %t", task, agent, a.Observation.Delay, a.Outcome.Correct)
					}
				}
			}
			if probes != 5 || (recalls > 0) != (agent == "hybrid" && want.recalls) {
				t.Errorf("%s, %s: %d probes, %d recalls", task, agent, probes, recalls)
			}
		}
	}
}
