package agents

import (
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// A transcript shows finished turns as history: observation, reasoning and
// action. It only grows, so all prompts of an episode share it. Replies stand in
// it as they came, headings and all: what a model's own words do to it later is
// part of what a history costs.
type transcript struct {
	segments []prompt.Segment
	turns    int
}

// perTurn is how many segments one turn takes.
const perTurn = 5

// upTo returns the segments of all turns of past.
func (t *transcript) upTo(past []record.Turn) []prompt.Segment {
	for t.turns < len(past) {
		t.add(past[t.turns])
	}
	return t.segments[:perTurn*len(past)]
}

// add shows one more turn.
func (t *transcript) add(turn record.Turn) {
	t.segments = append(t.segments, shown(turn)...)
	t.turns++
}

// since returns the segments of the turns of past from number first on.
func (t *transcript) since(first int, past []record.Turn) []prompt.Segment {
	return t.upTo(past)[perTurn*first:]
}

// text is one turn as it is shown.
func (t *transcript) text(turn int) string {
	return prompt.Prompt{t.segments[perTurn*turn : perTurn*(turn+1)]}.Text()
}

// shown is one turn as history. A missed step shows that nothing was done.
func shown(turn record.Turn) []prompt.Segment {
	reply := turn.Reply
	if reply == "" {
		reply = "Action: " + turn.Action
	}
	return []prompt.Segment{
		prompt.Label(prompt.History, prompt.LabelObservation),
		prompt.Of(prompt.History, turn.Step, turn.Observation),
		prompt.Label(prompt.History, prompt.LabelReply),
		prompt.Of(prompt.History, turn.Step, reply),
		prompt.Label(prompt.History, "\n"),
	}
}
