// Package tasktest holds any task to what the harness, the strategies and the
// metrics rely on. Call Run from a test of your own:
//
//	func TestTask(t *testing.T) { tasktest.Run(t, mine.Task()) }
//
// To try other options than the defaults, give it a task whose Options returns
// them.
package tasktest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"testing"

	"skillbench/configs"
	"skillbench/harness"
)

// Run tests a task with its default options. Its skill, skills/<name>/, is looked
// for in files, or else in those that the task brings, or else in those that
// skillbench ships.
func Run(t *testing.T, task harness.Task, files ...fs.FS) {
	t.Helper()
	b, err := newBench(task, files...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range properties() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			if err := b.try(p); err != nil {
				t.Error(err)
			}
		})
	}
}

// A property is something that holds for every task.
type property struct {
	name  string
	holds func(bench) error
}

func properties() []property {
	return []property{
		{"options", bench.optionsHold},
		{"grammar", bench.grammarHolds},
		{"observations", bench.observationsHold},
		{"repeats", bench.repeats},
		{"base events", bench.baseEventsHold},
		{"oracle", bench.oracleIsRight},
		{"judge", bench.judgeChangesNothing},
		{"truth", bench.truthHolds},
		{"ends", bench.ends},
		{"language", bench.languageSuffices},
	}
}

// try tells a panic of the task as an error.
func (b bench) try(p property) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return p.holds(b)
}

// A bench is a task with its skill and options.
type bench struct {
	task    harness.Task
	skill   harness.Skill
	options json.RawMessage
}

func newBench(task harness.Task, files ...fs.FS) (bench, error) {
	b := bench{task: task}
	if err := (harness.Kit{Tasks: []harness.Task{task}}).Validate(); err != nil {
		return b, err
	}
	options := task.Options()
	name := task.Skill
	if named, ok := options.(interface{ Skill() string }); ok {
		name = named.Skill()
	}
	from := fs.FS(configs.FS)
	switch {
	case len(files) > 0:
		from = files[0]
	case task.Files != nil:
		from = task.Files
	}
	var err error
	if b.skill, err = harness.LoadSkill(from, "skills/"+name, "skills/"+name); err != nil {
		return b, err
	}
	b.options, err = json.Marshal(options)
	return b, err
}
