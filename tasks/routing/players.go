package routing

import (
	"fmt"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/skills/rank"
)

// Strategies are the arms that call no model. They see what a model sees of the
// conversations, and the library; they play this task only.
func Strategies() []harness.Strategy {
	return []harness.Strategy{
		player("bm25", "no model: the skill that shares most words with the message, by BM25 and fixed rules", byBM25),
		player("embed_threshold", "no model: the skill of the nearest vector, by fixed rules; of the file `vectors`, or of trigrams", byVectors),
		player("always_none", "a floor: always Decline", func(*session) (decider, error) {
			return func(*conversation) string { return verbDecline }, nil
		}),
		player("first", "a floor: always the first skill of the catalogue", first),
	}
}

// A decider answers the present message of a conversation.
type decider func(*conversation) string

// Play reads the observation and decides.
func (p *playing) Play(o record.Observation, _ state.Object) string {
	p.read(o.Text)
	return p.decide(&p.conversation)
}

type playing struct {
	conversation
	decide decider
}

// Prompt is never asked for: players call no model.
func (*playing) Prompt(harness.View) (prompt.Prompt, error) { return nil, nil }

// Form is never asked for either.
func (*playing) Form() model.Form { return model.ActionLine }

func player(name, doc string, start func(*session) (decider, error)) harness.Strategy {
	return harness.Strategy{
		Name: name, Doc: doc, Player: true,
		Defaults: harness.Settings{Order: []harness.Part{harness.PartInstructions, harness.PartObservation}},
		New: func(s harness.Setup) (harness.Agent, error) {
			if s.Task.Name != taskName {
				return nil, fmt.Errorf("%s: it plays the task %s only, got %s", name, taskName, s.Task.Name)
			}
			session, err := newSession(s.Spec)
			if err != nil {
				return nil, err
			}
			decide, err := start(session)
			if err != nil {
				return nil, err
			}
			return &playing{conversation{session: session}, decide}, nil
		},
	}
}

func first(*session) (decider, error) {
	return func(c *conversation) string {
		for _, one := range c.shown {
			if !c.absent(one.Name) {
				args := rank.Extract(one, c.message, c.known)
				return written(record.Route{Do: record.Call, Skill: one.Name}, state.From(args))
			}
		}
		return verbDecline
	}, nil
}

func byBM25(s *session) (decider, error) {
	return s.ruled(rank.NewBM25(s.shown), rank.BM25Rules), nil
}

func byVectors(s *session) (decider, error) {
	if s.options.Vectors == "" {
		return s.ruled(rank.Embed(s.shown, rank.Trigrams{}), rank.TrigramRules), nil
	}
	vectors, err := openVectors(s.options.Vectors)
	if err != nil {
		return nil, err
	}
	by, err := rank.Recorded(s.shown, vectors, "")
	if err != nil {
		return nil, err
	}
	for _, c := range s.cases {
		for _, t := range c.Turns {
			if err := by.Covers([]string{t.Say}); err != nil {
				return nil, err
			}
		}
	}
	return s.ruled(by, rank.CosineRules), nil
}

// ruled decides by a ranker and the options' rules, or else by its own. A message that answers the question before
// goes to the skill that was asked about; a skill that was called for this message
// and left it open is not called again.
func (s *session) ruled(by rank.Ranker, rules rank.Rules) decider {
	if s.options.Rules != nil {
		rules = *s.options.Rules
	}
	return func(c *conversation) string {
		var d rank.Decision
		if !c.again && c.asked != "" && c.answered() {
			d = rules.Decide(c.message, []rank.Scored{{Name: c.topic, Score: 1}}, c.situation())
		} else {
			d = rules.Decide(c.message, c.untried(by.Rank(c.message)), c.situation())
		}
		c.took(d)
		return written(d.Route, state.From(d.Params))
	}
}
