package routing

import (
	"context"
	"testing"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/prompt"
)

// BenchmarkKeyword is one reply to a prompt with 200 definitions.
func BenchmarkKeyword(b *testing.B) {
	w, err := begin(harness.Spec{Horizon: 3, Seed: 1, Options: []byte(`{"skills":200}`)})
	if err != nil {
		b.Fatal(err)
	}
	o, _ := w.Observe()
	p := prompt.Prompt{
		{prompt.Label(prompt.Catalogue, prompt.LabelCatalogue), prompt.Label(prompt.Catalogue, w.(harness.Briefer).Catalogue())},
		{prompt.Label(prompt.Observation, prompt.LabelLatest), prompt.Of(prompt.Observation, 0, o.Text)},
		{prompt.Label(prompt.Contract, prompt.LabelContract), prompt.Label(prompt.Contract, "Action: <command>\n")},
	}
	m := sim.New(sim.Config{Mechanism: sim.Keyword}, language{})
	for b.Loop() {
		if _, err := m.Generate(context.Background(), model.Request{Prompt: p}); err != nil {
			b.Fatal(err)
		}
	}
}
