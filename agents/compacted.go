package agents

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/prompt"
	"skillbench/harness/tokens"
	"skillbench/harness/transition"
)

// Compacted is react until its prompt reaches so many tokens; then one model
// call rewrites the history as a brief, and it goes on from there. Products do
// so near the end of a window of 100,000 tokens and more; 4,000 here is small
// enough to happen several times within 100 steps, and is a choice of ours.
func Compacted() harness.Strategy {
	return harness.Strategy{
		Name: "compacted",
		Doc:  "react, with the history rewritten as a brief whenever the prompt reaches `compact` tokens",
		Defaults: harness.Settings{
			Order:   []harness.Part{harness.PartInstructions, harness.PartSummary, harness.PartHistory, harness.PartObservation},
			Memory:  harness.Rewrite,
			Compact: 4000,
			Retry:   2,
			Repair:  transition.Strict,
		},
		Promises: []string{check.InvalidPatchRollback, check.ResumeRoundTrip},
		New:      newCompacted,
	}
}

// compacted is a memory that folds everything when it has grown too large.
type compacted struct {
	*memory
	encoding *tokens.Encoding
	fixed    int // tokens of instructions and contract
	brief    int // tokens of the brief
	turns    int // turns counted
	counted  int // tokens of those that are shown
}

func newCompacted(s harness.Setup) (harness.Agent, error) {
	m, err := newMemory(s)
	if err != nil {
		return nil, err
	}
	c := &compacted{memory: m.(*memory), encoding: s.Encoding}
	c.fixed = s.Encoding.Count(prompt.Prompt{c.instructions, c.contract}.Text())
	c.parts = map[harness.Part]func(harness.View) prompt.Prompt{
		harness.PartSummary: func(harness.View) prompt.Prompt {
			if c.folded == 0 {
				return nil
			}
			return prompt.Prompt{label(prompt.Summary, prompt.LabelSummary), c.summary}
		},
		harness.PartHistory: func(v harness.View) prompt.Prompt {
			return prompt.Prompt{label(prompt.History, prompt.LabelHistory), c.transcript.since(c.folded, v.Past)}
		},
	}
	return c, nil
}

// Due asks for a brief once the prompt of this step would reach the threshold.
// Tokens are counted part by part, each part once.
func (c *compacted) Due(v harness.View) (prompt.Prompt, bool) {
	c.transcript.upTo(v.Past)
	for ; c.turns < len(v.Past); c.turns++ {
		c.counted += c.encoding.Count(c.transcript.text(c.turns))
	}
	size := c.fixed + c.brief + c.counted + c.encoding.Count(v.Observation)
	if size < c.setup.Settings.Compact || c.folded == len(v.Past) {
		return nil, false
	}
	c.folding = len(v.Past)
	var before []prompt.Segment
	if c.folded > 0 {
		before = c.summary
	}
	return c.request(v, c.folded, c.folding, before), true
}

// Summarized goes on from the brief.
func (c *compacted) Summarized(reply string) {
	c.memory.Summarized(reply)
	c.brief, c.counted = c.encoding.Count(prompt.Prompt{c.summary}.Text()), 0
}
