package harness_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"skillbench/harness"
	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/transition"
)

// canary marks text that must not come up again.
const canary = "XYZZY"

// bad replies by the class that they earn, for the forms that they fit.
var bad = []struct {
	class string
	forms []model.Form
	reply record.Reply
}{
	{transition.Empty, all, record.Reply{Finish: record.Stop}},
	{transition.Refusal, all, record.Reply{Text: "I cannot help with " + canary, Finish: record.Refusal}},
	{transition.Truncated, all, record.Reply{Text: canary + " and then I", Finish: record.Length}},
	{transition.ActionGrammar, lines, record.Reply{Text: canary + "\nAction: Dance", Finish: record.Stop}},
	{transition.ActionGrammar, lines, record.Reply{Text: canary + " without an action", Finish: record.Stop}},
	{transition.NoJSON, envelope, record.Reply{Text: canary + " without an object", Finish: record.Stop}},
	{transition.JSONSyntax, envelope, record.Reply{Text: `{"state_patch": {"notes": "` + canary + `",}, "action": "Wait"}`, Finish: record.Stop}},
	{transition.Envelope, envelope, record.Reply{Text: `{"state_patch": {}, "act": "` + canary + `"}`, Finish: record.Stop}},
	{transition.SchemaUnknownKey, envelope, record.Reply{Text: `{"state_patch": {"` + canary + `": 1}, "action": "Wait"}`, Finish: record.Stop}},
	{transition.SchemaType, envelope, record.Reply{Text: `{"state_patch": {"inventory": {"shelf_1": 4}}, "action": "Wait"}` + canary, Finish: record.Stop}},
	{transition.SchemaValue, envelope, record.Reply{Text: `{"state_patch": {"inventory": null}, "action": "Wait"}` + canary, Finish: record.Stop}},
	{transition.ActionGrammar, envelope, record.Reply{Text: `{"state_patch": {"inventory": {"shelf_7": "` + canary + `"}}, "action": "Dance"}`, Finish: record.Stop}},
}

var (
	all      = []model.Form{model.ActionLine, model.Update, model.Envelope}
	lines    = []model.Form{model.ActionLine, model.Update}
	envelope = []model.Form{model.Envelope}
)

var forms = map[string]model.Form{"react": model.ActionLine, "memory": model.ActionLine, "stateful": model.Update, "skillstate": model.Envelope}

// TestRefusedRepliesChangeNothing gives 1, 2 and 3 bad replies at step 1, where
// the retry policy allows 3 attempts.
func TestRefusedRepliesChangeNothing(t *testing.T) {
	t.Parallel()
	for agent, form := range forms {
		p, c := one(t, kit(), agent, 4)
		t.Run(agent, func(t *testing.T) {
			t.Parallel()
			for _, b := range bad {
				for times := 1; times <= 3 && slices.Contains(b.forms, form); times++ {
					l := new(listener)
					e := episode(t, p, c, shipped(l))
					e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
						reply, err := l.Generate(ctx, r)
						if r.Step == 1 && r.Attempt < times {
							return b.reply, nil
						}
						return reply, err
					})
					dir := t.TempDir()
					if end := play(t, e, dir); end.Status != record.Done {
						t.Fatalf("%s: %+v", b.class, end)
					}
					checkRefused(t, b.class, times, events(t, dir), l.requests)
				}
			}
		})
	}
}

func checkRefused(t *testing.T, class string, times int, all []journal.Event, requests []model.Request) {
	t.Helper()
	var acts []record.Act
	refused := 0
	for _, e := range all {
		switch {
		case e.Act != nil:
			acts = append(acts, *e.Act)
		case e.Transition != nil && e.Transition.Step == 1 && !e.Transition.Accepted():
			if got := e.Transition.Violations[0]; got.Class != class || got.Hint == "" {
				t.Errorf("%s: refused as %+v", class, got)
			}
			refused++
		}
	}
	if refused != times {
		t.Errorf("%s: %d attempts refused, want %d", class, refused, times)
	}
	if missed := times == 3; missed != (acts[1].Action == record.None) || missed && (acts[1].State != acts[0].State || acts[1].Outcome.Valid) {
		t.Errorf("%s: after %d bad replies the step was %+v", class, times, acts[1])
	}
	for _, r := range requests {
		text := r.Prompt.Text()
		if strings.Contains(text, canary) && !strings.Contains(r.Prompt.Only(prompt.Feedback), canary) {
			t.Errorf("%s: the refused reply is in the prompt of step %d attempt %d", class, r.Step, r.Attempt)
		}
		feedback := strings.Contains(text, prompt.LabelFeedback)
		if feedback != (r.Attempt > 0) || feedback != (r.Purpose == record.ForRetry) {
			t.Errorf("%s: step %d attempt %d (%s): feedback %v", class, r.Step, r.Attempt, r.Purpose, feedback)
		}
		if r.Purpose != record.ForSummary && !strings.Contains(text, prompt.LabelLatest) {
			t.Errorf("%s: step %d attempt %d does not show the observation", class, r.Step, r.Attempt)
		}
	}
}

func TestFeedbackHoldsPathAndHintOfEachViolation(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "skillstate", 1)
	l := &listener{inner: always(`{"state_patch": {"inventory": {"shelf_1": 4, "x": "y"}}, "action": "Dance"}`)}
	dir := t.TempDir()
	play(t, episode(t, p, c, instead(l)), dir)
	var found []state.Violation
	for _, e := range events(t, dir) {
		if e.Transition != nil {
			found = e.Transition.Violations
		}
	}
	feedback := l.requests[1].Prompt.Only(prompt.Feedback)
	if len(found) < 3 {
		t.Fatalf("found %+v, want three violations", found)
	}
	for _, v := range found {
		if !strings.Contains(feedback, v.Hint) || !strings.Contains(feedback, v.Path) {
			t.Errorf("feedback\n%s\nlacks %+v", feedback, v)
		}
	}
}

func TestNoRetryIsOneAttempt(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "{base: react, retry: 0}", 3)
	l := &listener{inner: always("no")}
	play(t, episode(t, p, c, instead(l)), t.TempDir())
	if len(l.requests) != 3 {
		t.Errorf("%d calls for 3 steps, want 3", len(l.requests))
	}
}

func TestWhenStateChanges(t *testing.T) {
	t.Parallel()
	reply := `{"state_patch": {"inventory": {"shelf_400": "item_400"}}, "action": "Ship item_400 shelf_400"}` // the world refuses it
	for commit, want := range map[string]bool{"before_action": true, "after_accept": false} {
		p, c := one(t, kit(), "{base: skillstate, commit: "+commit+"}", 2)
		l := &listener{inner: always(reply)}
		dir := t.TempDir()
		play(t, episode(t, p, c, instead(l)), dir)
		if got := strings.Contains(l.requests[1].Prompt.Only(prompt.State), "item_400"); got != want {
			t.Errorf("%s: Σ took the patch of a refused action: %v", commit, got)
		}
		for _, e := range events(t, dir) {
			if e.Act != nil && (e.Act.Action != "Ship item_400 shelf_400" || e.Act.Outcome.Valid) {
				t.Errorf("%s: %+v", commit, e.Act)
			}
		}
	}
	// An accepted action commits either way.
	for _, commit := range []string{"before_action", "after_accept"} {
		p, c := one(t, kit(), "{base: skillstate, commit: "+commit+"}", 30)
		dir := t.TempDir()
		play(t, episode(t, p, c, shipped(new(listener))), dir)
		for _, e := range events(t, dir) {
			if e.Act != nil && !e.Act.Outcome.Correct {
				t.Errorf("%s: step %d: %+v", commit, e.Act.Observation.Step, e.Act.Outcome)
			}
		}
	}
}

// TestTeacherJudgesEachStepAlone plays wrongly at every third step: the others
// are as right as if nothing had happened.
func TestTeacherJudgesEachStepAlone(t *testing.T) {
	t.Parallel()
	for agent, form := range forms {
		p, c := one(t, kit(), agent, 30, "worlds=[teacher]")
		perfect := t.TempDir()
		seen := &listener{}
		play(t, episode(t, p, c, shipped(seen)), perfect)

		l := new(listener)
		e := episode(t, p, c, shipped(l))
		patch := state.From(map[string]any{"inventory": map[string]any{"shelf_499": canary}})
		e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
			reply, err := l.Generate(ctx, r)
			if r.Step%3 == 1 && r.Purpose == record.ForStep {
				return transition.Write(form, model.Fenced, canary, &patch, "Ship item_1 shelf_499"), nil
			}
			return reply, err
		})
		dir := t.TempDir()
		play(t, e, dir)
		for _, ev := range events(t, dir) {
			if ev.Act == nil {
				continue
			}
			step := ev.Act.Observation.Step
			if wrong := step%3 == 1; ev.Act.Outcome.Correct == wrong {
				t.Errorf("%s: step %d: correct %v", agent, step, !wrong)
			}
			if ev.Act.Oracle == nil || !ev.Act.Oracle.Correct || ev.Act.Observation.Impossible {
				t.Errorf("%s: step %d: the oracle's action was %+v", agent, step, ev.Act.Oracle)
			}
		}
		for i, r := range l.requests {
			text := r.Prompt.Text()
			if strings.Contains(text, canary) {
				t.Errorf("%s: what the model did wrong is in the prompt of step %d", agent, r.Step)
			}
			// Σ, history and observation are those of an episode without a fault.
			if r.Purpose != record.ForSummary && agent != "memory" && text != seen.requests[i].Prompt.Text() {
				t.Errorf("%s: step %d: the prompt is not the one of a faultless episode", agent, r.Step)
			}
		}
	}
}

func TestThinkingIsInNoLaterPrompt(t *testing.T) {
	t.Parallel()
	for agent := range forms {
		for _, world := range []string{"closed", "teacher"} {
			p, c := one(t, kit(), agent, 14, "worlds=["+world+"]")
			l := new(listener)
			e := episode(t, p, c, shipped(l))
			e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
				reply, err := l.Generate(ctx, r)
				reply.Text = "<think>" + canary + " one</think>\n" + reply.Text
				reply.Thinking = canary + " two"
				return reply, err
			})
			dir := t.TempDir()
			play(t, e, dir)
			for _, r := range l.requests {
				if strings.Contains(r.Prompt.Text(), canary) {
					t.Errorf("%s %s: thinking is in the prompt of %s %d", agent, world, r.Purpose, r.Step)
				}
			}
			if all := load(t, dir); strings.Count(all.texts, canary) < 2 {
				t.Errorf("%s %s: thinking is not in the journal", agent, world)
			}
		}
	}
}

func TestOverflowIsAResult(t *testing.T) {
	t.Parallel()
	for _, purpose := range []record.Purpose{record.ForStep, record.ForSummary} {
		p, c := one(t, kit(), "memory", 12)
		e := episode(t, p, c, shipped(new(listener)))
		sim := e.Model
		e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
			if r.Purpose == purpose && r.Step >= 6 {
				return record.Reply{Finish: record.Overflow}, nil
			}
			return sim.Generate(ctx, r)
		})
		dir := t.TempDir()
		end := play(t, e, dir)
		if end.Status != record.ContextOverflow || !end.Status.Final() {
			t.Errorf("%s: ended as %+v", purpose, end)
		}
		all := events(t, dir)
		last := all[len(all)-2].Call
		if last == nil || last.Purpose != purpose || last.Finish != record.Overflow {
			t.Errorf("%s: the call that overflowed is not the last one recorded: %+v", purpose, last)
		}
		whole := load(t, dir)
		l := new(listener)
		if end := play(t, episode(t, p, c, shipped(l)), dir); end.Status != record.ContextOverflow || len(l.requests) > 0 || load(t, dir) != whole {
			t.Errorf("%s: played again it ended as %+v after %d calls", purpose, end, len(l.requests))
		}
	}
}

// A misfit is react, but for what happens at step 2.
func misfit(at2 func() error) harness.Strategy {
	var react harness.Strategy
	for _, s := range kit().Strategies {
		if s.Name == "react" {
			react = s
		}
	}
	build := react.New
	react.Name = "misfit"
	react.New = func(s harness.Setup) (harness.Agent, error) {
		inner, err := build(s)
		return misfitAgent{inner, at2}, err
	}
	return react
}

type misfitAgent struct {
	harness.Agent
	at2 func() error
}

func (m misfitAgent) Prompt(v harness.View) (prompt.Prompt, error) {
	if v.Step == 2 {
		if err := m.at2(); err != nil {
			return nil, err
		}
	}
	return m.Agent.Prompt(v)
}

func TestABudgetThatIsTooSmallIsAResult(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(misfit(func() error { return harness.ErrBudget })), "misfit", 5)
	dir := t.TempDir()
	for range 2 {
		if end := play(t, episode(t, p, c, shipped(new(listener))), dir); end.Status != record.BudgetInfeasible || !end.Status.Final() {
			t.Errorf("ended as %+v", end)
		}
	}
}

func TestAPanicIsAFailedCellAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	broken := true
	panics := func() error {
		if broken {
			var none []int
			_ = none[len(t.Name())]
		}
		return nil
	}
	p := plan(t, kit(misfit(panics)), "agents: [react, misfit, wait]\nhorizons: 4\nseeds: [7, 8]\n")
	dir := t.TempDir()
	result := run(t, &harness.Runner{Plan: p, Dir: dir, Workers: 2})
	if result.Done != 4 || len(result.Failed) != 2 {
		t.Fatalf("%+v, want 4 done and 2 failed", result)
	}
	for _, f := range result.Failed {
		if f.Cell.Agent != "misfit" || !strings.HasPrefix(f.Why, "failed:panic: ") || !strings.Contains(f.Why, "episode_test.go:") || strings.Contains(f.Why, "\n") {
			t.Errorf("%s: %s", f.Cell.ID, f.Why)
		}
		if end, err := journal.EndOf(journal.CellDir(dir, f.Cell.ID)); err != nil || end == nil || end.Status != "failed:panic" {
			t.Errorf("on disk: %+v, %v", end, err)
		}
	}
	again := run(t, &harness.Runner{Plan: p, Dir: dir})
	if again.Done != 4 || len(again.Failed) != 2 {
		t.Errorf("run again: %+v", again)
	}
	broken = false
	if mended := run(t, &harness.Runner{Plan: p, Dir: dir}); mended.Done != 6 {
		t.Errorf("with the fault mended: %+v", mended)
	}
}

func run(t *testing.T, r *harness.Runner) harness.Result {
	t.Helper()
	result, err := r.Run(context.Background(), r.Plan.Cells)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestStopAndStepsEndEarlyAndCanGoOn(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "memory", 12)
	whole := t.TempDir()
	total := new(listener)
	play(t, episode(t, p, c, shipped(total)), whole)

	dir := t.TempDir()
	made := 0
	for n := 1; n <= 6; n += 5 {
		l := new(listener)
		e := episode(t, p, c, shipped(l))
		e.Steps = n
		if end := play(t, e, dir); end.Status != record.Interrupted {
			t.Fatalf("%d steps: ended as %+v", n, end)
		}
		acts := 0
		for _, ev := range events(t, dir) {
			if ev.Act != nil {
				acts++
			}
		}
		if acts != n {
			t.Errorf("%d steps: %d were played", n, acts)
		}
		made += len(l.requests)
	}
	stop := make(chan struct{})
	l := new(listener)
	l.hear = func(model.Request) {
		if len(l.requests) == 1 {
			close(stop)
		}
	}
	e := episode(t, p, c, shipped(l))
	e.Stop = stop
	if end := play(t, e, dir); end.Status != record.Interrupted || len(l.requests) != 1 {
		t.Errorf("stopped during its first call, it ended as %s after %d", end.Status, len(l.requests))
	}
	made++
	l = new(listener)
	if end := play(t, episode(t, p, c, shipped(l)), dir); end.Status != record.Done {
		t.Errorf("ended as %+v", end)
	}
	if made += len(l.requests); made != len(total.requests) || load(t, dir) != load(t, whole) {
		t.Errorf("%d calls in all, want %d and the same files", made, len(total.requests))
	}
}

func TestACanceledCallIsMadeAgain(t *testing.T) {
	t.Parallel()
	p, c := one(t, kit(), "react", 5)
	whole := t.TempDir()
	play(t, episode(t, p, c, shipped(new(listener))), whole)
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	e := episode(t, p, c, shipped(new(listener)))
	sim := e.Model
	e.Model = answers(func(ctx context.Context, r model.Request) (record.Reply, error) {
		if r.Step == 3 {
			cancel()
			return record.Reply{}, &model.Error{Class: model.Canceled, Message: ctx.Err().Error()}
		}
		return sim.Generate(ctx, r)
	})
	if end, err := tryPlay(ctx, e, dir); err != nil || end.Status != record.Interrupted {
		t.Fatalf("%+v, %v", end, err)
	}
	if end, err := journal.EndOf(dir); end != nil || err != nil {
		t.Errorf("an end was recorded: %+v, %v", end, err)
	}
	l := new(listener)
	play(t, episode(t, p, c, shipped(l)), dir)
	if len(l.requests) != 2 || load(t, dir) != load(t, whole) {
		t.Errorf("%d calls made, want 2 and the same files", len(l.requests))
	}
}

func TestSummariesComeFromTheSummarizer(t *testing.T) {
	t.Parallel()
	p := plan(t, kit(), "agents: [memory]\nhorizons: 14\nseeds: [7]\nsummarizer: {sim: perfect, name: other}\n")
	acting, summing := &listener{}, &listener{}
	e := episode(t, p, p.Cells[0], func(m *harness.Model, task harness.Task) (model.Model, error) {
		inner, err := m.Open(task)
		l := map[string]*listener{"sim:perfect": acting, "other": summing}[m.Name]
		l.inner = inner
		return l, err
	})
	play(t, e, t.TempDir())
	if len(acting.requests) != 14 || len(summing.requests) != 3 {
		t.Errorf("%d calls of the acting model, %d of the summarizer, want 14 and 3", len(acting.requests), len(summing.requests))
	}
	for _, r := range summing.requests {
		if r.Purpose != record.ForSummary || r.Form != model.Prose {
			t.Errorf("the summarizer was asked for %s %s", r.Purpose, r.Form)
		}
	}
}

func TestPlayersCallNoModel(t *testing.T) {
	t.Parallel()
	p := plan(t, kit(), "agents: [wait, random, oracle]\nhorizons: 20\nseeds: 2\nrepeats: 3\n")
	if len(p.Cells) != 6 {
		t.Errorf("%d cells, want one for each floor and seed", len(p.Cells))
	}
	for _, c := range p.Cells {
		e := episode(t, p, c, func(*harness.Model, harness.Task) (model.Model, error) {
			return nil, errors.New("a floor opened a model")
		})
		dir := t.TempDir()
		play(t, e, dir)
		right := 0
		for _, ev := range events(t, dir) {
			if ev.Call != nil || ev.Transition != nil {
				t.Errorf("%s: a call is recorded", c.Agent)
			}
			if ev.Act != nil && ev.Act.Outcome.Correct {
				right++
			}
		}
		if c.ModelKind != record.NoModel || (right == 20) != (c.Agent == "oracle") {
			t.Errorf("%s (%s): %d of 20 right", c.Agent, c.ModelKind, right)
		}
	}
}
