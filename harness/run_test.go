package harness_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
)

const grid = "agents: [react, skillstate, wait]\nhorizons: [3, 5]\nseeds: 2\n"

// wrapped puts m in the place of every model of a run.
func wrapped(m model.Model) func(harness.Model, model.Model) (model.Model, error) {
	return func(harness.Model, model.Model) (model.Model, error) { return m, nil }
}

func TestARunAgainMakesNoCall(t *testing.T) {
	t.Parallel()
	p := plan(t, kit(), grid)
	dir := t.TempDir()
	if r := run(t, &harness.Runner{Plan: p, Dir: dir, Workers: 3}); r.Done != 12 || r.Unended != 0 || len(r.Failed) != 0 {
		t.Fatalf("%+v, want 12 done", r)
	}
	l := &listener{inner: always("Action: Wait")}
	var mu sync.Mutex
	ended := 0
	r := run(t, &harness.Runner{Plan: p, Dir: dir, Workers: 3, Wrap: wrapped(l), Events: func(e harness.Event) {
		mu.Lock()
		defer mu.Unlock()
		if e.End != nil {
			ended++
		}
		if e.Begun || e.Live {
			t.Errorf("%s has begun again", e.Cell.ID)
		}
	}})
	if r.Done != 12 || len(l.requests) != 0 || ended != 12 {
		t.Errorf("%+v with %d calls, %d cells told of", r, len(l.requests), ended)
	}
}

func TestWhatWouldFailEveryCellEndsTheRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault *model.Error
		whole bool // the other cells are played
	}{
		{&model.Error{Class: "limit:calls", Measured: "1", Message: "1 call made"}, false},
		{&model.Error{Class: model.Deterministic, Status: 401, Message: "no such key"}, false},
		{&model.Error{Class: model.Deterministic, Status: 404, Message: "no such model"}, false},
		{&model.Error{Class: model.Deterministic, Status: 400, Message: "this prompt"}, true},
		{&model.Error{Class: model.Transient, Status: 503, Message: "busy"}, true},
	} {
		p := plan(t, kit(), grid)
		fails := answers(func(context.Context, model.Request) (record.Reply, error) { return record.Reply{}, c.fault })
		r := run(t, &harness.Runner{Plan: p, Dir: t.TempDir(), Workers: 1, Wrap: wrapped(fails)})
		if whole := len(r.Failed) == 8 && r.Done == 4; whole != c.whole {
			t.Errorf("%v: %d done, %d failed, %d not begun", c.fault, r.Done, len(r.Failed), r.Unended)
		}
		if total := r.Done + len(r.Failed) + r.Unended; total != 12 {
			t.Errorf("%v: %d cells counted, want 12", c.fault, total)
		}
		for _, f := range r.Failed {
			if !strings.Contains(f.Why, c.fault.Message) {
				t.Errorf("%v: the reason is %q", c.fault, f.Why)
			}
		}
	}
}

func TestAStoppedRunBeginsNothing(t *testing.T) {
	t.Parallel()
	stop := make(chan struct{})
	close(stop)
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for name, r := range map[string]*harness.Runner{"stop": {Stop: stop}, "context": {}} {
		ctx := context.Background()
		if name == "context" {
			ctx = canceled
		}
		r.Plan, r.Dir = plan(t, kit(), grid), t.TempDir()
		result, err := r.Run(ctx, r.Plan.Cells)
		if err != nil || result.Unended != 12 {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		if entries, err := os.ReadDir(r.Dir); err != nil || len(entries) != 0 {
			t.Errorf("%s: %v was written, %v", name, entries, err)
		}
	}
}

func TestAFaultOutsideTheModelIsAFailedCell(t *testing.T) {
	t.Parallel()
	p := plan(t, kit(), grid)
	dir := t.TempDir()
	for name, r := range map[string]*harness.Runner{
		"a model that cannot be opened": {Wrap: func(harness.Model, model.Model) (model.Model, error) { return nil, errors.New("no cassette") }},
		"an error without a class":      {Wrap: wrapped(answers(func(context.Context, model.Request) (record.Reply, error) { return record.Reply{}, errors.New("odd") }))},
	} {
		r.Plan, r.Dir, r.Workers = p, dir, 2
		if result := run(t, r); result.Done != 4 || len(result.Failed) != 8 {
			t.Errorf("%s: %+v", name, result)
		}
	}
	if result := run(t, &harness.Runner{Plan: p, Dir: dir}); result.Done != 12 {
		t.Errorf("afterwards: %+v", result)
	}
}

func TestADamagedJournalIsAFailedCellAndStays(t *testing.T) {
	t.Parallel()
	p := plan(t, kit(), grid)
	dir := t.TempDir()
	run(t, &harness.Runner{Plan: p, Dir: dir})
	cell := journal.CellDir(dir, p.Cells[0].ID)
	f := load(t, cell)
	f.events = strings.Replace(f.events, `{"call"`, `{call`, 1)
	f.events = f.events[:strings.Index(f.events, `{"end"`)]
	f.store(t, cell)
	r := run(t, &harness.Runner{Plan: p, Dir: dir})
	if r.Done != 11 || len(r.Failed) != 1 || !strings.Contains(r.Failed[0].Why, "events.jsonl:2: damaged") || load(t, cell) != f {
		t.Errorf("%+v", r)
	}
}

func TestAKitIsComplete(t *testing.T) {
	t.Parallel()
	if err := kit().Validate(); err != nil {
		t.Error(err)
	}
	for want, change := range map[string]func(*harness.Kit){
		`task "warehouse": it is doubled`: func(k *harness.Kit) { k.Tasks = append(k.Tasks, k.Tasks[0]) },
		`task "warehouse": `:              func(k *harness.Kit) { k.Tasks[0].Doc = "" },
		`agent "react": it is doubled`:    func(k *harness.Kit) { k.Strategies = append(k.Strategies, k.Strategies[0]) },
		`agent "react": `:                 func(k *harness.Kit) { k.Strategies[0].New = nil },
		`agent "react": retry: want`:      func(k *harness.Kit) { k.Strategies[0].Defaults.Retry = -1 },
	} {
		k := kit()
		change(&k)
		checkFault(t, want, k.Validate(), want)
	}
}
