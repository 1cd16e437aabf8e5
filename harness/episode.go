package harness

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"

	"skillbench/harness/journal"
	"skillbench/harness/model"
	"skillbench/harness/record"
	"skillbench/harness/state"
	"skillbench/harness/tokens"
	"skillbench/harness/transition"
)

// An Episode is one cell, ready to run.
type Episode struct {
	Cell       record.Cell
	Task       Task
	Spec       Spec
	Skill      Skill
	Settings   Settings
	Templates  Templates
	Model      model.Model
	Summarizer model.Model // makes the summary calls; nil means Model
	Informer   model.Model // answers those for scores; nil means Model
	Encoding   *tokens.Encoding
	New        func(Setup) (Agent, error)
	Stop       <-chan struct{}                 // once closed, no call is made any more
	Steps      int                             // stop after so many steps as interrupted; 0: play to the end
	Observed   func(c journal.Call, live bool) // is told of every call, replayed (not live) ones included; may be nil

	again  bool // it is played again: recorded replies of simulated models are held to what they say now
	log    *journal.Log
	world  World
	agent  Agent
	state  state.Object
	past   []record.Turn
	remark string // that the next observation ends with
	meters map[string]*meter
}

// errStopped ends an episode that is to go on in a later run.
var errStopped = errors.New("stopped before the episode was over")

// errOverflow ends an episode whose prompt no longer fits the model.
var errOverflow = errors.New("the prompt exceeds the model's context")

// Run plays the episode on its journal: recorded events first, then live. It
// returns an error only when the episode cannot begin or the journal itself
// cannot be read or written; every other fault is a record with a reason.
func (e *Episode) Run(ctx context.Context, log *journal.Log) (journal.End, error) {
	e.log = log
	if err := e.begin(); err != nil {
		return journal.End{}, err
	}
	end, err := e.guarded(ctx)
	if err != nil || end.Status == record.Interrupted {
		return end, err
	}
	return end, log.Write(journal.Event{End: &end})
}

func (e *Episode) begin() (err error) {
	if e.world, err = e.Task.New(e.Spec); err != nil {
		return err
	}
	if b, ok := e.world.(Briefer); ok {
		e.Skill.Catalogue = b.Catalogue()
	}
	e.agent, err = e.New(Setup{Skill: e.Skill, Settings: e.Settings, Templates: e.Templates, Encoding: e.Encoding, Task: e.Task, Spec: e.Spec})
	if err != nil {
		return err
	}
	e.meters = map[string]*meter{}
	start := journal.Start{Version: journal.Version, Cell: e.Cell, Tokenizer: e.Encoding.Name(), Truth: e.world.Truth()}
	if e.Settings.Stateful() {
		e.state = e.trueState()
		start.State, start.Merge, start.Late = &e.state, e.Settings.Merge, e.Settings.Commit == AfterAccept
	}
	return e.log.Write(journal.Event{Start: &start})
}

// trueState is Σ without an error: the skill's first state with the world's
// facts in it.
func (e *Episode) trueState() state.Object {
	return state.Deep.Apply(e.Skill.Initial, e.world.Truth())
}

// guarded plays and turns a panic of a strategy, a task or a model into an end
// with a reason.
func (e *Episode) guarded(ctx context.Context) (end journal.End, err error) {
	defer func() {
		if p := recover(); p != nil {
			end, err = journal.End{Status: "failed:panic", Why: fmt.Sprintf("%.300q at %s", fmt.Sprint(p), panicked())}, nil
		}
	}()
	return e.play(ctx)
}

// panicked returns file and line of the statement that panicked.
func panicked() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	raised := false
	for {
		f, more := frames.Next()
		if raised && !strings.HasPrefix(f.Function, "runtime.") || !more {
			return fmt.Sprintf("%s:%d", path.Base(f.File), f.Line)
		}
		raised = raised || f.Function == "runtime.gopanic"
	}
}

// play runs steps until the script is over or something ends it early.
func (e *Episode) play(ctx context.Context) (journal.End, error) {
	for n := 0; ; n++ {
		o, ok := e.world.Observe()
		if !ok {
			return journal.End{Status: record.Done}, nil
		}
		if e.Steps > 0 && n == e.Steps {
			return journal.End{Status: record.Interrupted}, nil
		}
		o.Text += e.remark
		if o.Later != "" {
			o.Later += e.remark
		}
		e.remark = ""
		err := e.step(ctx, o)
		var fault *model.Error
		switch {
		case err == nil:
		case errors.Is(err, errOverflow):
			return journal.End{Status: record.ContextOverflow}, nil
		case errors.Is(err, ErrBudget):
			return journal.End{Status: record.BudgetInfeasible}, nil
		case errors.Is(err, errStopped):
			return journal.End{Status: record.Interrupted}, nil
		case errors.As(err, &fault):
			return journal.End{Status: statusOf(fault), Why: why(fault), Measured: fault.Measured, Failed: fault.Failed}, nil
		default:
			return journal.End{}, err
		}
	}
}

// statusOf a fault: limits keep their name. An endpoint that refuses the key,
// the address or the model refuses every cell.
func statusOf(fault *model.Error) record.Status {
	switch {
	case isLimit(record.Status(fault.Class)):
		return record.Status(fault.Class)
	case fault.Status == 401 || fault.Status == 403 || fault.Status == 404:
		return "failed:refused"
	}
	return record.Status("failed:" + fault.Class)
}

// why is what the class, which is in the status, does not say.
func why(fault *model.Error) string {
	if fault.Status != 0 {
		return fmt.Sprintf("HTTP %d: %s", fault.Status, fault.Message)
	}
	return fault.Message
}

func isLimit(s record.Status) bool { return strings.HasPrefix(string(s), "limit:") }

// step takes one observation to a finished step.
func (e *Episode) step(ctx context.Context, o record.Observation) error {
	view := View{Step: o.Step, Observation: o.Text, State: e.state, Past: e.past}
	turn := record.Turn{Step: o.Step, Observation: o.Text, Action: record.None}
	next := e.state
	if player, ok := e.agent.(Player); ok {
		turn.Action = player.Play(o, e.world.Truth())
	} else {
		if err := e.summarize(ctx, view); err != nil {
			return err
		}
		if err := e.inquire(ctx, view); err != nil {
			return err
		}
		var err error
		if turn, next, err = e.ask(ctx, view); err != nil {
			return err
		}
	}
	return e.finish(o, view, turn, next)
}

func (e *Episode) summarize(ctx context.Context, view View) error {
	s, ok := e.agent.(Summarizer)
	if !ok {
		return nil
	}
	p, due := s.Due(view)
	if !due {
		return nil
	}
	m := e.Summarizer
	if m == nil {
		m = e.Model
	}
	reply, err := e.call(ctx, m, model.Request{Prompt: p, Form: model.Prose, Purpose: record.ForSummary, Step: view.Step})
	if err == nil {
		s.Summarized(reply.Text)
	}
	return err
}

// ask tries until a transition is accepted or the attempts run out, in which
// case the step is missed: action None, Σ as it was.
func (e *Episode) ask(ctx context.Context, view View) (record.Turn, state.Object, error) {
	turn := record.Turn{Step: view.Step, Observation: view.Observation, Action: record.None}
	for attempt := range e.Settings.Retry + 1 {
		p, err := e.agent.Prompt(view)
		if err != nil {
			return turn, e.state, err
		}
		purpose := record.ForStep
		if attempt > 0 {
			purpose = record.ForRetry
		}
		reply, err := e.call(ctx, e.Model, model.Request{Prompt: p, Form: e.agent.Form(), Purpose: purpose, Step: view.Step, Attempt: attempt})
		if err != nil {
			return turn, e.state, err
		}
		t, next := e.judge(reply)
		t.Step, t.Attempt = view.Step, attempt
		if err := e.log.Write(journal.Event{Transition: &t}); err != nil {
			return turn, e.state, err
		}
		if t.Accepted() {
			turn.Reply, turn.Action = said(reply), t.Move.Action
			return turn, next, nil
		}
		view.Feedback = t.Violations
	}
	return turn, e.state, nil
}

// said is what a later prompt may show of a reply. Thinking never is.
func said(r record.Reply) string {
	text := transition.Visible(r.Text)
	for _, c := range r.Calls {
		text += c.Name + "(" + c.Arguments + ")\n"
	}
	return text
}

// judge says whether a reply is taken, and which Σ it would give.
func (e *Episode) judge(reply record.Reply) (record.Transition, state.Object) {
	move, violations := transition.Parse(e.agent.Form(), e.Settings.Wire, e.Settings.Repair, reply)
	if move.Action != "" || len(violations) == 0 {
		if err := e.faulty(move.Action); err != nil {
			violations = append(violations, state.Violation{Class: transition.ActionGrammar, Hint: err.Error()})
		}
	}
	next := e.state
	if move.Patch != nil && e.Settings.Stateful() {
		next = e.Settings.Merge.Apply(e.state, *move.Patch)
		violations = append(violations, e.breaks(next)...)
		if len(state.Resends(e.state, *move.Patch)) > 0 {
			move.Flags = append(move.Flags, "resend")
		}
	}
	transition.Sort(violations)
	return record.Transition{Move: move, Violations: violations}, next
}

// grammar is the world's own, or else the task's.
func (e *Episode) grammar() func(string) error {
	if g, ok := e.world.(Grammarian); ok {
		return g.Grammar
	}
	return e.Task.Grammar
}

// faulty reports why an action can be none at this step.
func (e *Episode) faulty(action string) error {
	if own, err := e.own(action); own {
		return err
	}
	return e.grammar()(action)
}

// own reports whether an action is a command of the strategy's own, and why it
// is no right one.
func (e *Episode) own(action string) (bool, error) {
	c, ok := e.agent.(Commander)
	if _, answers := e.world.(Answerer); !ok || !answers || e.Cell.World == record.Teacher {
		return false, nil
	}
	return c.Command(action)
}

func (e *Episode) breaks(next state.Object) []state.Violation {
	if !e.Settings.Validate {
		return nil
	}
	violations := e.Skill.Schema.Check(next)
	if size := len([]rune(next.Compact())); e.Settings.MaxChars > 0 && size > e.Settings.MaxChars {
		violations = append(violations, state.Violation{Class: transition.SchemaValue,
			Hint: within("state size in characters", size, 0, e.Settings.MaxChars).Error()})
	}
	return violations
}

// finish commits Σ, acts and records the step. In a teacher world the model's
// move is judged, then the oracle's is made: world, Σ and history go on from
// there.
func (e *Episode) finish(o record.Observation, view View, turn record.Turn, next state.Object) error {
	act := record.Act{Observation: o, Action: turn.Action, Looks: e.looks(turn.Action)}
	if o.Later != "" {
		turn.Observation = o.Later
	}
	if e.Cell.World == record.Teacher {
		act.Outcome = e.world.Judge(turn.Action)
		done := e.world.Act(o.Oracle)
		act.Oracle = &done
	} else {
		act.Outcome, act.Verdict = e.act(view, turn.Action)
	}
	turn.Valid = act.Outcome.Valid
	if act.Verdict != nil {
		turn.Ruling = act.Verdict.Ruling
	}
	if e.Settings.Commit == AfterAccept && !act.Outcome.Valid {
		next = e.state
	}
	if e.Settings.Stateful() {
		act.State = next.Hash()
	}
	if e.Cell.World == record.Teacher {
		turn, next = e.taught(o, turn)
	}
	e.state = next
	e.past = append(e.past, turn)
	return e.log.Write(journal.Event{Act: &act})
}

// looks says in which way an action only looks, "" where it does not or where
// the task does not tell.
func (e *Episode) looks(action string) string {
	if e.Task.Effects == nil {
		return ""
	}
	if effects := e.Task.Effects(action); len(effects) == 1 && effects[0].Kind != Changes {
		return string(effects[0].Kind)
	}
	return ""
}

// act lets the strategy's runtime judge an action and then does what it says. A
// verdict that cannot be carried out is none.
func (e *Episode) act(view View, action string) (record.Outcome, *record.Verdict) {
	own, _ := e.own(action)
	g, ok := e.agent.(Governor)
	if !ok || action == record.None {
		return e.world.Act(action), nil
	}
	v := g.Govern(view, action)
	if v.Answers() {
		if outcome, ok := e.answer(&v, action, own); ok {
			return outcome, &v
		}
	}
	switch {
	case own:
		return e.world.Act(record.None), nil // the event has waited too often
	case v.Ruling == record.Nudge:
		e.remark = v.Text + "\n"
		return e.world.Act(action), &v
	}
	return e.world.Act(action), nil
}

// answer has the runtime's text take the place of what the world would say,
// which is written down beside it.
func (e *Episode) answer(v *record.Verdict, action string, own bool) (record.Outcome, bool) {
	a, ok := e.world.(Answerer)
	if !ok {
		return record.Outcome{}, false
	}
	if !own {
		skipped := e.world.Judge(action)
		v.Skipped = &skipped
	}
	return a.Answer(v.Text)
}

// taught is the turn that an ideal model would have made of this observation,
// and the Σ it would have left.
func (e *Episode) taught(o record.Observation, turn record.Turn) (record.Turn, state.Object) {
	turn.Action, turn.Valid = o.Oracle, true
	if !e.Settings.Stateful() {
		turn.Reply = said(transition.Write(e.agent.Form(), e.Settings.Wire, "", nil, o.Oracle))
		return turn, e.state
	}
	next := e.trueState()
	patch := e.Settings.Merge.Patch(e.state, next)
	turn.Reply = said(transition.Write(e.agent.Form(), e.Settings.Wire, "", &patch, o.Oracle))
	return turn, next
}

// call makes one model call, or takes it from the journal.
func (e *Episode) call(ctx context.Context, m model.Model, r model.Request) (record.Reply, error) {
	lane := journal.Lane(r.Purpose)
	if e.meters[lane] == nil {
		e.meters[lane] = &meter{encoding: e.Encoding, number: e.log.Number}
	}
	c, err := e.meters[lane].measure(r.Prompt)
	if err != nil {
		return record.Reply{}, err
	}
	c.Purpose, c.Step, c.Attempt = r.Purpose, r.Step, r.Attempt
	recorded, err := e.log.Next(c)
	if err != nil {
		return record.Reply{}, err
	}
	r.Wire, r.Schema = e.Settings.Wire, e.Skill.Schema.Raw()
	r.Cell, r.Agent, r.Seed, r.Repeat = e.Cell.ID, e.Cell.Agent, e.Cell.Seed, e.Cell.Repeat
	var reply record.Reply
	if recorded != nil {
		if reply, err = e.log.Reply(*recorded); err == nil && e.again {
			err = e.log.Fault(repeat(ctx, m, r, reply))
		}
	} else {
		if isClosed(e.Stop) || ctx.Err() != nil {
			return reply, errStopped
		}
		if reply, err = m.Generate(ctx, r); err == nil {
			reply = reply.Clean()
		} else if ctx.Err() != nil {
			err = errStopped
		}
	}
	if err != nil {
		return reply, err
	}
	c.Completion = completionTokens(e.Encoding, r.Purpose, reply)
	if err := e.log.Call(&c, reply); err != nil {
		return reply, err
	}
	if e.Observed != nil {
		e.Observed(c, recorded == nil)
	}
	if reply.Finish == record.Overflow {
		return reply, errOverflow
	}
	return reply, nil
}

// completionTokens counts all that a model wrote: thinking and tool calls too.
// Scores are nothing that it wrote.
func completionTokens(e *tokens.Encoding, p record.Purpose, r record.Reply) int {
	if p == record.ForScores {
		return 0
	}
	n := e.Count(r.Text) + e.Count(r.Thinking)
	for _, c := range r.Calls {
		n += e.Count(c.Name) + e.Count(c.Arguments)
	}
	return n
}
