package agents_test

import (
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
