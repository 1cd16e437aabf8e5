package agents

import (
	"math/rand/v2"

	"skillbench/harness"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// Wait always waits: what a score is worth that any model could have.
func Wait() harness.Strategy {
	return player("wait", "a floor: always Wait", func(harness.Setup) (play, error) {
		return func(record.Observation, state.Object) string { return "Wait" }, nil
	})
}

// Random plays a random command of the task.
func Random() harness.Strategy {
	return player("random", "a floor: a random command", func(s harness.Setup) (play, error) {
		r, draw := rand.New(rand.NewPCG(s.Spec.Seed, 0x5eed)), s.Task.Random
		if s.Task.RandomIn != nil {
			var err error
			if draw, err = s.Task.RandomIn(s.Spec); err != nil {
				return nil, err
			}
		}
		return func(_ record.Observation, truth state.Object) string { return draw(r, truth) }, nil
	})
}

// Oracle plays what the task says is right: the ceiling.
func Oracle() harness.Strategy {
	return player("oracle", "the ceiling: the right action at every step", func(harness.Setup) (play, error) {
		return func(o record.Observation, _ state.Object) string { return o.Oracle }, nil
	})
}

// play chooses an action without a model.
type play func(record.Observation, state.Object) string

// Play chooses the action.
func (p play) Play(o record.Observation, truth state.Object) string { return p(o, truth) }

// Prompt is never asked for: players call no model.
func (p play) Prompt(harness.View) (prompt.Prompt, error) { return nil, nil }

// Form is never asked for either.
func (p play) Form() model.Form { return model.ActionLine }

func player(name, doc string, start func(harness.Setup) (play, error)) harness.Strategy {
	return harness.Strategy{
		Name:     name,
		Doc:      doc,
		Player:   true,
		Defaults: harness.Settings{Order: []harness.Part{harness.PartInstructions, harness.PartObservation}},
		New:      func(s harness.Setup) (harness.Agent, error) { return start(s) },
	}
}
