package main

import (
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A staged world shows again what a player saw, which no journal keeps, because
// players are sent no prompt. A nil one, of episodes that a model played or that
// this program cannot play again, shows nothing.
type staged struct {
	world   harness.World
	teacher bool
}

// stage begins a player's episode again.
func stage(m journal.Manifest, c record.Cell) *staged {
	if c.ModelKind != record.NoModel {
		return nil
	}
	again, err := kit(nil).Again(m)
	if err != nil || again.Why[c.ID] != nil {
		return nil
	}
	e, err := again.Plan.Episode(c, func(*harness.Model, harness.Task) (model.Model, error) { return nil, nil })
	if err != nil {
		return nil
	}
	world, err := e.Task.New(e.Spec)
	if err != nil {
		return nil
	}
	return &staged{world, c.World == record.Teacher}
}

// show plays a recorded step again and returns what it observed; "" where it is
// not the recorded one, and from then on.
func (s *staged) show(a record.Act) string {
	if s == nil || s.world == nil {
		return ""
	}
	o, more := s.world.Observe()
	if !more || o.Step != a.Observation.Step || o.Item != a.Observation.Item || o.Oracle != a.Observation.Oracle || a.Verdict != nil {
		s.world = nil
		return ""
	}
	action := a.Action
	if s.teacher {
		action = a.Observation.Oracle
	}
	s.world.Act(action)
	return o.Text
}
