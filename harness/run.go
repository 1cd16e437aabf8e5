package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
)

// A Runner plays the cells of a plan into a run directory.
type Runner struct {
	Plan    *Plan
	Dir     string
	Workers int // cells at once; 0: as many as there are processors

	// Steps ends every episode after so many steps as interrupted; 0: no end.
	// It is for a first try of an experiment that costs money.
	Steps int

	// Wrap goes round every model that is opened: limits, cassettes. May be nil.
	Wrap func(Model, model.Model) (model.Model, error)

	// Events is told what happens, from several goroutines. May be nil.
	Events func(Event)

	// Stop, once closed, lets calls in flight finish and begins no other.
	Stop <-chan struct{}

	mu     sync.Mutex
	opened map[string]model.Model
}

// An Event is one piece of a run's progress.
type Event struct {
	Cell   record.Cell
	Begun  bool          // the cell has begun
	Call   *journal.Call // a call of it is written
	Live   bool          // and was made now, not replayed
	End    *journal.End  // it ended so
	Failed error         // or its journal could not be read or written
}

// Result counts how the cells of a run ended.
type Result struct {
	Done    int // with a result, those of earlier runs included
	Unended int // interrupted, or not begun
	Failed  []Failure
}

// A Failure is a cell without a result, and why.
type Failure struct {
	Cell record.Cell
	Why  string
}

// Run plays every cell that has no result yet. A cell that fails is in the
// result; an error means that the run as a whole could not go on.
func (r *Runner) Run(ctx context.Context, cells []record.Cell) (Result, error) {
	r.opened = map[string]model.Model{}
	workers := r.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group errgroup.Group
	group.SetLimit(workers)
	results := make([]Result, len(cells))
	halt := make(chan struct{}) // closed when going on would fail every cell
	var once sync.Once
	for i, c := range cells {
		group.Go(func() error {
			if isClosed(halt) || isClosed(r.Stop) || ctx.Err() != nil {
				results[i].Unended = 1
				return nil
			}
			var fatal bool
			if results[i], fatal = r.cell(ctx, c); fatal {
				once.Do(func() { close(halt) })
			}
			return nil
		})
	}
	err := group.Wait()
	var total Result
	for _, one := range results {
		total.Done += one.Done
		total.Unended += one.Unended
		total.Failed = append(total.Failed, one.Failed...)
	}
	return total, err
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// cell plays one cell. Fatal says that the next ones would fail in the same way.
func (r *Runner) cell(ctx context.Context, c record.Cell) (result Result, fatal bool) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 2048)
			stack = stack[:runtime.Stack(stack, false)]
			result, fatal = r.fail(c, fmt.Errorf("failed:panic: %v\n%s", p, stack)), false
		}
	}()
	dir := journal.CellDir(r.Dir, c.ID)
	finished, err := journal.Finished(dir)
	if err != nil {
		return r.fail(c, err), false
	}
	if finished {
		r.tell(Event{Cell: c, End: &journal.End{Status: record.Done}})
		return Result{Done: 1}, false
	}
	r.tell(Event{Cell: c, Begun: true})
	end, err := r.play(ctx, c, dir)
	if err != nil {
		return r.fail(c, err), unwritable(err)
	}
	r.tell(Event{Cell: c, End: &end})
	switch {
	case end.Status.Final():
		return Result{Done: 1}, false
	case end.Status == record.Interrupted:
		return Result{Unended: 1}, false
	}
	return Result{Failed: []Failure{{c, string(end.Status) + ": " + end.Why}}}, fatalFor(end)
}

// fatalFor reports whether other cells would end in the same way: a limit of
// the run was crossed, or the endpoint refuses this key or model.
func fatalFor(end journal.End) bool {
	return isLimit(end.Status) || end.Status == "failed:refused"
}

// unwritable reports whether the disk takes no more: replies that are paid for
// could not be kept.
func unwritable(err error) bool {
	var fault *fs.PathError
	return errors.As(err, &fault) && fault.Op == "write"
}

func (r *Runner) fail(c record.Cell, err error) Result {
	r.tell(Event{Cell: c, Failed: err})
	return Result{Failed: []Failure{{c, err.Error()}}}
}

func (r *Runner) play(ctx context.Context, c record.Cell, dir string) (end journal.End, err error) {
	e, err := r.Plan.Episode(c, r.open)
	if err != nil {
		return end, err
	}
	log, err := journal.OpenLog(dir)
	if err != nil {
		return end, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	e.Stop, e.Steps = r.Stop, r.Steps
	e.Observed = func(call journal.Call, live bool) { r.tell(Event{Cell: c, Call: &call, Live: live}) }
	return e.Run(ctx, log)
}

func (r *Runner) tell(e Event) {
	if r.Events != nil {
		r.Events(e)
	}
}

// open returns the model for a task, opened once per run.
func (r *Runner) open(m *Model, t Task) (model.Model, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := m.Name + "\x00" + string(m.Identity) + "\x00" + t.Name
	if opened, ok := r.opened[key]; ok {
		return opened, nil
	}
	opened, err := m.Open(t)
	if err == nil && r.Wrap != nil {
		opened, err = r.Wrap(*m, opened)
	}
	if err != nil {
		return nil, err
	}
	r.opened[key] = opened
	return opened, nil
}
