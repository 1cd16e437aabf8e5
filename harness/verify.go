package harness

import (
	"fmt"

	"skillbench/harness/journal"
	"skillbench/harness/record"
	"skillbench/harness/tokens"
)

// A Verifier measures the prompts of a journal again.
type Verifier struct {
	reader *journal.Reader
	meters map[string]*meter
}

// NewVerifier verifies the calls of one episode.
func NewVerifier(r *journal.Reader, e *tokens.Encoding) *Verifier {
	v := &Verifier{reader: r, meters: map[string]*meter{}}
	for _, purpose := range []record.Purpose{record.ForStep, record.ForSummary, record.ForScores} {
		v.meters[journal.Lane(purpose)] = &meter{encoding: e, number: func(string) (int, error) { return 0, nil }}
	}
	return v
}

// Call rebuilds the prompt of the next call and compares its hash, characters
// and tokens, and the tokens of the reply, with those recorded.
func (v *Verifier) Call(c journal.Call) error {
	p, err := v.reader.Prompt(c)
	if err != nil {
		return err
	}
	m := v.meters[c.Lane()]
	got, err := m.measure(p)
	if err != nil {
		return err
	}
	for _, d := range []struct {
		what      string
		got, want any
	}{{"hash", got.Hash, c.Hash}, {"characters", got.Chars, c.Chars}, {"tokens", got.Tokens, c.Tokens}} {
		if d.got != d.want {
			return fmt.Errorf("step %d: prompt %s: recorded %v, rebuilt %v", c.Step, d.what, d.want, d.got)
		}
	}
	completion, err := v.completion(c, m.encoding)
	if err == nil && completion != c.Completion {
		err = fmt.Errorf("step %d: tokens of the reply: recorded %d, counted %d", c.Step, c.Completion, completion)
	}
	return err
}

func (v *Verifier) completion(c journal.Call, e *tokens.Encoding) (int, error) {
	reply, err := v.reader.Reply(c)
	return completionTokens(e, c.Purpose, reply), err
}
