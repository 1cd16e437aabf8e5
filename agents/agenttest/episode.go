package agenttest

import (
	"slices"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/trial"
)

// journal: every prompt that was sent can be built again from the journal.
func (b bench) journal(t *testing.T) {
	played, err := b.trial.Play(t.Context(), t.TempDir(), 0)
	if err != nil {
		t.Fatal(err)
	}
	r, err := journal.Read(played.Dir)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	err = r.Each(func(e journal.Event) error {
		if e.Call == nil {
			return nil
		}
		p, err := r.Prompt(*e.Call)
		if err != nil {
			return err
		}
		if n >= len(played.Sent) || p.Text() != played.Sent[n] {
			t.Errorf("step %d attempt %d: the journal gives another prompt than was sent: was a section changed other than by append?", e.Call.Step, e.Call.Attempt)
		}
		if p.Chars() != e.Call.Chars {
			t.Errorf("step %d attempt %d: the prompt has %d characters, recorded are %d", e.Call.Step, e.Call.Attempt, p.Chars(), e.Call.Chars)
		}
		n++
		return nil
	})
	if err != nil || n != len(played.Sent) {
		t.Errorf("%d prompts were sent, the journal has %d: %v", len(played.Sent), n, err)
	}
}

// promises: each declared invariant holds.
func (b bench) promises(t *testing.T) {
	column := harness.Column{Name: b.strategy.Name, Strategy: b.strategy, Settings: b.strategy.Defaults}
	results, err := trial.Run(t.Context(), kit(), column, b.variant, horizon, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		report(t, r, slices.Contains(b.strategy.Promises, r.Invariant))
	}
}

func report(t *testing.T, r check.Result, promised bool) {
	evidence := "\n  " + strings.Join(r.Evidence, "\n  ")
	switch {
	case r.Pass:
		t.Logf("%s holds (promised: %t)", r.Invariant, promised)
	case promised:
		t.Errorf("%s is promised and does not hold:%s", r.Invariant, evidence)
	default:
		t.Logf("%s does not hold, and is not promised; the first evidence: %s", r.Invariant, r.Evidence[0])
	}
}

// Benchmark measures what a prompt costs late in an episode of 1,000 turns. Run
// it beside one of 100 turns: the work of a step should not grow.
func Benchmark(b *testing.B, s harness.Strategy, turns int) {
	variant, err := Tally()
	if err != nil {
		b.Fatal(err)
	}
	tried, err := trial.New(kit(), harness.Column{Name: s.Name, Strategy: s, Settings: s.Defaults}, variant, horizon)
	if err != nil {
		b.Fatal(err)
	}
	on := bench{strategy: s, variant: variant, trial: tried}
	past := make([]record.Turn, turns)
	for n := range past {
		past[n] = record.Turn{Step: n, Observation: "Event.\n", Reply: "Action: Do it", Action: "Do it"}
	}
	agent := on.agent(b)
	view := harness.View{Step: turns, Observation: "Event.\n", State: on.state(variant.Skill.Initial), Past: past}
	on.prompts(b, agent, []harness.View{view})
	b.ReportAllocs()
	for b.Loop() {
		on.prompt(b, agent, view)
	}
}
