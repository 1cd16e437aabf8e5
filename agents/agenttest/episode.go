package agenttest

import (
	"context"
	"fmt"

	"skillbench/harness/journal"
)

// journalRebuilds: every prompt that was sent can be built again from the
// journal, which keeps only how each differs from the one before.
func (b bench) journalRebuilds() error {
	played, err := b.trial.Play(context.Background(), b.dir, 0)
	if err != nil {
		return err
	}
	r, err := journal.Read(played.Dir)
	if err != nil {
		return err
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
			return fmt.Errorf("step %d attempt %d: the journal gives another prompt than was sent: was a section changed other than by append?", e.Call.Step, e.Call.Attempt)
		}
		if p.Chars() != e.Call.Chars {
			return fmt.Errorf("step %d attempt %d: the prompt has %d characters, recorded are %d", e.Call.Step, e.Call.Attempt, p.Chars(), e.Call.Chars)
		}
		n++
		return nil
	})
	if err == nil && n != len(played.Sent) {
		return fmt.Errorf("%d prompts were sent, the journal has %d", len(played.Sent), n)
	}
	return err
}
