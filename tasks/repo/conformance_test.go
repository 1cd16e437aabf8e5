package repo_test

import (
	"testing"

	"skillbench/harness"
	"skillbench/tasks/repo"
	"skillbench/tasks/tasktest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, reads := range map[string]bool{"defaults": false, "reads": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			task := repo.Task()
			defaults := task.Options
			task.Options = func() harness.Options {
				o := defaults().(*repo.Options)
				o.Reads = reads
				return o
			}
			tasktest.Run(t, task)
		})
	}
}
