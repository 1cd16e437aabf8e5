package metrics_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"testing"

	"skillbench/agents"
	"skillbench/configs"
	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
	"skillbench/tasks/warehouse"
)

// A spy is a world that remembers its truth.
type spy struct {
	harness.World
	truths *[]truth
}

// truth is what held around a step.
type truth struct{ before, after, would state.Object }

func (s spy) Observe() (record.Observation, bool) {
	o, ok := s.World.Observe()
	if ok {
		*s.truths = append(*s.truths, truth{before: s.World.Truth()})
	}
	return o, ok
}

// Judge also derives what the action would have made of the world.
func (s spy) Judge(action string) record.Outcome {
	out := s.World.Judge(action)
	last := &(*s.truths)[len(*s.truths)-1]
	last.would = last.before
	if out.World != nil {
		last.would = state.Deep.Apply(last.before, *out.World)
	}
	return out
}

func (s spy) Act(action string) record.Outcome {
	out := s.World.Act(action)
	(*s.truths)[len(*s.truths)-1].after = s.World.Truth()
	return out
}

// A stage is an experiment on the warehouse, and the truths of its worlds by
// the order in which they were begun.
type stage struct {
	plan   *harness.Plan
	mu     sync.Mutex
	truths []*[]truth
}

func newStage(t testing.TB, text string) *stage {
	t.Helper()
	s := &stage{}
	task := warehouse.Task()
	begin := task.New
	task.New = func(spec harness.Spec) (harness.World, error) {
		w, err := begin(spec)
		list := new([]truth)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.truths = append(s.truths, list)
		return spy{w, list}, err
	}
	k := harness.Kit{Tasks: []harness.Task{task}, Strategies: agents.List(), Files: configs.FS}
	x, node, err := harness.ParseExperiment("x.yaml", []byte("name: x\ntasks: [warehouse]\nmodels: [sim:perfect]\n"+text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.plan, err = k.Plan(x, node); err != nil {
		t.Fatal(err)
	}
	s.truths = nil // those of the planning
	return s
}

// play runs one cell with a model that spoils what another one says.
func (s *stage) play(t testing.TB, c record.Cell, m model.Model) (*journal.Reader, []truth) {
	t.Helper()
	e, err := s.plan.Episode(c, func(*harness.Model, harness.Task) (model.Model, error) { return m, nil })
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log, err := journal.OpenLog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = e.Run(context.Background(), log); err != nil {
		t.Fatal(err)
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := journal.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return r, *s.truths[len(s.truths)-1]
}

// An erring model is perfect, but every so often it refuses to answer, answers
// out of form, proposes a wrong patch or acts wrongly. What it does depends on
// the prompt and the attempt alone.
type erring struct{ perfect *sim.Model }

func newErring() erring {
	return erring{sim.New(sim.Config{Mechanism: "perfect"}, warehouse.Task().Language)}
}

func (e erring) Generate(ctx context.Context, r model.Request) (record.Reply, error) {
	reply, err := e.perfect.Generate(ctx, r)
	if r.Form == model.Prose {
		return reply, err
	}
	h := fnv.New64a()
	fmt.Fprint(h, r.Prompt.Text(), r.Attempt)
	dice := rand.New(rand.NewPCG(h.Sum64(), 1))
	shelf, item := fmt.Sprintf("shelf_%d", dice.IntN(9)), fmt.Sprintf("item_%d", 1+dice.IntN(9))
	wrong := state.From(map[string]any{"inventory": map[string]any{shelf: item, "shelf_0": nil}})
	action := fmt.Sprintf("Move %s %s shelf_%d", item, shelf, dice.IntN(12))
	switch dice.IntN(8) {
	case 0:
		reply = record.Reply{Finish: record.Refusal}
	case 1:
		reply = record.Reply{Text: "Let me think – 🤔", Thinking: "ach", Finish: record.Length}
	case 2:
		reply = transition.Write(r.Form, r.Wire, "So:", &wrong, action)
	case 3:
		reply = transition.Write(r.Form, r.Wire, "", nil, "Ship "+item+" "+shelf)
	}
	return reply, err
}
