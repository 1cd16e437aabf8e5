package harness_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/tasks/warehouse"
)

// kit is what the program ships, with more strategies where a test brings some.
func kit(more ...harness.Strategy) harness.Kit {
	return harness.Kit{Tasks: []harness.Task{warehouse.Task()}, Strategies: append(agents.List(), more...), Files: configs.FS}
}

// plan resolves an experiment whose text may leave out what most tests share.
func plan(t testing.TB, k harness.Kit, text string, set ...string) *harness.Plan {
	t.Helper()
	x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\ntasks: [warehouse]\nmodels: [sim:perfect]\n"+text), set)
	if err != nil {
		t.Fatal(err)
	}
	p, err := k.Plan(x, node)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// one is the only cell of an experiment with one agent at one horizon.
func one(t testing.TB, k harness.Kit, agent string, horizon int, set ...string) (*harness.Plan, record.Cell) {
	t.Helper()
	p := plan(t, k, fmt.Sprintf("agents: [%s]\nhorizons: %d\nseeds: [7]\n", agent, horizon), set...)
	if len(p.Cells) != 1 {
		t.Fatalf("%d cells, want 1", len(p.Cells))
	}
	return p, p.Cells[0]
}

// A listener is a model that another one answers for.
type listener struct {
	inner model.Model
	hear  func(model.Request) // may be nil

	mu       sync.Mutex
	requests []model.Request
}

func (l *listener) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	l.mu.Lock()
	l.requests = append(l.requests, r)
	l.mu.Unlock()
	if l.hear != nil {
		l.hear(r)
	}
	return l.inner.Generate(ctx, r)
}

// answers is a model that is a function.
type answers func(context.Context, model.Request) (record.Reply, error)

func (a answers) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	return a(ctx, r)
}

// always answers every request with the same text.
func always(text string) answers {
	return func(context.Context, model.Request) (record.Reply, error) {
		return record.Reply{Text: text, Finish: record.Stop}, nil
	}
}

// shipped opens the model that the plan names, with a listener in front.
func shipped(l *listener) func(*harness.Model, harness.Task) (model.Model, error) {
	return func(m *harness.Model, t harness.Task) (model.Model, error) {
		var err error
		l.inner, err = m.Open(t)
		return l, err
	}
}

// instead puts another model in the place of every one that the plan names.
func instead(m model.Model) func(*harness.Model, harness.Task) (model.Model, error) {
	return func(*harness.Model, harness.Task) (model.Model, error) { return m, nil }
}

// episode gets a cell ready with a model.
func episode(t testing.TB, p *harness.Plan, c record.Cell, open func(*harness.Model, harness.Task) (model.Model, error)) *harness.Episode {
	t.Helper()
	e, err := p.Episode(c, open)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// play runs an episode on the journal in dir.
func play(t testing.TB, e *harness.Episode, dir string) journal.End {
	t.Helper()
	end, err := tryPlay(context.Background(), e, dir)
	if err != nil {
		t.Fatal(err)
	}
	return end
}

func tryPlay(ctx context.Context, e *harness.Episode, dir string) (end journal.End, err error) {
	log, err := journal.OpenLog(dir)
	if err != nil {
		return end, err
	}
	end, err = e.Run(ctx, log)
	if closing := log.Close(); err == nil {
		err = closing
	}
	return end, err
}

// events reads all events of a journal.
func events(t testing.TB, dir string) []journal.Event {
	t.Helper()
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []journal.Event
	if err := r.Each(func(e journal.Event) error { all = append(all, e); return nil }); err != nil {
		t.Fatal(err)
	}
	return all
}

// files holds both files of a journal.
type files struct{ events, texts string }

func load(t testing.TB, dir string) (f files) {
	t.Helper()
	for name, to := range map[string]*string{"events.jsonl": &f.events, "segments.jsonl": &f.texts} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		*to = string(data)
	}
	return f
}

func (f files) store(t testing.TB, dir string) {
	t.Helper()
	for name, text := range map[string]string{"events.jsonl": f.events, "segments.jsonl": f.texts} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
