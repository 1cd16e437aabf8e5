package trial

import (
	"context"

	"skillbench/harness/check"
	"skillbench/harness/model"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/record"
	"skillbench/harness/transition"
)

// A disturbance is a bad reply at one step: at its first attempt, or at all of
// them, so that the step is missed.
type disturbance struct {
	class string
	miss  bool
}

// Disturbances is how many there are: every class that the strategy's form and
// settings allow, mended and not.
func (t *Trial) Disturbances() int { return 2 * len(t.classes) }

// perEpisode is how many disturbances an episode has: one at every odd step.
func (t *Trial) perEpisode() int { return t.horizon / 2 }

// starts lists the first disturbance of each episode that it takes to try all.
func (t *Trial) starts() []int {
	var list []int
	for n := 0; n < t.Disturbances(); n += t.perEpisode() {
		list = append(list, n)
	}
	return list
}

// disturbed says what is to go wrong at a step.
func (s *stage) disturbed(step int) (disturbance, bool) {
	n := step / 2
	if step%2 == 0 || n >= s.trial.perEpisode() || s.first+n >= s.trial.Disturbances() {
		return disturbance{}, false
	}
	n += s.first
	return disturbance{class: s.trial.classes[n/2], miss: n%2 == 1}, true
}

// Generate answers as the script says. It reads nothing of the prompt.
func (s *stage) Generate(_ context.Context, r model.Request) (record.Reply, error) {
	s.calls = append(s.calls, check.CallID{Purpose: r.Purpose, Step: r.Step, Attempt: r.Attempt})
	s.sent = append(s.sent, r.Prompt.Text())
	if s.kill != nil {
		if err := s.kill(len(s.calls)); err != nil {
			return record.Reply{}, err
		}
	}
	if r.Form == model.Scores {
		return record.Reply{Text: ngrams.Judge(r.Prompt).String(), Finish: record.Stop}, nil
	}
	if r.Form == model.Prose {
		return transition.Write(model.Prose, "", "So far all is well. "+s.plant("summary", r.Step)+".", nil, ""), nil
	}
	if d, ok := s.disturbed(r.Step); ok && (d.miss || r.Attempt == 0) {
		if reply, ok := s.bad(d.class, r); ok {
			s.facts.Bad = append(s.facts.Bad, check.Bad{Step: r.Step, Attempt: r.Attempt, Class: d.class})
			return reply, nil
		}
	}
	return s.good(r), nil
}

// good is the oracle's move, with canaries in the reasoning and the thinking.
func (s *stage) good(r model.Request) record.Reply {
	reply := s.write(r, "The event asks for this. "+s.plant("reasoning", r.Step)+".", s.now.Oracle)
	thinking := s.plant("thinking", r.Step)
	reply.Thinking = thinking
	reply.Text = "<think>" + thinking + "</think>\n" + reply.Text
	return reply
}

// write renders a move in the form that is asked for, with the patch that leads
// to the intended Σ.
func (s *stage) write(r model.Request, because, action string) record.Reply {
	patch := s.trial.column.Settings.Merge.Patch(s.state, s.intended(s.now.Oracle))
	return transition.Write(r.Form, r.Wire, because, &patch, action)
}
