package agents_test

import (
	"fmt"
	"testing"

	"skillbench/agents"
	"skillbench/agents/agenttest"
	"skillbench/harness"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, s := range agents.List() {
		t.Run(s.Name, func(t *testing.T) { agenttest.Run(t, s) })
	}
}

func BenchmarkPrompt(b *testing.B) {
	for _, s := range agents.List() {
		if s.Player {
			continue
		}
		for _, turns := range []int{100, 1000} {
			b.Run(fmt.Sprintf("%s/%d", s.Name, turns), func(b *testing.B) { agenttest.Benchmark(b, s, turns) })
		}
	}
}

// TestConformanceOfSettings tries settings under which the controls do what they
// do within the few steps of the kit.
func TestConformanceOfSettings(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]struct {
		strategy harness.Strategy
		change   func(*harness.Settings)
	}{
		"compacted early":           {agents.Compacted(), func(s *harness.Settings) { s.Compact = 300 }},
		"masked wholly":             {agents.Masked(), func(s *harness.Settings) { s.Keep = 0 }},
		"truncated in tokens":       {agents.Truncated(), func(s *harness.Settings) { s.Budget = harness.Budget{Tokens: 300} }},
		"llmlingua in tokens":       {agents.LLMLingua(), func(s *harness.Settings) { s.Budget = harness.Budget{Tokens: 300} }},
		"llmlingua by an endpoint":  {agents.LLMLingua(), func(s *harness.Settings) { s.Informer = "an endpoint" }},
		"summary_capped by append":  {agents.SummaryCapped(), func(s *harness.Settings) { s.Memory = harness.Append }},
		"summary_capped with turns": {agents.SummaryCapped(), func(s *harness.Settings) { s.Recent, s.Fold = 3, 3 }},
	} {
		s := set.strategy
		set.change(&s.Defaults)
		t.Run(name, func(t *testing.T) { agenttest.Run(t, s) })
	}
}
