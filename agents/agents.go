// Package agents holds the context strategies, one file each. A strategy says
// what of the past the model sees; the instructions are byte-identical for all
// of them, and each ends its prompt with its own contract.
package agents

import "skillbench/harness"

// List is every built-in strategy, in the order in which reports show them.
func List() []harness.Strategy {
	return []harness.Strategy{
		React(), Memory(), Stateful(), SkillState(),
		Truncated(), SummaryCapped(), LLMLingua(), Masked(), Compacted(),
		Ledger(), Hybrid(),
		Wait(), Random(), Oracle(),
	}
}
