package warehouse_test

import (
	"testing"

	"skillbench/harness"
	"skillbench/tasks/tasktest"
	"skillbench/tasks/warehouse"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*warehouse.Options){
		"defaults":   func(*warehouse.Options) {},
		"any empty":  func(o *warehouse.Options) { o.Placement = warehouse.AnyEmpty },
		"warm start": func(o *warehouse.Options) { o.WarmStart, o.MinAge = 20, 3 },
		"a code in a field": func(o *warehouse.Options) {
			o.Probe = &warehouse.Probe{Kind: "deferred", Condition: "field", After: []int{1, 3}}
		},
		"codes in notes": func(o *warehouse.Options) {
			o.Probe = &warehouse.Probe{Kind: "deferred", Condition: "notes", After: []int{2}}
		},
		"a void placement": func(o *warehouse.Options) { o.Probe = &warehouse.Probe{Kind: "invalidation", After: []int{2}} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task := warehouse.Task()
			defaults := task.Options
			task.Options = func() harness.Options {
				o := defaults().(*warehouse.Options)
				change(o)
				return o
			}
			if task.Options().(*warehouse.Options).Probe != nil {
				task.Drifts = nil // the task has no drift beside a probe
			}
			tasktest.Run(t, task)
		})
	}
}
