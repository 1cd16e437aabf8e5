package tasktest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/model/sim"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/tasks/warehouse"
)

// A spoiled world changes what another shows and does.
type spoiled struct {
	harness.World
	spec    harness.Spec
	observe func(*spoiled, *record.Observation)
	judge   func(*spoiled, string, *record.Outcome)
	act     func(*spoiled, string, *record.Outcome)
	truth   func(state.Object) state.Object
	judged  int
	last    record.Observation
}

func (s *spoiled) Observe() (record.Observation, bool) {
	o, ok := s.World.Observe()
	if s.observe != nil {
		s.observe(s, &o)
	}
	s.last = o
	return o, ok
}

func (s *spoiled) Judge(action string) record.Outcome {
	out := s.World.Judge(action)
	s.judged++
	if s.judge != nil {
		s.judge(s, action, &out)
	}
	return out
}

func (s *spoiled) Act(action string) record.Outcome {
	out := s.World.Act(action)
	if s.act != nil {
		s.act(s, action, &out)
	}
	return out
}

func (s *spoiled) Truth() state.Object {
	if s.truth != nil {
		return s.truth(s.World.Truth())
	}
	return s.World.Truth()
}

// worlds spoils every world of the warehouse.
func worlds(w spoiled) func(*harness.Task) {
	return func(t *harness.Task) {
		begin := t.New
		t.New = func(spec harness.Spec) (harness.World, error) {
			inner, err := begin(spec)
			s := w
			s.World, s.spec = inner, spec
			return &s, err
		}
	}
}

func observing(f func(*spoiled, *record.Observation)) func(*harness.Task) {
	return worlds(spoiled{observe: f})
}

type halfOptions struct {
	Size int `json:"size" yaml:"length"`
}

func (halfOptions) Validate() error { return nil }

type deafLanguage struct{ sim.Language }

func (deafLanguage) Answer(sim.Event, sim.Beliefs, sim.Guess) sim.Answer {
	return sim.Answer{Action: "Wait"}
}

// Each property catches a task that lacks it.
func TestSabotage(t *testing.T) {
	t.Parallel()
	draws := rand.New(rand.NewPCG(1, 1)) // shared by all worlds, which is the fault
	for name, test := range map[string]struct {
		spoil    func(*harness.Task)
		property string
		says     string
	}{
		"keys differ":     {func(t *harness.Task) { t.Options = func() harness.Options { return &halfOptions{3} } }, "options", "in YAML and"},
		"Wait is refused": {func(t *harness.Task) { t.Grammar = func(string) error { return errors.New("no") } }, "grammar", "refuses Wait"},
		"anything goes":   {func(t *harness.Task) { t.Grammar = func(string) error { return nil } }, "grammar", "grammar accepts"},
		"trimmed commands": {func(t *harness.Task) {
			t.Grammar = func(a string) error { return warehouse.Grammar(strings.TrimSpace(a)) }
		}, "grammar", `\n`},
		"hidden randomness": {func(t *harness.Task) {
			t.Random = func(_ *rand.Rand, s state.Object) string { return warehouse.Random(draws, s) }
		}, "grammar", "from the same source"},
		"panic": {func(t *harness.Task) {
			t.Grammar = func(a string) error {
				if warehouse.Grammar(a) != nil {
					return fmt.Errorf("%c is no command", a[0])
				}
				return nil
			}
		}, "grammar", "panic"},

		"no newline":   {observing(func(_ *spoiled, o *record.Observation) { o.Text = strings.TrimSpace(o.Text) }), "observations", "ends in a newline"},
		"not UTF-8":    {observing(func(_ *spoiled, o *record.Observation) { o.Text = "\xff" + o.Text }), "observations", "UTF-8"},
		"label":        {observing(func(_ *spoiled, o *record.Observation) { o.Text += "## Reply\n" }), "observations", "label"},
		"step numbers": {observing(func(_ *spoiled, o *record.Observation) { o.Step++ }), "observations", "its number is 1"},
		"none counts": {worlds(spoiled{act: func(_ *spoiled, a string, out *record.Outcome) {
			out.Valid = out.Valid || a == record.None
		}}), "observations", "missed step"},

		"not seeded":         {observing(func(_ *spoiled, o *record.Observation) { o.Text += fmt.Sprintf("%d\n", draws.Uint64()) }), "repeats", "differs"},
		"noise in events":    {observing(func(s *spoiled, o *record.Observation) { o.Item += strings.Repeat("x", s.spec.Noise) }), "base events", "base event 0"},
		"events by action":   {observing(func(s *spoiled, o *record.Observation) { o.Kind += s.last.Oracle[:s.judged] }), "judge", "where actions were judged"},
		"an event missing":   {worlds(spoiled{act: func(s *spoiled, _ string, out *record.Outcome) { out.Free = s.last.Step == 7 }}), "base events", "59 base events, want 60"},
		"oracle errs":        {observing(func(_ *spoiled, o *record.Observation) { o.Oracle = "Wait" }), "oracle", `"Wait" gives`},
		"base is impossible": {observing(func(_ *spoiled, o *record.Observation) { o.Impossible = true }), "oracle", "impossible: true"},
		"judge acts":         {worlds(spoiled{judge: func(s *spoiled, a string, out *record.Outcome) { s.World.Act(a) }}), "judge", "Judge changes the world"},
		"judge disagrees":    {worlds(spoiled{judge: func(_ *spoiled, _ string, out *record.Outcome) { out.Result += "!" }}), "judge", "disagree"},
		"change not told":    {worlds(spoiled{act: func(_ *spoiled, _ string, out *record.Outcome) { out.World = nil }}), "truth", "as silent changes and outcomes tell it"},
		"silence not told":   {observing(func(_ *spoiled, o *record.Observation) { o.Silent = nil }), "truth", "as silent changes and outcomes tell it"},
		"truth off schema": {worlds(spoiled{truth: func(o state.Object) state.Object {
			return state.Deep.Apply(o, state.From(map[string]any{"size": 1}))
		}}), "truth", "schema_unknown_key"},
		"endless patience": {observing(func(_ *spoiled, o *record.Observation) {
			if o.Announced > 0 {
				o.Announced += patience
			}
		}), "ends", "announcement 5"},
		"deaf language": {func(t *harness.Task) { t.Language = deafLanguage{t.Language} }, "language", `it plays "Wait"`},
	} {
		t.Run(name, func(t *testing.T) {
			task := warehouse.Task()
			test.spoil(&task)
			b, err := newBench(task)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range properties() {
				if p.name != test.property {
					continue
				}
				if err := b.try(p); err == nil || !strings.Contains(err.Error(), test.says) {
					t.Errorf("%s: want an error that says %q, got %v", p.name, test.says, err)
				}
				return
			}
			t.Fatalf("no property %q", test.property)
		})
	}
}

// The episode of a world that never ends is ended.
func TestEndless(t *testing.T) {
	t.Parallel()
	task := warehouse.Task()
	begin := task.New
	task.New = func(spec harness.Spec) (harness.World, error) {
		w, err := begin(spec)
		return endless{w}, err
	}
	b, err := newBench(task)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.ends(); err == nil || !strings.Contains(err.Error(), "are not over after") {
		t.Errorf("want an error, got %v", err)
	}
}

type endless struct{ harness.World }

func (e endless) Observe() (record.Observation, bool) {
	o, _ := e.World.Observe()
	return o, true
}
