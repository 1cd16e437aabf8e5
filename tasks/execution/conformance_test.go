package execution_test

import (
	"testing"

	"skillbench/harness"
	"skillbench/tasks/execution"
	"skillbench/tasks/execution/engine"
	"skillbench/tasks/tasktest"
)

// switches turn each mechanism off.
var switches = map[string]func(*engine.Mechanisms){
	"retry by class": func(m *engine.Mechanisms) { m.RetryByClass = false },
	"request ids":    func(m *engine.Mechanisms) { m.RequestIDs = false },
	"values":         func(m *engine.Mechanisms) { m.VersionCheck = engine.ByValue },
	"version check":  func(m *engine.Mechanisms) { m.VersionCheck = engine.Unchecked },
	"requires":       func(m *engine.Mechanisms) { m.Requires = false },
	"fixed flow":     func(m *engine.Mechanisms) { m.FixedFlow = false },
	"plan check":     func(m *engine.Mechanisms) { m.PlanCheck = false },
	"enabled check":  func(m *engine.Mechanisms) { m.EnabledCheck = false },
	"index check":    func(m *engine.Mechanisms) { m.IndexCheck = false },
	"result check":   func(m *engine.Mechanisms) { m.ResultCheck = false },
	"write guard":    func(m *engine.Mechanisms) { m.WriteGuard = false },
	"data only":      func(m *engine.Mechanisms) { m.DataOnly = false },
	"safe cancel":    func(m *engine.Mechanisms) { m.SafeCancel = false },
	"checkpoints":    func(m *engine.Mechanisms) { m.Checkpoints = false },
	"event order":    func(m *engine.Mechanisms) { m.EventOrder = false },
	"hygiene":        func(m *engine.Mechanisms) { m.Hygiene = false },
	"result bound":   func(m *engine.Mechanisms) { m.ResultBound = false },
}

// with is the task under changed defaults.
func with(change func(*engine.Mechanisms)) harness.Task {
	task := execution.Task()
	task.Options = func() harness.Options {
		m := engine.All()
		change(&m)
		return &m
	}
	return task
}

func TestConformance(t *testing.T) {
	t.Parallel()
	tasktest.Run(t, execution.Task())
}

// The script has the perfect reader play every event right whichever mechanism is
// off: it goes by what it is told.
func TestConformanceWithout(t *testing.T) {
	t.Parallel()
	for name, off := range switches {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && name != "request ids" && name != "event order" && name != "hygiene" {
				t.Skip("a part of them does where time is short")
			}
			tasktest.Run(t, with(off))
		})
	}
}
