package routing_test

import (
	"testing"

	"skillbench/harness"
	"skillbench/tasks/routing"
	"skillbench/tasks/tasktest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*routing.Options){
		"defaults":    func(*routing.Options) {},
		"bare":        func(o *routing.Options) { o.Arm, o.Gates = routing.BareTools, false },
		"lazy":        func(o *routing.Options) { o.Arm, o.Attempts = routing.LazyCatalogue, 1 },
		"groups":      func(o *routing.Options) { o.Arm, o.Layers = routing.GroupThenPick, []string{"summary"} },
		"recall":      func(o *routing.Options) { o.Arm, o.K, o.Favourites = routing.RecallK, 3, []string{"human-handoff"} },
		"in a crowd":  func(o *routing.Options) { o.Skills, o.Position = 60, -1 },
		"poison":      func(o *routing.Options) { o.Poison, o.Skills = true, 20 },
		"both splits": func(o *routing.Options) { o.Split = "all" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task := routing.Task()
			defaults := task.Options
			task.Options = func() harness.Options {
				o := defaults().(*routing.Options)
				o.Split = "all"
				change(o)
				return o
			}
			tasktest.Run(t, task)
		})
	}
}
