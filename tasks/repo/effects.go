package repo

import "skillbench/harness"

// The resources of the task. Files are those of master.
const (
	onMaster   = "master"
	onBranches = "branches"
)

// Effects tells what a command looks at and changes. Files change by merges
// alone; which ones, and which branches lose their CI, a Merge does not say, so
// it counts as a change of everything. The CI that RunTests shows also changes by
// events, so it is a check.
func Effects(action string) []harness.Effect {
	c, err := parse(action)
	if err != nil {
		return nil
	}
	switch c.verb {
	case verbRead:
		e := harness.Effect{Kind: harness.Reads, On: onMaster + "/" + c.args[0]}
		if len(c.args) == 2 {
			e.From, e.To, _ = lines(c.args[1])
		}
		return []harness.Effect{e}
	case verbSearch:
		return []harness.Effect{{Kind: harness.Searches, On: onMaster, Text: c.args[0]}}
	case verbRunTests:
		return []harness.Effect{{Kind: harness.Checks, On: onBranches + "/" + c.args[0]}}
	case verbCommit, verbCreatePR, verbFixCI:
		return []harness.Effect{{Kind: harness.Changes, On: onBranches + "/" + c.args[0]}}
	case verbMerge:
		return []harness.Effect{{Kind: harness.Changes}}
	}
	return nil
}
