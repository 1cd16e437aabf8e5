package agents_test

import (
	"fmt"
	"testing"

	"skillbench/agents"
	"skillbench/agents/agenttest"
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
