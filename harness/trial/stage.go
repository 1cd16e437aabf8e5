package trial

import (
	"skillbench/harness"
	"skillbench/harness/check"
	"skillbench/harness/record"
	"skillbench/harness/state"
)

// A stage is the world and the model of one episode. As the world it is the
// task's own, with a canary in every observation. As the model it plays the
// oracle's actions. It follows the world and not its own calls, so that it knows
// Σ also where an episode is taken up from its journal.
type stage struct {
	trial *Trial
	first int // disturbance to begin with
	world harness.World
	now   record.Observation
	state state.Object // Σ_t, had all accepted replies been the script's
	facts check.Facts
	calls []check.CallID
	sent  []string
	steps int
	kill  func(call int) error // an error ends the call; calls count from 1

	endless bool // the world went on for too long and was ended
}

// maxSteps bounds an episode, per base event: what answers every event, and
// gives up drift in time, ends far below it.
const maxSteps = 50

func (t *Trial) stage(first int) *stage {
	return &stage{trial: t, first: first, facts: check.Facts{
		Observations: map[int]string{}, Acted: map[int]string{}, MaxChars: t.column.Settings.MaxChars,
	}}
}

// task is the trial's task, in whose episodes the stage is the world.
func (s *stage) task() harness.Task {
	task := s.trial.variant.Task
	task.New = func(spec harness.Spec) (harness.World, error) {
		world, err := s.trial.variant.Task.New(spec)
		s.world = world
		if err == nil {
			s.state = s.trueState()
		}
		return s, err
	}
	return task
}

func (s *stage) trueState() state.Object {
	return state.Deep.Apply(s.trial.variant.Skill.Initial, s.world.Truth())
}

// Truth is the world's.
func (s *stage) Truth() state.Object { return s.world.Truth() }

// Catalogue is the world's, "" where it has none.
func (s *stage) Catalogue() string {
	if b, ok := s.world.(harness.Briefer); ok {
		return b.Catalogue()
	}
	return ""
}

// Observe is the world's observation with one more line, a canary.
func (s *stage) Observe() (record.Observation, bool) {
	o, ok := s.world.Observe()
	if s.steps++; s.steps > maxSteps*s.trial.horizon {
		s.endless = true
		return o, false
	}
	if ok {
		o.Text += "Remark: " + s.plant("observation", o.Step) + ".\n"
		s.facts.Observations[o.Step] = o.Text
	}
	s.now = o
	return o, ok
}

// Judge is the world's.
func (s *stage) Judge(action string) record.Outcome { return s.world.Judge(action) }

// Act is the world's; it notes what reached the world.
func (s *stage) Act(action string) record.Outcome {
	s.facts.Acted[s.now.Step] = action
	if action != record.None {
		s.state = s.intended(action)
	}
	return s.world.Act(action)
}

// Grammar is the world's own where it has one, or else the task's.
func (s *stage) Grammar(action string) error {
	if g, ok := s.world.(harness.Grammarian); ok {
		return g.Grammar(action)
	}
	return s.trial.variant.Task.Grammar(action)
}

// plant returns the canary of a place at a step.
func (s *stage) plant(in string, step int) string {
	c := check.NewCanary(seed, in, step)
	for _, old := range s.facts.Canaries {
		if old == c {
			return c.Text
		}
	}
	s.facts.Canaries = append(s.facts.Canaries, c)
	return c.Text
}

// intended is the Σ that the script leaves with an action: the truth after it,
// at some steps with a canary in place of a fact. The next accepted reply puts
// the fact right, and then the canary must be gone from the prompts.
func (s *stage) intended(action string) state.Object {
	truth := s.trueState()
	if world := s.world.Judge(action).World; world != nil {
		truth = state.Deep.Apply(truth, *world)
	}
	const every = 4 // of these steps the third; disturbances are at odd steps
	if s.now.Step%every != 2 {
		return truth
	}
	canary := check.NewCanary(seed, "state", s.now.Step)
	for pointer, text := range truth.Leaves() {
		if text[0] != '"' {
			continue
		}
		if with := state.Deep.Apply(truth, at(pointer, canary.Text)); len(s.trial.variant.Skill.Schema.Check(with)) == 0 {
			s.plant("state", s.now.Step)
			return with
		}
	}
	return truth
}
