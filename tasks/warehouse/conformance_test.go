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
			tasktest.Run(t, task)
		})
	}
}
