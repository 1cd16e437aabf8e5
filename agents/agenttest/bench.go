package agenttest

import (
	"testing"

	"skillbench/harness"
	"skillbench/harness/record"
	"skillbench/harness/trial"
)

// Benchmark measures what the prompt of one more step costs after so many
// turns. Run it with 100 and with 1,000: the work of a step should not grow.
func Benchmark(b *testing.B, s harness.Strategy, turns int) {
	tally, err := Tally()
	if err != nil {
		b.Fatal(err)
	}
	on, err := newBench(s, tally)
	if err != nil {
		b.Fatal(err)
	}
	agent, err := on.agent()
	if err != nil {
		b.Fatal(err)
	}
	past := make([]record.Turn, turns)
	for n := range past {
		past[n] = record.Turn{Step: n, Observation: "Event.\n", Reply: "Action: Wait", Action: "Wait"}
	}
	view := harness.View{Step: turns, Observation: "Event.\n", State: on.state(tally.Skill.Initial), Past: past}
	trial.Inform(agent, view)
	if _, err := agent.Prompt(view); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := agent.Prompt(view); err != nil {
			b.Fatal(err)
		}
	}
}
